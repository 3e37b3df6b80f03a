package io.watershed.gateway.represent;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;

/** Compact JSON as Go's encoder writes it: members sorted, what HTML could take for a tag escaped. */
final class GoJson {
    private GoJson() {}

    static void write(StringBuilder out, JsonNode value) {
        if (value.isObject()) {
            Map<String, JsonNode> sorted = new TreeMap<>();
            value.properties().forEach(member -> sorted.put(member.getKey(), member.getValue()));
            char before = '{';
            for (Map.Entry<String, JsonNode> member : sorted.entrySet()) {
                quote(out.append(before), member.getKey());
                write(out.append(':'), member.getValue());
                before = ',';
            }
            out.append(before == '{' ? "{}" : "}");
        } else if (value.isArray()) {
            char before = '[';
            for (JsonNode element : value) {
                write(out.append(before), element);
                before = ',';
            }
            out.append(before == '[' ? "[]" : "]");
        } else if (value.isTextual()) {
            quote(out, value.asText());
        } else if (value.isNumber() && !(value.isIntegralNumber() && value.canConvertToLong())) {
            out.append(GoNumber.json(value.doubleValue()));
        } else {
            out.append(value.asText());
        }
    }

    static String quoted(String text) {
        StringBuilder out = new StringBuilder();
        quote(out, text);
        return out.toString();
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (char c : JsonStringEncoder.getInstance().quoteAsString(text)) {
            switch (c) {
                case '<', '>', '&', '\u2028', '\u2029' -> out.append(String.format("\\u%04x", (int) c));
                default -> out.append(c);
            }
        }
        out.append('"');
    }
}
