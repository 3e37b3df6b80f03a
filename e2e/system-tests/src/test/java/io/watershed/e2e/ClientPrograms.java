package io.watershed.e2e;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.watershed.testkit.ChildProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The programs of {@code e2e/clients}: each is built or its packages are installed under {@code target/clients}, with its language's own tool,
 * and again only when its files have changed. Where the tool is missing, the test is skipped and says so; where it fails, the test fails.
 */
final class ClientPrograms {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path ROOT = Path.of(Objects.requireNonNull(System.getProperty("watershed.root")));
    private static final Path SOURCES = ROOT.resolve("e2e/clients");
    private static final Path TARGET = ROOT.resolve("e2e/system-tests/target/clients");

    /** Compilers may take their time the first time. */
    private static final Duration INSTALLATION = Duration.ofMinutes(8);

    private ClientPrograms() {}

    /** A program on node, as a command without its arguments. */
    static List<String> node(String script) {
        assumeRuns("node 20 or newer", "node", "-e", "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)");
        assumeRuns("npm", "npm", "--version");
        Path directory = copy("node");
        installOnce(directory, List.of("npm", "ci", "--no-audit", "--no-fund", "--prefix", directory.toString()));
        return List.of("node", directory.resolve(script).toString());
    }

    static List<String> python(String script) {
        assumeRuns(
                "python 3.10 or newer with venv",
                "python3",
                "-c",
                "import sys, ensurepip, venv; assert sys.version_info >= (3, 10)");
        Path directory = copy("python");
        Path environment = directory.resolve("venv");
        String python = environment.resolve("bin/python").toString();
        installOnce(
                directory,
                List.of("python3", "-m", "venv", "--clear", environment.toString()),
                List.of(
                        python,
                        "-m",
                        "pip",
                        "install",
                        "--no-deps",
                        "-r",
                        directory.resolve("requirements.txt").toString()));
        return List.of(python, directory.resolve(script).toString());
    }

    static List<String> go(String program) {
        assumeRuns("go 1.26 or newer, or one that fetches it", "go", "version");
        Path built = TARGET.resolve("go");
        createDirectories(built);
        // It knows itself what has changed.
        install(List.of(
                "go",
                "build",
                "-C",
                SOURCES.resolve("go").toString(),
                "-mod=readonly",
                "-o",
                built.toString() + "/",
                "./..."));
        return List.of(built.resolve(program).toString());
    }

    /** Starts a client of ours and reads what it prints: a JSON object a line. */
    static ObservedEvents start(List<String> command, String url, String namespace) {
        createDirectories(TARGET);
        Path output = TARGET.resolve(namespace + "-" + UUID.randomUUID() + ".out");
        List<String> all = new ArrayList<>(command);
        all.add(url);
        all.add(namespace);
        ChildProcess process = ChildProcess.start(namespace, all, Map.of("PYTHONDONTWRITEBYTECODE", "1"), output);
        return new ObservedEvents(() -> events(process), process::close);
    }

    private static List<String> events(ChildProcess process) {
        if (!process.isAlive()) {
            throw new IllegalStateException("the client has ended:\n" + process.output());
        }
        return process.output()
                .lines()
                .filter(line -> line.startsWith("{\"type\":"))
                .map(ClientPrograms::brief)
                .toList();
    }

    private static String brief(String line) {
        try {
            JsonNode event = JSON.readTree(line);
            return event.get("type").asText() + " " + event.get("name").asText() + " "
                    + event.get("resourceVersion").asText();
        } catch (IOException e) {
            throw new UncheckedIOException(line, e);
        }
    }

    private static void assumeRuns(String what, String... command) {
        boolean runs;
        try {
            runs = new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            runs = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while looking for " + what, e);
        }
        assumeTrue(runs, "this client is not run: it needs " + what + " on the PATH");
    }

    /** The directory of the copy, where the tools may write. */
    private static Path copy(String name) {
        Path to = TARGET.resolve(name);
        createDirectories(to);
        files(name).forEach(file -> write(to.resolve(file.getFileName()), read(file)));
        return to;
    }

    /** Those of the sources alone: no directories. */
    private static List<Path> files(String name) {
        try (Stream<Path> files = Files.list(SOURCES.resolve(name))) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SafeVarargs
    private static void installOnce(Path directory, List<String>... commands) {
        StringBuilder wanted = new StringBuilder();
        files(directory.getFileName().toString())
                .forEach(file -> wanted.append(file.getFileName()).append('\n').append(read(file)));
        Path installed = directory.resolve("installed");
        if (Files.exists(installed) && read(installed).equals(wanted.toString())) {
            return;
        }
        for (List<String> command : commands) {
            install(command);
        }
        write(installed, wanted.toString());
    }

    private static void install(List<String> command) {
        ChildProcess.run(command, Map.of(), INSTALLATION);
    }

    private static void createDirectories(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
