package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.testkit.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the commands of README.md, on other ports and in another directory, and compares what it shows of their output. */
class ReadmeST {
    @TempDir
    Path directory;

    /** @param shown the lines that the README has below it */
    private record Command(String text, List<String> shown) {}

    @Test
    void commandsDoWhatTheReadmeShows() throws IOException {
        List<Command> open = commands(Files.readString(QuickstartRun.ROOT.resolve("README.md")));
        Command start = take(open, "bin/quickstart");
        try (QuickstartRun quickstart = new QuickstartRun(directory.resolve(".watershed"));
                ChildProcess foreground =
                        shell(quickstart, start.text() + " --port-base " + quickstart.portBase(), "quickstart")) {
            foreground.await("its last line", () -> foreground.output().contains("Ctrl-C stops everything"));
            assertShows(start.shown(), foreground.output());

            Command watch = take(open, "curl -sN ");
            Command put = take(open, "etcdctl ");
            try (ChildProcess curl = shell(quickstart, watch.text().replaceFirst(" &$", ""), "curl")) {
                curl.await("the sample", () -> curl.output().contains("greeting"));
                String written = runToEnd(quickstart, put.text(), "etcdctl");
                curl.await("what was written", () -> curl.output().contains("\"colour\":\"blue\""));
                assertShows(watch.shown(), curl.output());
                assertShows(put.shown(), written + curl.output());
            }

            Command consume = take(open, "bin/kafka console-consumer ");
            try (ChildProcess consumer = shell(quickstart, consume.text(), "consumer")) {
                consumer.await("what was written", () -> consumer.output().contains("\"colour\":\"blue\"}}"));
                assertShows(consume.shown(), consumer.output());
            }
            for (String module : List.of("ingester", "watch-gateway")) {
                String help = runToEnd(
                        quickstart, take(open, "java -cp '" + module + "/").text(), module);
                assertThat(help).contains("--kafka-topic-name");
            }
            // Its addresses are somebody's own.
            take(open, "bin/quickstart --etcd ");

            assertThat(open).as("commands of the README that nothing here runs").isEmpty();
            foreground.signal("TERM");
            foreground.awaitExit();
        }
    }

    private static List<Command> commands(String readme) {
        List<Command> commands = new ArrayList<>();
        boolean inside = false;
        for (String line : readme.lines().toList()) {
            if (line.startsWith("```")) {
                inside = line.equals("```console");
            } else if (inside && line.startsWith("$ ")) {
                commands.add(new Command(line.substring(2), new ArrayList<>()));
            } else if (inside && !line.equals("…")) {
                commands.get(commands.size() - 1).shown().add(line);
            }
        }
        return commands;
    }

    /** @param start a whole command, or its first words with a space or a slash behind them */
    private static Command take(List<Command> commands, String start) {
        boolean prefix = start.endsWith(" ") || start.endsWith("/");
        for (Command command : commands) {
            if (prefix ? command.text().startsWith(start) : command.text().equals(start)) {
                commands.remove(command);
                return command;
            }
        }
        throw new AssertionError("the README has no command that starts with " + start);
    }

    private ChildProcess shell(QuickstartRun quickstart, String command, String name) {
        String here = command.replaceAll("(^|[ ':])(bin|ingester|watch-gateway)/", "$1" + QuickstartRun.ROOT + "/$2/")
                .replace("8080", String.valueOf(quickstart.portBase()))
                .replace("8100", String.valueOf(quickstart.portBase() + 20));
        return ChildProcess.start(
                name,
                List.of("bash", "-c", "cd '" + directory + "' && exec " + here),
                Map.of("QUICKSTART_BUILD", "no"),
                directory.resolve(name + ".output"));
    }

    private String runToEnd(QuickstartRun quickstart, String command, String name) {
        try (ChildProcess child = shell(quickstart, command, name)) {
            child.awaitExit();
            return child.output();
        }
    }

    /** Every shown line is there, but for numbers, ports, times and random digits, which differ from run to run. */
    private void assertShows(List<String> expected, String actual) {
        List<String> lines = actual.lines().map(this::normal).toList();
        assertThat(expected).isNotEmpty().allSatisfy(line -> assertThat(lines).contains(normal(line)));
    }

    private String normal(String line) {
        return line.strip()
                .replace(directory.toString(), "~")
                .replaceAll("\\b[0-9a-f]{8,16}\\b", "#")
                .replaceAll("[0-9]+", "#")
                .replaceAll("[ ]+", " ");
    }
}
