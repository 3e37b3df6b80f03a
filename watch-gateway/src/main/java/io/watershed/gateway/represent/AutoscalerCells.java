package io.watershed.gateway.represent;

import static io.watershed.gateway.represent.Cells.NONE;
import static io.watershed.gateway.represent.Cells.UNSET;
import static io.watershed.gateway.represent.Cells.number;
import static io.watershed.gateway.represent.Cells.text;
import static io.watershed.gateway.represent.Cells.textOr;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** HorizontalPodAutoscalers: what each metric is now, and what it is to be. */
final class AutoscalerCells {
    private static final String UNKNOWN = "<unknown>";
    /** How Go shows a quantity that is not there. */
    private static final String NIL = "<nil>";

    private AutoscalerCells() {}

    static Printer printer() {
        return Printer.named()
                .text("Reference", (autoscaler, now) -> {
                    JsonNode target = autoscaler.path("spec").path("scaleTargetRef");
                    return text(target, "kind") + "/" + text(target, "name");
                })
                .text("Targets", (autoscaler, now) -> targets(autoscaler))
                .text("MinPods", text("/spec/minReplicas", UNSET))
                .text("MaxPods", number("/spec/maxReplicas"))
                .text("Replicas", number("/status/currentReplicas"))
                .age()
                .build();
    }

    private static String targets(JsonNode autoscaler) {
        JsonNode metrics = autoscaler.path("spec").path("metrics");
        if (metrics.isEmpty()) {
            return NONE;
        }
        JsonNode currents = autoscaler.path("status").path("currentMetrics");
        List<String> targets = new ArrayList<>();
        for (int i = 0; i < metrics.size(); i++) {
            targets.add(target(metrics.get(i), currents.path(i)));
        }
        return Cells.firstOf(targets, 2, ", ");
    }

    private static String target(JsonNode metric, JsonNode currents) {
        return switch (text(metric, "type")) {
            case "External" -> ofValue(metric.path("external"), currents.path("external"));
            case "Object" -> ofValue(metric.path("object"), currents.path("object"));
            case "Pods" -> pods(metric.path("pods"), currents.path("pods"));
            case "Resource" -> resource(metric.path("resource"), currents.path("resource"));
            case "ContainerResource" -> resource(metric.path("containerResource"), currents.path("containerResource"));
            default -> "<unknown type>";
        };
    }

    private static String ofValue(JsonNode metric, JsonNode current) {
        JsonNode target = metric.path("target");
        JsonNode now = current.path("current");
        if (target.hasNonNull("averageValue")) {
            return textOr(now.path("averageValue"), UNKNOWN) + "/" + text(target, "averageValue") + " (avg)";
        }
        return (current.isObject() ? textOr(now.path("value"), NIL) : UNKNOWN) + "/"
                + textOr(target.path("value"), NIL);
    }

    private static String pods(JsonNode metric, JsonNode current) {
        String now = current.isObject() ? textOr(current.path("current").path("averageValue"), NIL) : UNKNOWN;
        return now + "/" + textOr(metric.path("target").path("averageValue"), NIL);
    }

    private static String resource(JsonNode metric, JsonNode current) {
        JsonNode target = metric.path("target");
        JsonNode now = current.path("current");
        String shown;
        if (target.hasNonNull("averageValue")) {
            shown = (current.isObject() ? textOr(now.path("averageValue"), NIL) : UNKNOWN) + "/"
                    + text(target, "averageValue");
        } else {
            shown = percent(now, UNKNOWN) + "/" + percent(target, "<auto>");
        }
        return text(metric, "name") + ": " + shown;
    }

    private static String percent(JsonNode value, String absent) {
        JsonNode utilization = value.path("averageUtilization");
        return utilization.isNumber() ? utilization.asText() + "%" : absent;
    }
}
