package io.watershed.gateway.represent;

import static io.watershed.gateway.represent.Cells.NONE;
import static io.watershed.gateway.represent.Cells.flag;
import static io.watershed.gateway.represent.Cells.number;
import static io.watershed.gateway.represent.Cells.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** What decides where and when pods run: scheduling, leases, devices. */
final class SchedulingPrinters {
    private static final String DEVICES = ".resource.k8s.io";
    private static final String SCHEDULING = ".scheduling.k8s.io";

    private SchedulingPrinters() {}

    static void addTo(Map<String, Printer> printers) {
        printers.put(
                "leases.coordination.k8s.io",
                Printer.named()
                        .text("Holder", text("/spec/holderIdentity"))
                        .age()
                        .build());
        printers.put(
                "leasecandidates.coordination.k8s.io",
                Printer.named()
                        .text("LeaseName", text("/spec/leaseName"))
                        .text("BinaryVersion", text("/spec/binaryVersion"))
                        .text("EmulationVersion", text("/spec/emulationVersion"))
                        .age()
                        .build());
        printers.put(
                "runtimeclasses.node.k8s.io",
                Printer.named().text("Handler", text("/handler")).age().build());
        printers.put(
                "priorityclasses" + SCHEDULING,
                Printer.named()
                        .integer("Value", number("/value"))
                        .flag("Global-Default", flag("/globalDefault", false))
                        .age()
                        .text("PreemptionPolicy", text("/preemptionPolicy"))
                        .build());
        printers.put("workloads" + SCHEDULING, Printer.named().age().build());
        printers.put("podgroups" + SCHEDULING, podGroups());
        printers.put(
                "compositepodgroups" + SCHEDULING,
                Printer.named()
                        .text("Policy", (group, now) -> policy(group))
                        .text("Workload", text("/spec/workloadRef/workloadName", NONE))
                        .age()
                        .build());
        addDevices(printers);
    }

    private static Printer podGroups() {
        return Printer.named()
                .text("Policy", (group, now) -> policy(group))
                .text("Workload", text("/spec/workloadRef/workloadName", NONE))
                .text("Status", (group, now) -> {
                    JsonNode disrupted = Cells.condition(group, "DisruptionTarget");
                    if (!disrupted.isMissingNode()) {
                        return text(disrupted, "reason");
                    }
                    JsonNode scheduled = Cells.condition(group, "PodGroupInitiallyScheduled");
                    if (scheduled.isMissingNode()) {
                        return "Pending";
                    }
                    return text(scheduled, "status").equals("True") ? "Scheduled" : "Unschedulable";
                })
                .age()
                .build();
    }

    private static String policy(JsonNode group) {
        return group.path("spec").path("schedulingPolicy").path("gang").isObject() ? "Gang" : "Basic";
    }

    private static void addDevices(Map<String, Printer> printers) {
        printers.put("deviceclasses" + DEVICES, Printer.named().age().build());
        printers.put("resourceclaimtemplates" + DEVICES, Printer.named().age().build());
        printers.put(
                "resourceclaims" + DEVICES,
                Printer.named()
                        .text("State", (claim, now) -> claimState(claim))
                        .age()
                        .build());
        printers.put(
                "resourceslices" + DEVICES,
                Printer.named()
                        .text("Node", text("/spec/nodeName"))
                        .text("Driver", text("/spec/driver"))
                        .text("Pool", text("/spec/pool/name"))
                        .age()
                        .build());
        printers.put(
                "devicetaintrules" + DEVICES,
                Printer.named()
                        .text("Key", text("/spec/taint/key"))
                        .text("Value", text("/spec/taint/value"))
                        .text("Effect", text("/spec/taint/effect"))
                        .text("TimeAdded", Cells.since("/spec/taint/timeAdded", "0s"))
                        .age()
                        .build());
        printers.put("resourcepoolstatusrequests" + DEVICES, pools());
    }

    private static String claimState(JsonNode claim) {
        List<String> states = new ArrayList<>();
        boolean deleted = Cells.isBeingDeleted(claim);
        if (deleted) {
            states.add("deleted");
        }
        if (claim.path("status").path("allocation").isObject()) {
            states.add("allocated");
            if (!claim.path("status").path("reservedFor").isEmpty()) {
                states.add("reserved");
            }
        } else if (!deleted) {
            states.add("pending");
        }
        return String.join(",", states);
    }

    private static Printer pools() {
        return Printer.named()
                .text("Driver", text("/spec/driver"))
                .text("Total", sum(pool -> pool.path("totalDevices").asLong()))
                .text("Available", sum(pool -> pool.path("availableDevices").asLong()))
                .text("Allocated", sum(pool -> pool.path("allocatedDevices").asLong()))
                .text("Unavailable", sum(pool -> pool.path("unavailableDevices").asLong()))
                .text("Errors", sum(pool -> pool.hasNonNull("validationError") ? 1 : 0))
                .integer("Pools", number("/status/poolCount"))
                .text("Status", (request, now) -> poolState(request))
                .text("Completed", SchedulingPrinters::completed)
                .build();
    }

    private static Cell sum(ToLongFunction<JsonNode> devices) {
        return (request, now) -> {
            JsonNode status = request.path("status");
            if (!status.isObject() || poolState(request).equals("Failed")) {
                return "-";
            }
            long sum = 0;
            for (JsonNode pool : status.path("pools")) {
                sum += devices.applyAsLong(pool);
            }
            return Long.toString(sum);
        };
    }

    /** The first of its ends that is true. */
    private static String poolState(JsonNode request) {
        JsonNode status = request.path("status");
        for (JsonNode condition : status.path("conditions")) {
            if (text(condition, "status").equals("True")) {
                String type = text(condition, "type");
                if (type.equals("Failed")) {
                    return type;
                }
                if (type.equals("Complete")) {
                    long count = status.path("poolCount").asLong();
                    int listed = status.path("pools").size();
                    return count > listed ? type + " (" + listed + "/" + count + " pools)" : type;
                }
            }
        }
        return "Pending";
    }

    private static Object completed(JsonNode request, Instant now) {
        return poolState(request).startsWith("Complete")
                ? Age.since(text(Cells.condition(request, "Complete"), "lastTransitionTime"), now)
                : NONE;
    }
}
