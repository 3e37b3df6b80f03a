package io.watershed.gateway.fanout;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** An event loop that runs its tasks when told to. */
final class ManualLoop implements Executor {
    private final Deque<Runnable> tasks = new ArrayDeque<>();

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    int queued() {
        return tasks.size();
    }

    /** Runs one task, if there is one. */
    void runOne() {
        Runnable task = tasks.poll();
        if (task != null) {
            task.run();
        }
    }

    /** Runs tasks until there are none. */
    void runAll() {
        while (!tasks.isEmpty()) {
            runOne();
        }
    }
}
