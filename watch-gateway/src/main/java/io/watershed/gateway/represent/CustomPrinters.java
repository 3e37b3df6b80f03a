package io.watershed.gateway.represent;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Columns of custom resources, as their definitions name them. */
public final class CustomPrinters {
    private static final String CREATION = ".metadata.creationTimestamp";

    /** Two's complement's least: what Go makes of a number that no integer holds. */
    private static final long NO_INTEGER = Long.MIN_VALUE;

    private record Defined(Column column, String path) {}

    private CustomPrinters() {}

    /**
     * Of one version of a custom resource.
     *
     * @param definition a CustomResourceDefinition in apiextensions.k8s.io/v1
     * @param version the version that is asked for
     */
    public static Printer of(JsonNode definition, String version) {
        List<Defined> columns = new ArrayList<>();
        for (JsonNode candidate : definition.path("spec").path("versions")) {
            if (Cells.text(candidate, "name").equals(version)) {
                candidate.path("additionalPrinterColumns").forEach(column -> columns.add(defined(column)));
            }
        }
        if (columns.isEmpty()) {
            columns.add(new Defined(new Column("Age", "date", "", "", 0), CREATION));
        }
        Printer.Builder printer = Printer.named().identity(List.copyOf(columns));
        for (Defined defined : columns) {
            JsonPath path = JsonPath.parse(defined.path());
            if (path == null) {
                // As kube-apiserver: what stands before it is shown.
                break;
            }
            printer.column(defined.column(), cell(defined.column().type(), path));
        }
        return printer.build();
    }

    private static Defined defined(JsonNode column) {
        String path = Cells.text(column, "jsonPath");
        String description = Cells.orElse(
                Cells.text(column, "description"), "Custom resource definition column (in JSONPath format): " + path);
        return new Defined(
                new Column(
                        Cells.text(column, "name"),
                        Cells.text(column, "type"),
                        Cells.text(column, "format"),
                        description,
                        column.path("priority").asInt()),
                path);
    }

    private static Cell cell(String type, JsonPath path) {
        return (object, now) -> {
            JsonNode value = path.first(object);
            return value == null ? null : shown(type, value, now);
        };
    }

    private static @Nullable Object shown(String type, JsonNode value, Instant now) {
        return switch (type) {
            case "string" -> text(value);
            case "integer" -> value.isNumber() ? (Object) integer(value) : null;
            case "number" -> value.isNumber() ? (Object) value.doubleValue() : null;
            case "boolean" -> value.isBoolean() ? (Object) value.booleanValue() : null;
            case "date" -> value.isTextual() ? date(value.asText(), now) : null;
            default -> null;
        };
    }

    private static String date(String text, Instant now) {
        return text.equals("null") ? Age.UNKNOWN : Age.since(text, now);
    }

    private static long integer(JsonNode value) {
        if (isLong(value)) {
            return value.longValue();
        }
        double number = value.doubleValue();
        return Math.abs(number) < 0x1p63 ? (long) number : NO_INTEGER;
    }

    private static boolean isLong(JsonNode value) {
        return value.isIntegralNumber() && value.canConvertToLong();
    }

    private static String text(JsonNode value) {
        if (value.isNull()) {
            return "<no value>";
        }
        if (isLong(value)) {
            return Long.toString(value.longValue());
        }
        if (value.isNumber()) {
            return GoNumber.text(value.doubleValue());
        }
        if (value.isContainerNode()) {
            StringBuilder out = new StringBuilder();
            GoJson.write(out, value);
            return out.toString();
        }
        return value.asText();
    }
}
