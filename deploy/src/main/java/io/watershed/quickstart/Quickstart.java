package io.watershed.quickstart;

import io.watershed.config.LogConfiguration;
import io.watershed.log.kafka.TopicContract;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Starts everything on a data directory, and keeps it until Ctrl-C. */
final class Quickstart {
    private static final Duration LOOK = Duration.ofMillis(100);
    /** How long nobody at a terminal wonders what goes on. */
    private static final Duration QUIET = Duration.ofSeconds(5);

    private static final int SAID_AGAIN = 4;
    private static final Duration NUDGE = Duration.ofSeconds(2);
    /** With --detach nobody is there to end a wait that leads nowhere. */
    private static final Duration DETACHED_PATIENCE = Duration.ofMinutes(5);

    private final Request request;
    private final DataDirectory data;
    private final Screen screen;
    private final Http http = new Http();
    private final Ports ports;
    private final Warnings warnings;
    private final Map<String, RunState.Started> started = new LinkedHashMap<>();
    private final Map<String, String> said = new HashMap<>();
    private int repeats;
    private final Set<String> topicRefused = new HashSet<>();
    private final Set<String> launched = new HashSet<>();
    private final Map<String, ProcessSpec> specs = new LinkedHashMap<>();
    private final @Nullable EtcdServer ownEtcd;
    private final List<String> etcd;
    private volatile boolean stopping;
    private volatile boolean holds;
    private String topic = "";

    Quickstart(Request request, DataDirectory data, Screen screen) {
        this.request = request;
        this.data = data;
        this.screen = screen;
        this.ports = new Ports(request.portBase());
        this.warnings = new Warnings(screen);
        this.ownEtcd = request.etcd().isEmpty() ? new EtcdServer(Ports.url(ports.etcd()), http) : null;
        this.etcd = ownEtcd == null ? request.etcd() : List.of(Ports.url(ports.etcd()));
    }

    /** What runs, as far as this quick start knows; for the one that stops it. */
    synchronized RunState state() {
        List<String> gateways = new ArrayList<>();
        for (int i = 1; i <= request.gateways(); i++) {
            gateways.add(Ports.url(ports.gateway(i)));
        }
        RunState.Started keeper = request.detach() ? null : RunState.Started.of(ProcessHandle.current(), "");
        return new RunState(gateways, Ports.url(ports.ingester()), etcd, kafkaAddress(), topic, started, keeper);
    }

    /** Whether what runs on the directory is this quick start's to stop; not so when it was refused before it touched anything. */
    boolean holds() {
        return holds;
    }

    /** Whether it was told to end: what fails from then on is because of that. */
    boolean isStopping() {
        return stopping;
    }

    /** Ends the watching over the processes; called by the one that stops them, with what is to be stopped. */
    synchronized RunState stopWatching() {
        stopping = true;
        return state();
    }

    /**
     * Starts what does not run yet, waits until it is ready, and says what to try.
     *
     * @throws InterruptedException when it is told to stop meanwhile
     */
    void start(RunState before) throws Refusal, IOException, InterruptedException {
        long since = System.nanoTime();
        Installation installation = Installation.find();
        PassedSettings passed = WatershedProcesses.passed(request, System.getenv());
        topic = passed.get(LogConfiguration.TOPIC);
        WatershedProcesses processes = new WatershedProcesses(installation, data, ports, http, passed);
        KafkaBroker broker = new KafkaBroker(installation, data, ports);
        List<ProcessSpec> servers = new ArrayList<>();
        if (ownEtcd != null) {
            servers.add(EtcdServer.spec(data, ports, http));
        }
        if (request.kafka().isEmpty()) {
            servers.add(broker.spec());
        }
        List<ProcessSpec> ours = new ArrayList<>();
        ours.add(processes.ingester(etcd, kafkaAddress(), request.kafka().isEmpty()));
        for (int i = 1; i <= request.gateways(); i++) {
            ours.add(processes.gateway(i, kafkaAddress(), request.kafka().isEmpty()));
        }
        servers.forEach(spec -> specs.put(spec.name(), spec));
        ours.forEach(spec -> specs.put(spec.name(), spec));

        refuseToMove(before);
        refuseTakenPorts(before);
        adopt(before);
        screen.line("Watershed's quick start in " + data.path() + " (Java "
                + Runtime.version().feature() + ")");
        if (request.kafka().isEmpty() && !started.containsKey("kafka")) {
            broker.prepare();
        }
        launch(servers);
        await(servers);
        loadSample();
        // Before the gateways, which else would only say that the log is old, or not there yet.
        List<ProcessSpec> writer = List.of(ours.remove(0));
        launch(writer);
        await(writer);
        launch(ours);
        await(ours);
        DataDirectory.replace(data.kubeconfig(), Kubeconfig.text(state().gateways()));
        DataDirectory.replace(data.kafkaAddress(), kafkaAddress() + "\n");
        screen.line("Ready after " + Screen.seconds(Screen.since(since)) + ".");
        screen.line(Instructions.text(state(), data, ownEtcd != null));
    }

    private String kafkaAddress() {
        return request.kafka().isEmpty() ? Ports.HOST + ":" + ports.kafka() : request.kafka();
    }

    /** Whoever names other ports may mean another quick start: what serves is not taken from its clients for that. */
    private void refuseToMove(RunState before) throws Refusal {
        String ingester = Ports.url(ports.ingester());
        if (!before.alive().isEmpty()
                && before.ingester() != null
                && !before.ingester().equals(ingester)) {
            throw Refusal.failure("What runs on " + data.path() + " has other ports (ingester " + before.ingester()
                    + ", not " + ingester + ").\nTo move it, stop it first: bin/quickstart stop" + request.dataOption()
                    + ". To have another one beside it: --data DIR.");
        }
    }

    /** Keeps what runs already with the same command line and configuration, and stops the rest of an earlier start. */
    private void adopt(RunState before) throws IOException {
        holds = true;
        Map<String, ProcessHandle> others = new LinkedHashMap<>();
        List<String> changed = new ArrayList<>();
        List<String> unasked = new ArrayList<>();
        before.alive().forEach((name, process) -> {
            ProcessSpec spec = specs.get(name);
            RunState.Started earlier = before.processes().get(name);
            if (spec != null && earlier != null && spec.fingerprint().equals(earlier.fingerprint())) {
                remember(name, earlier);
            } else {
                others.put(name, process);
                (spec == null ? unasked : changed).add(name);
            }
        });
        if (!others.isEmpty()) {
            if (!changed.isEmpty()) {
                screen.line("Stopping what starts again with other options: " + String.join(", ", changed));
            }
            if (!unasked.isEmpty()) {
                screen.line("Stopping what is not asked for any more: " + String.join(", ", unasked));
            }
            new Shutdown(screen).stop(others);
        }
        state().write(data.state());
    }

    private synchronized void remember(String name, RunState.Started process) {
        started.put(name, process);
    }

    private void refuseTakenPorts(RunState before) throws Refusal, IOException {
        Set<String> ours = before.alive().keySet();
        List<String> taken = new ArrayList<>();
        for (ProcessSpec spec : specs.values()) {
            for (int port : ours.contains(spec.name()) ? List.<Integer>of() : spec.ports()) {
                if (Ports.isTaken(port)) {
                    taken.add(port + " (for " + spec.title() + ")");
                }
            }
        }
        if (!taken.isEmpty()) {
            throw Refusal.failure("Another program listens on port " + String.join(", ", taken)
                    + ".\nStop it, or let all ports follow from another number: --port-base N. See --help.");
        }
    }

    private void launch(List<ProcessSpec> group) throws IOException {
        for (ProcessSpec spec : group) {
            Path log = data.rotatedLog(spec.name());
            warnings.follow(spec.name(), log);
            if (started.containsKey(spec.name())) {
                continue;
            }
            launch(spec, log);
            state().write(data.state());
        }
    }

    /** In one step for the one that stops: what it does not find written down was not started, and is not started any more. */
    private synchronized void launch(ProcessSpec spec, Path log) throws IOException {
        if (!stopping) {
            Process process = spec.start(log);
            launched.add(spec.name());
            remember(spec.name(), RunState.Started.of(process.toHandle(), spec.fingerprint()));
        }
    }

    private void await(List<ProcessSpec> group) throws Refusal, IOException, InterruptedException {
        long since = System.nanoTime();
        Duration nextWord = QUIET;
        Duration nextNudge = NUDGE;
        List<ProcessSpec> waiting = new ArrayList<>(group);
        while (!waiting.isEmpty()) {
            Map<String, String> reasons = new LinkedHashMap<>();
            for (ProcessSpec spec : List.copyOf(waiting)) {
                goOn();
                requireAlive(spec);
                String reason = spec.probe().reasonNotReady();
                if (reason.isEmpty()) {
                    waiting.remove(spec);
                    screen.line(String.format(
                            "  %-12s %-24s %s",
                            spec.title(),
                            spec.address(),
                            launched.contains(spec.name())
                                    ? "ready after " + Screen.seconds(Screen.since(since))
                                    : "runs already"));
                } else {
                    reasons.put(spec.title(), reason);
                    refuseTopic(spec.title(), reason);
                }
            }
            warnings.show();
            if (waiting.isEmpty()) {
                goOn();
                return;
            }
            if (Screen.since(since).compareTo(nextWord) > 0) {
                nextWord = nextWord.plus(QUIET);
                reasons.forEach(this::sayOnce);
            }
            if (Screen.since(since).compareTo(nextNudge) > 0) {
                nextNudge = nextNudge.plus(NUDGE);
                nudge();
            }
            if (request.detach() && Screen.since(since).compareTo(DETACHED_PATIENCE) > 0) {
                throw Refusal.failure("Not ready after " + Screen.seconds(DETACHED_PATIENCE) + ": " + reasons
                        + "\nThe logs are in " + data.shown(data.path().resolve("logs")) + ".");
            }
            TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
        }
    }

    /** Waiting repairs no topic. A broker of our own has to run for the repair, so only with yours there is nothing to wait for. */
    private void refuseTopic(String title, String reason) throws Refusal {
        if (!reason.contains(TopicContract.REFUSAL)) {
            return;
        }
        if (!request.kafka().isEmpty()) {
            throw Refusal.failure("The " + title + " refuses the topic: " + reason + "\nThen start again.");
        }
        if (topicRefused.add(reason)) {
            screen.line("  " + title + ": " + reason + "\n  It goes on by itself when that is done.");
        }
    }

    /** The same reason is said once in a while only. */
    private void sayOnce(String title, String reason) {
        boolean again = reason.equals(said.get(title)) && ++repeats % SAID_AGAIN != 0;
        said.put(title, reason);
        if (!again) {
            screen.line("  waiting for " + title + ": " + reason);
        }
    }

    /** An ingester that lists again waits for one more write, which on an idle etcd of our own nobody else would make. */
    private void nudge() {
        if (ownEtcd != null && !stopping && started.containsKey("ingester")) {
            try {
                ownEtcd.nudge();
            } catch (IOException e) {
                screen.line("  etcd does not take a write: " + e.getMessage());
            }
        }
    }

    /** Asked before anything is said of a process that has ended: it may have been the one that stops them. */
    private void goOn() throws InterruptedException {
        if (stopping) {
            throw new InterruptedException("told to stop");
        }
    }

    private void requireAlive(ProcessSpec spec) throws Refusal, IOException, InterruptedException {
        RunState.Started process = started.get(spec.name());
        if (process == null || process.alive().isEmpty()) {
            goOn();
            warnings.show();
            throw Refusal.failure(spec.title() + " ended at once. The end of " + data.shown(data.log(spec.name()))
                    + ":\n" + Warnings.tail(data.log(spec.name()), 15));
        }
    }

    private void loadSample() throws IOException {
        if (request.sample() && ownEtcd != null) {
            int count = Sample.load(ownEtcd, data);
            if (count > 0) {
                screen.line("  loaded " + count + " sample objects into etcd");
            }
        }
    }

    /** Shows what warns, and says when a process ends, until the JVM is told to stop. */
    void stay() throws IOException, InterruptedException {
        Map<String, RunState.Started> watched = new LinkedHashMap<>(started);
        long lastLook = System.nanoTime();
        while (!stopping) {
            warnings.show();
            for (Map.Entry<String, RunState.Started> entry : Map.copyOf(watched).entrySet()) {
                if (entry.getValue().alive().isEmpty() && !stopping) {
                    String name = entry.getKey();
                    watched.remove(name);
                    screen.line("  " + name + " has ended; its log is " + data.shown(data.log(name))
                            + ". To start it again: Ctrl-C, then the same command.");
                }
            }
            if (Screen.since(lastLook).compareTo(QUIET) > 0) {
                lastLook = System.nanoTime();
                ProcessSpec ingester = specs.get("ingester");
                if (ingester != null
                        && watched.containsKey("etcd")
                        && !ingester.probe().reasonNotReady().isEmpty()) {
                    nudge();
                }
            }
            TimeUnit.NANOSECONDS.sleep(5 * LOOK.toNanos());
        }
    }
}
