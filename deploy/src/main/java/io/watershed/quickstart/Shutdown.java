package io.watershed.quickstart;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Stops processes against the data path: first what serves, last what holds the data. */
final class Shutdown {
    private static final Duration PATIENCE = Duration.ofSeconds(25);
    private static final long LOOK_MILLIS = 20;
    private static final List<String> ORDER = List.of("gateway", "ingester", "kafka", "etcd");

    private final Screen screen;

    Shutdown(Screen screen) {
        this.screen = screen;
    }

    void stop(Map<String, ProcessHandle> processes) {
        for (String kind : ORDER) {
            List<Map.Entry<String, ProcessHandle>> group = new ArrayList<>();
            for (Map.Entry<String, ProcessHandle> entry : processes.entrySet()) {
                if (entry.getKey().startsWith(kind) && RunState.lives(entry.getValue())) {
                    group.add(entry);
                }
            }
            long since = System.nanoTime();
            group.forEach(entry -> entry.getValue().destroy());
            group.forEach(entry -> await(entry.getKey(), entry.getValue(), since));
        }
    }

    private void await(String name, ProcessHandle process, long since) {
        if (ends(process, PATIENCE.minus(Screen.since(since)))) {
            screen.line("  " + name + " stopped (" + Screen.seconds(Screen.since(since)) + ")");
            return;
        }
        screen.line("  " + name + " did not stop within " + Screen.seconds(PATIENCE) + ": killing it");
        process.destroyForcibly();
        if (!ends(process, PATIENCE)) {
            screen.line("  " + name + " cannot be killed: process " + process.pid() + " is left");
        }
    }

    /** By looking: they are not all children of this process, and for others the JDK looks only now and then. */
    private static boolean ends(ProcessHandle process, Duration atMost) {
        long since = System.nanoTime();
        while (RunState.lives(process)) {
            if (Screen.since(since).compareTo(atMost) > 0) {
                return false;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }
}
