package io.watershed.gateway.represent;

import static io.watershed.gateway.represent.Cells.NONE;
import static io.watershed.gateway.represent.Cells.UNSET;
import static io.watershed.gateway.represent.Cells.orElse;
import static io.watershed.gateway.represent.Cells.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Group lifecycle.k8s.io: who wants a pod gone, and how far that is. */
final class EvictionPrinters {
    private static final Set<String> DONE = Set.of("Canceled", "Interrupted", "Completed");
    private static final String UNKNOWN = "<unknown>";

    private EvictionPrinters() {}

    static void addTo(Map<String, Printer> printers) {
        printers.put(
                "evictionrequests.lifecycle.k8s.io",
                targeted()
                        .text("Requester", text("/spec/requester"))
                        .text("Intent", text("/spec/intent"))
                        .age()
                        .build());
        printers.put(
                "evictions.lifecycle.k8s.io",
                targeted()
                        .text("Active Responder", (eviction, now) -> responder(eviction))
                        .text("Responder Status", EvictionPrinters::responderStatus)
                        .text("Responder Expected Finish", EvictionPrinters::expectedFinish)
                        .text("Requesters", (eviction, now) -> requesters(eviction))
                        .age()
                        .wide()
                        .text("Responder Heartbeat", (eviction, now) -> {
                            String time = text(entry(eviction), "heartbeatTime");
                            return time.isEmpty() ? UNSET : Age.since(time, now) + " ago";
                        })
                        .text(
                                "Responder Status Message",
                                (eviction, now) ->
                                        orElse(text(entry(eviction), "message").strip(), UNSET))
                        .build());
    }

    private static Printer.Builder targeted() {
        return Printer.named()
                .text("Target", (object, now) -> {
                    JsonNode pod = object.path("spec").path("target").path("pod");
                    return pod.isObject() ? text(pod, "name") : UNSET;
                })
                .text(
                        "Target Type",
                        (object, now) ->
                                object.path("spec").path("target").path("pod").isObject() ? "Pod" : UNSET)
                .text("Status", (object, now) -> status(object));
    }

    private static String status(JsonNode object) {
        for (String type : List.of("TargetEvicted", "Failed")) {
            JsonNode condition = Cells.condition(object, type);
            if (text(condition, "status").equals("True")) {
                return type + " (" + text(condition, "reason") + ")";
            }
        }
        return object.path("status").path("observedGeneration").asLong() > 0 ? "Progressing" : "Pending";
    }

    /** The last active one of those who respond, else the last that is done; a missing node if none has begun. */
    private static JsonNode active(JsonNode eviction) {
        JsonNode done = Cells.condition(eviction, "");
        JsonNode active = done;
        for (JsonNode responder : eviction.path("status").path("targetResponders")) {
            String state = text(responder, "state");
            if (state.equals("Active")) {
                active = responder;
            } else if (DONE.contains(state)) {
                done = responder;
            }
        }
        return active.isMissingNode() ? done : active;
    }

    /** What the active responder says of itself; a missing node if it has said nothing. */
    private static JsonNode entry(JsonNode eviction) {
        String name = text(active(eviction), "name");
        for (JsonNode responder : eviction.path("status").path("responders")) {
            if (text(responder, "name").equals(name)) {
                return responder;
            }
        }
        return eviction.path("");
    }

    private static String responder(JsonNode eviction) {
        int begun = 0;
        JsonNode all = eviction.path("status").path("targetResponders");
        for (JsonNode responder : all) {
            String state = text(responder, "state");
            begun += DONE.contains(state) || state.equals("Active") ? 1 : 0;
        }
        return orElse(text(active(eviction), "name"), UNSET) + " (" + begun + "/" + all.size() + ")";
    }

    private static Object responderStatus(JsonNode eviction, Instant now) {
        JsonNode entry = entry(eviction);
        String state = text(active(eviction), "state");
        if (entry.isMissingNode()) {
            return UNSET;
        }
        String started = text(entry, "startTime");
        String completed = text(entry, "completionTime");
        if (state.equals("Active") && !started.isEmpty()) {
            return "Started (" + Age.since(started, now) + " ago)";
        }
        if (state.equals("Completed") && !completed.isEmpty()) {
            return "Completed (" + Age.since(completed, now) + " ago)";
        }
        return state;
    }

    private static Object expectedFinish(JsonNode eviction, Instant now) {
        JsonNode entry = entry(eviction);
        if (entry.isMissingNode()) {
            return UNKNOWN;
        }
        String state = text(active(eviction), "state");
        Instant expected = Age.parse(text(entry, "expectedCompletionTime"));
        if (state.equals("Active") && expected != null) {
            return expected.isAfter(now)
                    ? "in " + Age.of(Duration.between(now, expected))
                    : Age.of(Duration.between(expected, now)) + " ago";
        }
        return DONE.contains(state) ? "-" : UNKNOWN;
    }

    private static String requesters(JsonNode eviction) {
        List<String> names = new ArrayList<>();
        JsonNode all = eviction.path("status").path("requesters");
        for (JsonNode requester : all) {
            if (!text(requester, "intent").equals("Withdrawn")) {
                names.add(text(requester, "name"));
            }
        }
        Collections.sort(names);
        if (names.isEmpty()) {
            return all.isEmpty() ? NONE : "<withdrawn>";
        }
        return Cells.firstOf(names, 1, ",");
    }
}
