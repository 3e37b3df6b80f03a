package io.watershed.gateway.represent;

import static io.watershed.gateway.represent.Cells.NONE;
import static io.watershed.gateway.represent.Cells.UNSET;
import static io.watershed.gateway.represent.Cells.count;
import static io.watershed.gateway.represent.Cells.firstThree;
import static io.watershed.gateway.represent.Cells.labels;
import static io.watershed.gateway.represent.Cells.orElse;
import static io.watershed.gateway.represent.Cells.text;
import static io.watershed.gateway.represent.Cells.texts;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The core group's kinds but volumes, and what is about them elsewhere: events, EndpointSlices. */
final class CorePrinters {
    private static final String ROLE_LABEL = "node-role.kubernetes.io/";

    private CorePrinters() {}

    static void addTo(Map<String, Printer> printers) {
        printers.put("pods", PodRow.printer());
        printers.put(
                "podtemplates",
                Printer.named()
                        .containers("/template/spec")
                        .text("Pod Labels", labels("/template/metadata/labels"))
                        .build());
        printers.put("services", services());
        printers.put(
                "endpoints",
                Printer.named()
                        .text("Endpoints", (object, now) -> endpoints(object))
                        .age()
                        .build());
        printers.put("endpointslices.discovery.k8s.io", endpointSlices());
        printers.put("nodes", nodes());
        printers.put(
                "namespaces",
                Printer.named().text("Status", text("/status/phase")).age().build());
        printers.put(
                "configmaps",
                Printer.named()
                        .text(
                                "Data",
                                (object, now) -> (long) object.path("data").size()
                                        + object.path("binaryData").size())
                        .age()
                        .build());
        printers.put(
                "secrets",
                Printer.named()
                        .text("Type", text("/type"))
                        .text("Data", count("/data"))
                        .age()
                        .build());
        printers.put("serviceaccounts", Printer.named().age().build());
        printers.put("events", events());
        printers.put("events.events.k8s.io", events());
        printers.put(
                "resourcequotas",
                Printer.named()
                        .text("Request", (object, now) -> quota(object, false))
                        .text("Limit", (object, now) -> quota(object, true))
                        .age()
                        .build());
    }

    private static Printer services() {
        return Printer.named()
                .text("Type", text("/spec/type"))
                .text("Cluster-IP", text("/spec/clusterIPs/0", NONE))
                .text("External-IP", (service, now) -> externalIp(service))
                .text("Port(s)", (service, now) -> ports(service))
                .age()
                .wide()
                .text("Selector", labels("/spec/selector"))
                .build();
    }

    private static String externalIp(JsonNode service) {
        JsonNode spec = service.path("spec");
        String given = Cells.join(spec.path("externalIPs"), ",");
        return switch (text(spec, "type")) {
            case "ClusterIP", "NodePort" -> orElse(given, NONE);
            case "LoadBalancer" -> {
                String balanced = Cells.loadBalancer(service.path("status"));
                yield orElse(balanced + (balanced.isEmpty() || given.isEmpty() ? "" : ",") + given, "<pending>");
            }
            case "ExternalName" -> text(spec, "externalName");
            default -> "<unknown>";
        };
    }

    private static String ports(JsonNode service) {
        List<String> ports = new ArrayList<>();
        for (JsonNode port : service.path("spec").path("ports")) {
            long nodePort = port.path("nodePort").asLong();
            ports.add(port.path("port").asLong() + (nodePort > 0 ? ":" + nodePort : "") + "/" + text(port, "protocol"));
        }
        return orElse(String.join(",", ports), NONE);
    }

    private static String endpoints(JsonNode endpoints) {
        JsonNode subsets = endpoints.path("subsets");
        if (subsets.isEmpty()) {
            return NONE;
        }
        List<String> all = new ArrayList<>();
        for (JsonNode subset : subsets) {
            List<String> ips = texts(subset.path("addresses"), "ip");
            if (subset.path("ports").isEmpty()) {
                all.addAll(ips);
            }
            for (JsonNode port : subset.path("ports")) {
                for (String ip : ips) {
                    all.add((ip.contains(":") ? "[" + ip + "]" : ip) + ":"
                            + port.path("port").asLong());
                }
            }
        }
        return firstThree(all);
    }

    private static Printer endpointSlices() {
        return Printer.named()
                .text("AddressType", text("/addressType"))
                .text("Ports", (slice, now) -> slicePorts(slice))
                .text("Endpoints", (slice, now) -> {
                    List<String> all = new ArrayList<>();
                    slice.path("endpoints").forEach(endpoint -> all.addAll(texts(endpoint.path("addresses"))));
                    return orElse(firstThree(all), UNSET);
                })
                .age()
                .build();
    }

    private static String slicePorts(JsonNode slice) {
        List<String> ports = new ArrayList<>();
        for (JsonNode port : slice.path("ports")) {
            JsonNode name = port.path("name");
            ports.add(
                    port.path("port").isNumber() ? port.path("port").asText() : name.isTextual() ? name.asText() : "*");
        }
        return orElse(firstThree(ports), UNSET);
    }

    private static Printer nodes() {
        return Printer.named()
                .text("Status", (node, now) -> nodeStatus(node))
                .text("Roles", (node, now) -> roles(node))
                .age()
                .text("Version", text("/status/nodeInfo/kubeletVersion"))
                .wide()
                .text("Internal-IP", (node, now) -> address(node, "InternalIP"))
                .text("External-IP", (node, now) -> address(node, "ExternalIP"))
                .text("OS-Image", text("/status/nodeInfo/osImage", "<unknown>"))
                .text("Kernel-Version", (node, now) -> kernel(node))
                .text("Container-Runtime", text("/status/nodeInfo/containerRuntimeVersion", "<unknown>"))
                .build();
    }

    private static String nodeStatus(JsonNode node) {
        JsonNode ready = Cells.condition(node, "Ready");
        String status =
                ready.isMissingNode() ? "Unknown" : text(ready, "status").equals("True") ? "Ready" : "NotReady";
        return status + (node.path("spec").path("unschedulable").asBoolean() ? ",SchedulingDisabled" : "");
    }

    private static String roles(JsonNode node) {
        TreeSet<String> roles = new TreeSet<>();
        node.path("metadata").path("labels").properties().forEach(label -> {
            if (label.getKey().startsWith(ROLE_LABEL)) {
                roles.add(label.getKey().substring(ROLE_LABEL.length()));
            } else if (label.getKey().equals("kubernetes.io/role")) {
                roles.add(label.getValue().asText());
            }
        });
        roles.remove("");
        return orElse(String.join(",", roles), NONE);
    }

    private static String address(JsonNode node, String type) {
        for (JsonNode address : node.path("status").path("addresses")) {
            if (text(address, "type").equals(type)) {
                return text(address, "address");
            }
        }
        return NONE;
    }

    private static String kernel(JsonNode node) {
        JsonNode info = node.path("status").path("nodeInfo");
        String architecture = text(info, "architecture");
        return orElse(text(info, "kernelVersion"), "<unknown>")
                + (architecture.isEmpty() ? "" : " (" + architecture + ")");
    }

    private static String quota(JsonNode quota, boolean limits) {
        List<String> parts = new ArrayList<>();
        JsonNode hard = quota.path("status").path("hard");
        TreeSet<String> names = new TreeSet<>();
        hard.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            if (name.startsWith("limits.") == limits) {
                parts.add(name + ": "
                        + Cells.textOr(quota.path("status").path("used").path(name), "0") + "/"
                        + hard.path(name).asText());
            }
        }
        return String.join(", ", parts);
    }

    /** Of both groups, whose objects name the same things differently. */
    private static Printer events() {
        return Printer.empty()
                .text("Last Seen", CorePrinters::lastSeen)
                .text("Type", text("/type"))
                .text("Reason", text("/reason"))
                .text("Object", (event, now) -> {
                    String name = text(regarding(event), "name");
                    return text(regarding(event), "kind").toLowerCase(Locale.ROOT) + (name.isEmpty() ? "" : "/" + name);
                })
                .wide()
                .text("Subobject", (event, now) -> text(regarding(event), "fieldPath"))
                .text("Source", (event, now) -> source(event))
                .narrow()
                .text(
                        "Message",
                        (event, now) ->
                                either(event, "message", "note").asText().strip())
                .wide()
                .text("First Seen", CorePrinters::firstSeen)
                .text("Count", (event, now) -> {
                    JsonNode series = event.path("series");
                    return series.isObject()
                            ? series.path("count").asLong()
                            : Math.max(
                                    1, either(event, "count", "deprecatedCount").asLong());
                })
                .column("Name", "string", "name", text("/metadata/name"))
                .build();
    }

    private static JsonNode either(JsonNode event, String core, String other) {
        return event.has(core) ? event.path(core) : event.path(other);
    }

    private static JsonNode regarding(JsonNode event) {
        return either(event, "involvedObject", "regarding");
    }

    private static String source(JsonNode event) {
        JsonNode source = either(event, "source", "deprecatedSource");
        String component = orElse(
                text(source, "component"),
                Cells.textOr(either(event, "reportingComponent", "reportingController"), ""));
        String host = orElse(text(source, "host"), text(event, "reportingInstance"));
        return component + (host.isEmpty() ? "" : ", " + host);
    }

    private static @Nullable Object firstSeen(JsonNode event, Instant now) {
        String first = Cells.textOr(either(event, "firstTimestamp", "deprecatedFirstTimestamp"), "");
        return Age.since(orElse(first, text(event, "eventTime")), now);
    }

    private static @Nullable Object lastSeen(JsonNode event, Instant now) {
        JsonNode series = event.path("series");
        if (series.isObject()) {
            return Age.since(text(series, "lastObservedTime"), now);
        }
        String last = Cells.textOr(either(event, "lastTimestamp", "deprecatedLastTimestamp"), "");
        return last.isEmpty() ? firstSeen(event, now) : Age.since(last, now);
    }
}
