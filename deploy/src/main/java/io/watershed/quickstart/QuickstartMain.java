package io.watershed.quickstart;

import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** The entry of the quick start: {@code bin/quickstart --help} says what it understands. */
public final class QuickstartMain {
    private final Request request;
    private final DataDirectory data;
    private final Screen screen;

    private QuickstartMain(Request request) {
        this.request = request;
        this.data = new DataDirectory(request.data());
        this.screen = new Screen(System.out);
    }

    public static void main(String[] arguments) {
        int exitCode;
        try {
            exitCode = new QuickstartMain(Request.parse(List.of(arguments))).run();
        } catch (Refusal e) {
            System.err.println(e.getMessage());
            exitCode = e.exitCode();
        } catch (IOException e) {
            System.err.println("The quick start failed: " + Refusal.reason(e));
            exitCode = Refusal.FAILURE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            exitCode = Refusal.FAILURE;
        }
        System.exit(exitCode);
    }

    private int run() throws Refusal, IOException, InterruptedException {
        return switch (request.command()) {
            case STATUS -> status();
            case STOP -> stop();
            case START -> start();
        };
    }

    private int start() throws Refusal, IOException, InterruptedException {
        data.create();
        FileLock lock = requireLock();
        RunState before = RunState.read(data.state());
        Quickstart quickstart = new Quickstart(request, data, screen);
        AtomicBoolean leave = new AtomicBoolean();
        Thread hook = new Thread(() -> stopStarted(quickstart, leave), "stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            quickstart.start(before);
        } catch (Refusal e) {
            // Said before the hook says what it stops.
            System.err.println(e.getMessage());
            return e.exitCode();
        } catch (IOException e) {
            if (quickstart.isStopping()) {
                return Refusal.FAILURE;
            }
            throw e;
        }
        if (request.detach()) {
            leave.set(true);
            screen.line(
                    "It runs on. bin/quickstart status and bin/quickstart stop" + request.dataOption() + " know it.");
            lock.close();
            return 0;
        }
        screen.line("Warnings of the logs follow; Ctrl-C stops everything.");
        quickstart.stay();
        return 0;
    }

    private void stopStarted(Quickstart quickstart, AtomicBoolean leave) {
        if (leave.get()) {
            return;
        }
        RunState state = quickstart.stopWatching();
        if (!quickstart.holds()) {
            return;
        }
        if (!state.alive().isEmpty()) {
            screen.line("Stopping:");
            new Shutdown(screen).stop(state.alive());
        }
        try {
            RunState.NOTHING.write(data.state());
        } catch (IOException e) {
            screen.line("The notes in " + data.state() + " cannot be written: " + Refusal.reason(e));
        }
    }

    private FileLock requireLock() throws Refusal, IOException {
        FileLock lock = data.tryLock();
        if (lock == null) {
            throw Refusal.failure("A quick start runs on " + data.path() + " already"
                    + RunState.read(data.state())
                            .aliveKeeper()
                            .map(keeper -> " (process " + keeper.pid() + ")")
                            .orElse("")
                    + ".\nStop it with Ctrl-C or bin/quickstart stop" + request.dataOption()
                    + ", or name another --data DIR.");
        }
        return lock;
    }

    private int status() throws Refusal {
        RunState state = RunState.read(data.state());
        Map<String, ProcessHandle> alive = state.alive();
        Http http = new Http();
        boolean ready =
                !alive.isEmpty() && alive.keySet().containsAll(state.processes().keySet());
        StringBuilder text = new StringBuilder();
        for (String name : state.processes().keySet()) {
            String url = name.startsWith("gateway-")
                    ? state.gateways().get(Integer.parseInt(name.substring(8)) - 1)
                    : name.equals("ingester") ? state.ingester() : null;
            ProcessHandle process = alive.get(name);
            String reason = process == null ? "has ended" : url == null ? "" : http.reasonNotReady(url);
            ready &= reason.isEmpty();
            text.append(String.format("  %-10s", name))
                    .append(process == null ? "" : " process " + process.pid())
                    .append(reason.isEmpty() ? ": ready" : ": " + reason)
                    .append('\n');
        }
        if (request.json()) {
            screen.line(state.report(ready));
        } else if (state.processes().isEmpty()) {
            screen.line("Nothing runs on " + data.path() + ".");
        } else {
            screen.line(text + "It is "
                    + (ready
                            ? "ready."
                            : "not ready; the logs are in "
                                    + data.shown(data.path().resolve("logs")) + "."));
        }
        return 0;
    }

    private int stop() throws Refusal, IOException, InterruptedException {
        if (!Files.isDirectory(data.path())) {
            screen.line("Nothing runs on " + data.path() + ".");
            return 0;
        }
        RunState state = RunState.read(data.state());

        var keeper = state.aliveKeeper();
        if (keeper.isPresent()) {
            screen.line("Telling the quick start (process " + keeper.get().pid() + ") to stop everything.");
            keeper.get().destroy();
            keeper.get().onExit().join();
        }
        FileLock lock = data.tryLock();
        if (lock == null) {
            throw Refusal.failure(
                    "A quick start is about to start or stop something on " + data.path() + ". Try again in a moment.");
        }
        Map<String, ProcessHandle> alive = RunState.read(data.state()).alive();
        if (alive.isEmpty()) {
            screen.line(keeper.isPresent() ? "All stopped." : "Nothing runs on " + data.path() + ".");
        } else {
            new Shutdown(screen).stop(alive);
        }
        RunState.NOTHING.write(data.state());
        return 0;
    }
}
