package io.watershed.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A real process, its output in a file that failures quote.
 *
 * <p><em>Threads:</em> the test's.
 */
public final class ChildProcess implements AutoCloseable {
    /** How long anything may take before a test fails: generous, since nothing here measures time. */
    public static final Duration DEADLINE = Duration.ofSeconds(90);

    private static final Set<Process> STARTED = ConcurrentHashMap.newKeySet();

    static {
        // A test run that is broken off leaves no server behind.
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> STARTED.forEach(Process::destroyForcibly), "kill-child-processes"));
    }

    private final String name;
    private final Process process;
    private final Path output;

    private ChildProcess(String name, Process process, Path output) {
        this.name = name;
        this.process = process;
        this.output = output;
    }

    /** Starts a command; its output is appended to {@code output}. */
    public static ChildProcess start(String name, List<String> command, Map<String, String> environment, Path output) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            STARTED.add(process);
            return new ChildProcess(name, process, output);
        } catch (IOException e) {
            throw new UncheckedIOException("can't start " + name + ": " + command, e);
        }
    }

    /** Runs a command to its end and returns its output; fails when it fails. */
    public static String run(List<String> command, Map<String, String> environment) {
        return run(command, environment, DEADLINE);
    }

    /** The same for a command that may take longer, as a compiler. */
    public static String run(List<String> command, Map<String, String> environment, Duration deadline) {
        try {
            Path output = Files.createTempFile("watershed-run", ".out");
            try (ChildProcess child = start(command.get(0), command, environment, output)) {
                int exit = child.awaitExit(deadline);
                String text = child.output();
                if (exit != 0) {
                    throw new AssertionError(command + " ended with " + exit + ":\n" + text);
                }
                return text;
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public String output() {
        try {
            return new String(Files.readAllBytes(output), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for a condition; fails early when the process ends before it holds. */
    public void await(String what, Callable<Boolean> condition) {
        try {
            Awaitility.await(what).atMost(DEADLINE).ignoreExceptions().until(() -> !isAlive() || condition.call());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(name + ": waited in vain for " + what + "\n" + tail(), e);
        }
        if (!isAlive()) {
            throw new AssertionError(name + " ended before " + what + "\n" + tail());
        }
    }

    public int awaitExit() {
        return awaitExit(DEADLINE);
    }

    private int awaitExit(Duration deadline) {
        try {
            if (!process.waitFor(deadline.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError(name + " does not end\n" + tail());
            }
            STARTED.remove(process);
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + name, e);
        }
    }

    /** SIGTERM; returns the exit code. */
    public int terminate() {
        process.destroy();
        return awaitExit();
    }

    /** SIGKILL. */
    public void kill() {
        process.destroyForcibly();
        awaitExit();
    }

    /** Any signal by its name, as {@code STOP} and {@code CONT}. */
    public void signal(String signal) {
        run(List.of("kill", "-" + signal, Long.toString(pid())), Map.of());
    }

    private String tail() {
        String text = output();
        return text.substring(Math.max(0, text.length() - 4000));
    }

    @Override
    public void close() {
        if (isAlive()) {
            process.destroy();
            try {
                if (!process.waitFor(10, TimeUnit.SECONDS)) {
                    kill();
                }
                STARTED.remove(process);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                process.destroyForcibly();
            }
        }
    }
}
