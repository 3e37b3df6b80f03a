package io.watershed.gateway.represent;

import static io.watershed.gateway.represent.Cells.NONE;
import static io.watershed.gateway.represent.Cells.joined;
import static io.watershed.gateway.represent.Cells.orElse;
import static io.watershed.gateway.represent.Cells.selector;
import static io.watershed.gateway.represent.Cells.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Group networking.k8s.io. */
final class NetworkPrinters {
    private NetworkPrinters() {}

    static void addTo(Map<String, Printer> printers) {
        printers.put(
                "ingresses.networking.k8s.io",
                Printer.named()
                        .text("Class", (ingress, now) -> {
                            JsonNode given = ingress.path("spec").path("ingressClassName");
                            return given.isTextual() ? given.asText() : NONE;
                        })
                        .text("Hosts", (ingress, now) -> hosts(ingress))
                        .text("Address", (ingress, now) -> Cells.loadBalancer(ingress.path("status")))
                        .text(
                                "Ports",
                                (ingress, now) ->
                                        ingress.path("spec").path("tls").isEmpty() ? "80" : "80, 443")
                        .age()
                        .build());
        printers.put("ingressclasses.networking.k8s.io", ingressClasses());
        printers.put(
                "networkpolicies.networking.k8s.io",
                Printer.named()
                        .text("Pod-Selector", selector("/spec/podSelector"))
                        .age()
                        .build());
        // A quirk that clients see: one cell more than there are columns.
        printers.put(
                "ipaddresses.networking.k8s.io",
                Printer.named()
                        .text("ParentRef", (address, now) -> parent(address))
                        .cellWithoutColumn(Cells::age)
                        .build());
        printers.put(
                "servicecidrs.networking.k8s.io",
                Printer.named()
                        .text("CIDRs", joined("/spec/cidrs", ",", ""))
                        .age()
                        .build());
    }

    private static String hosts(JsonNode ingress) {
        JsonNode rules = ingress.path("spec").path("rules");
        List<String> hosts = new ArrayList<>();
        for (JsonNode rule : rules) {
            if (hosts.size() == 3) {
                return String.join(",", hosts) + " + " + (rules.size() - 3) + " more...";
            }
            String host = text(rule, "host");
            if (!host.isEmpty()) {
                hosts.add(host);
            }
        }
        return orElse(String.join(",", hosts), "*");
    }

    private static Printer ingressClasses() {
        return Printer.empty()
                .column("Name", "string", "name", (ingressClass, now) -> {
                    String standard = Cells.annotation(ingressClass, "ingressclass.kubernetes.io/is-default-class");
                    return text(ingressClass.path("metadata"), "name") + (standard.equals("true") ? " (default)" : "");
                })
                .text("Controller", text("/spec/controller"))
                .text("Parameters", (ingressClass, now) -> {
                    JsonNode parameters = ingressClass.path("spec").path("parameters");
                    String group = text(parameters, "apiGroup");
                    return parameters.isObject()
                            ? text(parameters, "kind") + (group.isEmpty() ? "" : "." + group) + "/"
                                    + text(parameters, "name")
                            : NONE;
                })
                .age()
                .build();
    }

    private static String parent(JsonNode address) {
        JsonNode parent = address.path("spec").path("parentRef");
        if (!parent.isObject()) {
            return NONE;
        }
        String group = text(parent, "group");
        String namespace = text(parent, "namespace");
        return (text(parent, "resource") + (group.isEmpty() ? "" : "." + group)).toLowerCase(Locale.ROOT)
                + (namespace.isEmpty() ? "" : "/" + namespace) + "/" + text(parent, "name");
    }
}
