package io.watershed.gateway.represent;

import static io.watershed.gateway.represent.Cells.NONE;
import static io.watershed.gateway.represent.Cells.isTrue;
import static io.watershed.gateway.represent.Cells.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a Table shows of a pod: how its containers together look, and how often they were restarted. Follows the order in which
 * kube-apiserver looks at the statuses, since the last word counts.
 */
final class PodRow {
    private final JsonNode pod;
    private final JsonNode status;
    private String reason;
    private int total;
    private int ready;
    private boolean initializing;
    private long restarts;
    private @Nullable Instant restarted;
    private long sidecarRestarts;
    private @Nullable Instant sidecarRestarted;

    private PodRow(JsonNode pod) {
        this.pod = pod;
        this.status = pod.path("status");
        this.reason = text(status, "phase");
        this.total = pod.path("spec").path("containers").size();
        read();
    }

    static Printer printer() {
        return Printer.named()
                .text("Ready", (pod, now) -> of(pod).readiness())
                .text("Status", (pod, now) -> of(pod).reason)
                .text("Restarts", (pod, now) -> of(pod).restarts(now))
                .age()
                .wide()
                .text("IP", Cells.text("/status/podIPs/0/ip", NONE))
                .text("Node", Cells.text("/spec/nodeName", NONE))
                .text("Nominated Node", Cells.text("/status/nominatedNodeName", NONE))
                .text("Readiness Gates", (pod, now) -> readinessGates(pod))
                .conditions(PodRow::conditions)
                .build();
    }

    private static PodRow of(JsonNode pod) {
        return new PodRow(pod);
    }

    private void read() {
        String given = text(status, "reason");
        if (!given.isEmpty()) {
            reason = given;
        }
        if (text(Cells.condition(pod, "PodScheduled"), "reason").equals("SchedulingGated")) {
            reason = "SchedulingGated";
        }
        initContainers();
        if (!initializing || isTrue(pod, "Initialized")) {
            containers();
        }
        if (Cells.isBeingDeleted(pod)) {
            String phase = text(status, "phase");
            if (given.equals("NodeLost")) {
                reason = "Unknown";
            } else if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
                reason = "Terminating";
            }
        }
    }

    /** Whether an init container goes on running beside the others. */
    private boolean isSidecar(String name) {
        for (JsonNode container : pod.path("spec").path("initContainers")) {
            if (text(container, "name").equals(name)) {
                return isRestartable(container);
            }
        }
        return false;
    }

    private static boolean isRestartable(JsonNode container) {
        return text(container, "restartPolicy").equals("Always");
    }

    private void initContainers() {
        JsonNode specified = pod.path("spec").path("initContainers");
        for (JsonNode container : specified) {
            if (isRestartable(container)) {
                total++;
            }
        }
        int index = 0;
        for (JsonNode container : status.path("initContainerStatuses")) {
            boolean sidecar = isSidecar(text(container, "name"));
            long count = container.path("restartCount").asLong();
            Instant last = lastFinish(container);
            restarts += count;
            restarted = later(restarted, last);
            if (sidecar) {
                sidecarRestarts += count;
                sidecarRestarted = later(sidecarRestarted, last);
            }
            if (!isInitialized(container, sidecar)) {
                initializing = true;
                reason = "Init:" + initReason(container.path("state"), index + "/" + specified.size());
                return;
            }
            index++;
        }
    }

    private boolean isInitialized(JsonNode container, boolean sidecar) {
        JsonNode terminated = container.path("state").path("terminated");
        if (terminated.isObject() && terminated.path("exitCode").asInt() == 0) {
            return true;
        }
        if (!sidecar || !container.path("started").asBoolean()) {
            return false;
        }
        if (container.path("ready").asBoolean()) {
            ready++;
        }
        return true;
    }

    private static String initReason(JsonNode state, String progress) {
        if (state.path("terminated").isObject()) {
            return terminationReason(state.path("terminated"));
        }
        String waiting = text(state.path("waiting"), "reason");
        return waiting.isEmpty() || waiting.equals("PodInitializing") ? progress : waiting;
    }

    private static String terminationReason(JsonNode terminated) {
        String given = text(terminated, "reason");
        int signal = terminated.path("signal").asInt();
        if (!given.isEmpty()) {
            return given;
        }
        return signal != 0
                ? "Signal:" + signal
                : "ExitCode:" + terminated.path("exitCode").asInt();
    }

    private void containers() {
        restarts = sidecarRestarts;
        restarted = sidecarRestarted;
        boolean running = false;
        String error = "";
        JsonNode statuses = status.path("containerStatuses");
        for (int i = statuses.size() - 1; i >= 0; i--) {
            JsonNode container = statuses.get(i);
            restarts += container.path("restartCount").asLong();
            restarted = later(restarted, lastFinish(container));
            JsonNode state = container.path("state");
            String waiting = text(state.path("waiting"), "reason");
            if (!waiting.isEmpty()) {
                reason = waiting;
            } else if (state.path("terminated").isObject()) {
                reason = terminationReason(state.path("terminated"));
                if (state.path("terminated").path("exitCode").asInt() != 0) {
                    error = reason;
                }
            } else if (container.path("ready").asBoolean()
                    && state.path("running").isObject()) {
                running = true;
                ready++;
            }
        }
        if (reason.equals("Completed")) {
            reason = completed(running, error);
        }
    }

    /** The first container has ended well: that says little as long as others run or have failed. */
    private String completed(boolean running, String error) {
        if (running && isTrue(pod, "Ready")) {
            return "Running";
        }
        if (!error.isEmpty()) {
            return error;
        }
        return running ? "NotReady" : "Completed";
    }

    private static @Nullable Instant lastFinish(JsonNode container) {
        return Age.parse(text(container.path("lastState").path("terminated"), "finishedAt"));
    }

    private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
        return one == null || (other != null && other.isAfter(one)) ? other : one;
    }

    private String readiness() {
        return ready + "/" + total;
    }

    private String restarts(Instant now) {
        return restarts == 0 || restarted == null
                ? Long.toString(restarts)
                : restarts + " (" + Age.of(Duration.between(restarted, now)) + " ago)";
    }

    private static String readinessGates(JsonNode pod) {
        JsonNode gates = pod.path("spec").path("readinessGates");
        int open = 0;
        for (JsonNode gate : gates) {
            open += isTrue(pod, text(gate, "conditionType")) ? 1 : 0;
        }
        return gates.isEmpty() ? NONE : open + "/" + gates.size();
    }

    /** By them clients know pods that are over. */
    private static @Nullable String conditions(JsonNode pod) {
        return switch (text(pod.path("status"), "phase")) {
            case "Succeeded" -> completion("Succeeded", "The pod has completed successfully.");
            case "Failed" -> completion("Failed", "The pod failed.");
            default -> null;
        };
    }

    private static String completion(String reason, String message) {
        return "[{\"type\":\"Completed\",\"status\":\"True\",\"reason\":\"" + reason + "\",\"message\":\"" + message
                + "\"}]";
    }
}
