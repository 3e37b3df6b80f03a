package io.watershed.quickstart;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A process that the quick start runs.
 *
 * @param address what people reach it under
 * @param configuration what its configuration file says; empty: it has none
 * @param environment added to the quick start's own, from which {@code WATERSHED_…} and {@code ETCD_…} are taken out
 * @param ports that it listens on
 */
record ProcessSpec(
        String name,
        String title,
        String address,
        List<String> command,
        String configuration,
        Map<String, String> environment,
        List<Integer> ports,
        Probe probe) {
    /** Whether it answers. */
    interface Probe {
        /** @return empty when ready; else what it waits for */
        String reasonNotReady();
    }

    ProcessSpec {
        command = List.copyOf(command);
        environment = new TreeMap<>(environment);
        ports = List.copyOf(ports);
    }

    /** The same for the same command, environment and configuration: what runs already need not be started again. */
    String fingerprint() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] text = (command + "\n" + environment + "\n" + configuration).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(digest.digest(text), 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Starts it in a session of its own, so that Ctrl-C reaches the quick start alone, which then stops things in order. */
    Process start(Path log) throws IOException {
        List<String> line = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
            line.add("/usr/bin/setsid");
        }
        line.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().keySet().removeIf(key -> key.startsWith("WATERSHED_") || key.startsWith("ETCD_"));
        builder.environment().putAll(environment);
        return builder.start();
    }
}
