package io.watershed.e2e;

import io.watershed.testkit.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A real kubectl against one gateway, with a home directory and a configuration of its own. */
final class Kubectl {
    private static final String VARIABLE = "WATERSHED_KUBECTL";

    private final String binary;
    private final Path home;
    private final AtomicInteger started = new AtomicInteger();

    Kubectl(String binary, Path home, String server) {
        this(binary, home, server, "");
    }

    /** With a token, at a server whose certificate nobody has signed. */
    Kubectl(String binary, Path home, String server, String token) {
        this.binary = binary;
        this.home = home;
        try {
            Files.writeString(home.resolve("config"), configuration(server, token));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The kubectl that the environment names; bin/verify sees to it. */
    static Optional<String> binary() {
        return Optional.ofNullable(System.getenv(VARIABLE)).filter(path -> !path.isEmpty());
    }

    /** What it prints, errors included; fails when it fails. */
    String run(String... arguments) {
        return ChildProcess.run(command(arguments), environment());
    }

    /** The same, without waiting for its end. */
    ChildProcess start(String... arguments) {
        Path output = home.resolve("output-" + started.incrementAndGet());
        return ChildProcess.start("kubectl", command(arguments), environment(), output);
    }

    private List<String> command(String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(binary, "--kubeconfig", home.resolve("config").toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    private Map<String, String> environment() {
        return Map.of(
                "HOME", home.toString(), "KUBECACHEDIR", home.resolve("cache").toString());
    }

    private static String configuration(String server, String token) {
        return """
                apiVersion: v1
                kind: Config
                current-context: gateway
                clusters:
                - name: gateway
                  cluster: {server: "%s", insecure-skip-tls-verify: true}
                contexts:
                - name: gateway
                  context: {cluster: gateway, user: anyone, namespace: default}
                users:
                - name: anyone
                  user: {token: "%s"}
                """.formatted(server, token);
    }
}
