package io.watershed.gateway.represent;

import static io.watershed.gateway.represent.Cells.NONE;
import static io.watershed.gateway.represent.Cells.UNSET;
import static io.watershed.gateway.represent.Cells.count;
import static io.watershed.gateway.represent.Cells.isTrue;
import static io.watershed.gateway.represent.Cells.labels;
import static io.watershed.gateway.represent.Cells.number;
import static io.watershed.gateway.represent.Cells.selector;
import static io.watershed.gateway.represent.Cells.since;
import static io.watershed.gateway.represent.Cells.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** What makes pods, and keeps them: apps, batch, autoscaling, policy. */
final class WorkloadPrinters {
    private static final String TEMPLATE = "/spec/template/spec";

    /** What a job is said to be, by the first of its conditions that holds; the place of its deletion is between. */
    private static final List<String> JOB_ENDS = List.of("Complete", "Failed");

    private static final List<String> JOB_STATES = List.of("Suspended", "FailureTarget", "SuccessCriteriaMet");

    private WorkloadPrinters() {}

    static void addTo(Map<String, Printer> printers) {
        printers.put("replicationcontrollers", replicas(labels("/spec/selector")));
        printers.put("replicasets.apps", replicas(selector("/spec/selector")));
        printers.put("deployments.apps", deployments());
        printers.put(
                "statefulsets.apps",
                Printer.named()
                        .text("Ready", (set, now) -> readiness(set))
                        .age()
                        .wide()
                        .containers(TEMPLATE)
                        .build());
        printers.put("daemonsets.apps", daemonSets());
        printers.put(
                "controllerrevisions.apps",
                Printer.named()
                        .text("Controller", (revision, now) -> controller(revision))
                        .text("Revision", number("/revision"))
                        .age()
                        .build());
        printers.put("jobs.batch", jobs());
        printers.put("cronjobs.batch", cronJobs());
        printers.put("horizontalpodautoscalers.autoscaling", AutoscalerCells.printer());
        printers.put(
                "poddisruptionbudgets.policy",
                Printer.named()
                        .text("Min Available", text("/spec/minAvailable", "N/A"))
                        .text("Max Unavailable", text("/spec/maxUnavailable", "N/A"))
                        .integer("Allowed Disruptions", number("/status/disruptionsAllowed"))
                        .age()
                        .build());
        printers.put(
                BuiltInPrinters.SCALE,
                Printer.empty()
                        .text("Name", text("/metadata/name"))
                        .integer("Desired", number("/spec/replicas"))
                        .integer("Available", number("/status/replicas"))
                        .age()
                        .build());
    }

    private static Printer replicas(Cell selector) {
        return Printer.named()
                .integer("Desired", number("/spec/replicas", 1))
                .integer("Current", number("/status/replicas"))
                .integer("Ready", number("/status/readyReplicas"))
                .age()
                .wide()
                .containers(TEMPLATE)
                .text("Selector", selector)
                .build();
    }

    private static Printer deployments() {
        return Printer.named()
                .text("Ready", (deployment, now) -> readiness(deployment))
                .text("Up-to-date", number("/status/updatedReplicas"))
                .text("Available", number("/status/availableReplicas"))
                .age()
                .wide()
                .containers(TEMPLATE)
                .text("Selector", selector("/spec/selector", "", Age.INVALID))
                .build();
    }

    private static String readiness(JsonNode object) {
        return object.path("status").path("readyReplicas").asLong() + "/"
                + object.path("spec").path("replicas").asLong(1);
    }

    private static Printer daemonSets() {
        return Printer.named()
                .integer("Desired", number("/status/desiredNumberScheduled"))
                .integer("Current", number("/status/currentNumberScheduled"))
                .integer("Ready", number("/status/numberReady"))
                .integer("Up-to-date", number("/status/updatedNumberScheduled"))
                .integer("Available", number("/status/numberAvailable"))
                .text("Node Selector", labels(TEMPLATE + "/nodeSelector"))
                .age()
                .wide()
                .containers(TEMPLATE)
                .text("Selector", selector("/spec/selector"))
                .build();
    }

    private static String controller(JsonNode revision) {
        for (JsonNode owner : revision.path("metadata").path("ownerReferences")) {
            if (owner.path("controller").asBoolean()) {
                String apiVersion = text(owner, "apiVersion");
                int slash = apiVersion.indexOf('/');
                String kind = text(owner, "kind") + (slash < 0 ? "" : "." + apiVersion.substring(0, slash));
                return kind.toLowerCase(Locale.ROOT) + "/" + text(owner, "name");
            }
        }
        return NONE;
    }

    private static Printer jobs() {
        return Printer.named()
                .text("Status", (job, now) -> jobStatus(job))
                .text("Completions", (job, now) -> completions(job))
                .text("Duration", WorkloadPrinters::duration)
                .age()
                .wide()
                .containers(TEMPLATE)
                .text("Selector", selector("/spec/selector"))
                .build();
    }

    private static String jobStatus(JsonNode job) {
        for (String end : JOB_ENDS) {
            if (isTrue(job, end)) {
                return end;
            }
        }
        if (Cells.isBeingDeleted(job)) {
            return "Terminating";
        }
        for (String state : JOB_STATES) {
            if (isTrue(job, state)) {
                return state;
            }
        }
        return "Running";
    }

    private static String completions(JsonNode job) {
        JsonNode spec = job.path("spec");
        long succeeded = job.path("status").path("succeeded").asLong();
        if (spec.path("completions").isNumber()) {
            return succeeded + "/" + spec.path("completions").asLong();
        }
        long parallelism = spec.path("parallelism").asLong();
        return succeeded + "/1" + (parallelism > 1 ? " of " + parallelism : "");
    }

    private static Object duration(JsonNode job, Instant now) {
        Instant start = Age.parse(text(job.path("status"), "startTime"));
        if (start == null) {
            return "";
        }
        Instant end = Age.parse(text(job.path("status"), "completionTime"));
        return Age.of(Duration.between(start, Objects.requireNonNullElse(end, now)));
    }

    private static Printer cronJobs() {
        return Printer.named()
                .text("Schedule", text("/spec/schedule"))
                .text("Timezone", (job, now) -> {
                    JsonNode zone = job.path("spec").path("timeZone");
                    return zone.isTextual() ? zone.asText() : NONE;
                })
                .flag("Suspend", (job, now) -> {
                    JsonNode suspend = job.path("spec").path("suspend");
                    return suspend.isBoolean() ? suspend.asBoolean() ? "True" : "False" : UNSET;
                })
                .integer("Active", count("/status/active"))
                .text("Last Schedule", since("/status/lastScheduleTime", NONE))
                .age()
                .wide()
                .containers("/spec/jobTemplate" + TEMPLATE)
                .text("Selector", selector("/spec/jobTemplate/spec/selector"))
                .build();
    }
}
