package io.watershed.quickstart;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What was started on a data directory, as it is written there.
 *
 * @param processes by name, in the order of starting
 * @param keeper the quick start that stays until Ctrl-C, if one does
 */
record RunState(
        List<String> gateways,
        @Nullable String ingester,
        List<String> etcd,
        @Nullable String kafka,
        @Nullable String topic,
        Map<String, Started> processes,
        @Nullable Started keeper) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    /** Start times are read from the system in steps, and move a little when its clock is set. */
    private static final Duration SLACK = Duration.ofSeconds(5);

    static final RunState NOTHING = new RunState(List.of(), null, List.of(), null, null, Map.of(), null);

    /**
     * A process that was started; its number alone does not identify it, since numbers come again.
     *
     * @param startedAt milliseconds since the epoch, as the system tells
     * @param fingerprint of everything that it was started with
     */
    record Started(long pid, long startedAt, String fingerprint) {
        static Started of(ProcessHandle process, String fingerprint) {
            long startedAt = process.info().startInstant().orElse(Instant.EPOCH).toEpochMilli();
            return new Started(process.pid(), startedAt, fingerprint);
        }

        /** The process, if it is the one that was started and still lives. */
        Optional<ProcessHandle> alive() {
            return ProcessHandle.of(pid).filter(RunState::lives).filter(this::startedThen);
        }

        private boolean startedThen(ProcessHandle process) {
            return process.info()
                    .startInstant()
                    .map(instant -> Math.abs(instant.toEpochMilli() - startedAt) <= SLACK.toMillis())
                    .orElse(false);
        }
    }

    RunState {
        gateways = List.copyOf(gateways);
        etcd = List.copyOf(etcd);
        processes = new LinkedHashMap<>(processes);
    }

    static RunState read(Path file) throws Refusal {
        if (!Files.exists(file)) {
            return NOTHING;
        }
        try {
            return JSON.readValue(Files.readString(file), RunState.class);
        } catch (IOException | NullPointerException e) {
            throw Refusal.failure("The quick start's notes in " + file + " cannot be read: " + e.getMessage()
                    + "\nStop its processes by hand, and remove that file.");
        }
    }

    void write(Path file) throws IOException {
        DataDirectory.replace(file, json());
    }

    private String json() {
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("records of texts and numbers have a JSON form", e);
        }
    }

    /** Whether it still runs. One that nobody has buried yet (a zombie, as in a container without an init process) does not. */
    static boolean lives(ProcessHandle process) {
        if (!process.isAlive()) {
            return false;
        }
        try {
            String stat = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "stat"));
            // The state stands behind the name, which is in parentheses and may hold anything.
            return !stat.startsWith("Z", stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return process.isAlive();
        }
    }

    Optional<ProcessHandle> aliveKeeper() {
        return keeper == null ? Optional.empty() : keeper.alive();
    }

    /** The processes that live, by name, in the order of starting. */
    Map<String, ProcessHandle> alive() {
        Map<String, ProcessHandle> alive = new LinkedHashMap<>();
        processes.forEach((name, started) -> started.alive().ifPresent(process -> alive.put(name, process)));
        return alive;
    }

    /** What {@code status --json} prints. */
    String report(boolean ready) {
        Map<String, Object> pids = new LinkedHashMap<>();
        alive().forEach((name, process) -> pids.put(name, process.pid()));
        aliveKeeper().ifPresent(process -> pids.put("quickstart", process.pid()));
        Map<String, @Nullable Object> report = new LinkedHashMap<>();
        report.put("gateways", gateways);
        report.put("ingester", ingester);
        report.put("etcd", etcd);
        report.put("kafka", kafka);
        report.put("topic", topic);
        report.put("pids", pids);
        report.put("ready", ready);
        try {
            return JSON.writeValueAsString(report);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("maps of texts and numbers have a JSON form", e);
        }
    }
}
