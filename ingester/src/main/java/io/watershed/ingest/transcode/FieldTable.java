package io.watershed.ingest.transcode;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.ingest.transcode.Field.Kind;
import io.watershed.ingest.transcode.Field.Shape;
import io.watershed.ingest.transcode.Field.Shown;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Kubernetes' messages, read once from fields.tsv. A line that is not understood is a failure of the class to load. */
final class FieldTable {
    private static final String RESOURCE = "fields.tsv";
    private static final String WRAPPED_STRINGS = "wrapped-list-of-string";
    private static final Map<String, Kind> SPECIAL = Map.of(
            "Time", Kind.TIME,
            "MicroTime", Kind.MICRO_TIME,
            "Quantity", Kind.QUANTITY,
            "IntOrString", Kind.INT_OR_STRING,
            "RawExtension", Kind.RAW_JSON,
            "FieldsV1", Kind.RAW_JSON,
            "JSON", Kind.RAW_JSON,
            "JSONSchemaPropsOrBool", Kind.SCHEMA_OR_BOOL,
            "JSONSchemaPropsOrArray", Kind.SCHEMA_OR_ARRAY,
            "JSONSchemaPropsOrStringArray", Kind.SCHEMA_OR_STRINGS);
    private static final FieldTable KUBERNETES = read();

    private final Map<String, MessageType> messages = new HashMap<>();
    private final Map<String, MessageType> byKind = new HashMap<>();
    private final Map<String, Kind> special = new HashMap<>();

    private FieldTable() {}

    static FieldTable kubernetes() {
        return KUBERNETES;
    }

    /** The message of a kind, or null when the table lacks it. */
    @Nullable
    MessageType message(String apiVersion, String kind) {
        return byKind.get(apiVersion + " " + kind);
    }

    /** A field of ObjectMeta. */
    Field metadata(String name) {
        MessageType meta = Objects.requireNonNull(messages.get("meta.v1.ObjectMeta"));
        return Objects.requireNonNull(meta.field(name), name);
    }

    private static FieldTable read() {
        FieldTable table = new FieldTable();
        try (InputStream in = Objects.requireNonNull(FieldTable.class.getResourceAsStream(RESOURCE));
                BufferedReader text = new BufferedReader(new InputStreamReader(in, UTF_8))) {
            List<String[]> lines = text.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t", -1))
                    .toList();
            lines.stream()
                    .filter(line -> line[5 % line.length].equals("special"))
                    .forEach(table::special);
            lines.forEach(table::line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        table.messages.forEach((name, message) -> message.seal(Expectations.of(name)));
        table.messages.values().forEach(MessageType::compile);
        return table;
    }

    private MessageType named(String name) {
        return messages.computeIfAbsent(name, MessageType::new);
    }

    private void line(String[] column) {
        if (column[0].equals("kind")) {
            byKind.put(column[1] + " " + column[2], named(column[3]));
        } else if (!column[5].equals("special")) {
            field(column);
        }
    }

    private void field(String[] column) {
        String type = column[3];
        Kind kind = special.getOrDefault(type, kind(type));
        Shape shape = column[4].equals("map<string>") ? Shape.MAP : Shape.valueOf(column[4].toUpperCase(Locale.ROOT));
        Shown shown = Shown.valueOf(column[5].toUpperCase(Locale.ROOT));
        boolean isMessage = type.indexOf('.') >= 0;
        boolean known = shown != Shown.OMITZERO || !isMessage || kind == Kind.TIME || kind == Kind.MICRO_TIME;
        if (!known || (shape == Shape.MAP && kind.wire() != WireReader.BYTES)) {
            throw new IllegalStateException(RESOURCE + ": no rule for " + String.join(" ", column));
        }
        named(column[0])
                .add(Integer.parseInt(column[2]), column[1], kind, shape, shown, isMessage ? named(type) : null);
    }

    private static Kind kind(String type) {
        if (type.equals(WRAPPED_STRINGS)) {
            return Kind.STRINGS;
        }
        return type.indexOf('.') < 0 ? Kind.valueOf(type.toUpperCase(Locale.ROOT)) : Kind.MESSAGE;
    }

    /** Messages whose JSON is not an object of their fields. */
    private void special(String[] column) {
        MessageType message = named(column[0]);
        String type = column[0].substring(column[0].lastIndexOf('.') + 1);
        String schema = column[0].substring(0, column[0].length() - type.length()) + "JSONSchemaProps";
        Kind kind = SPECIAL.get(type);
        if (kind == null) {
            throw new IllegalStateException(RESOURCE + ": no rule for " + column[0]);
        }
        special.put(column[0], kind);
        switch (kind) {
            case TIME, MICRO_TIME -> part(message, 2, Kind.INT32, null);
            case INT_OR_STRING -> {
                part(message, 2, Kind.INT32, null);
                part(message, 3, Kind.STRING, null);
            }
            case SCHEMA_OR_BOOL -> part(message, 2, Kind.MESSAGE, named(schema));
            case SCHEMA_OR_ARRAY -> message.add(2, "schemas", Kind.MESSAGE, Shape.LIST, Shown.OMITEMPTY, named(schema));
            case SCHEMA_OR_STRINGS -> message.add(2, "strings", Kind.STRING, Shape.LIST, Shown.OMITEMPTY, null);
            default -> {}
        }
        switch (kind) {
            case TIME, MICRO_TIME, INT_OR_STRING -> part(message, 1, Kind.INT64, null);
            case QUANTITY -> part(message, 1, Kind.STRING, null);
            case RAW_JSON -> part(message, 1, Kind.BYTES, null);
            case SCHEMA_OR_BOOL -> part(message, 1, Kind.BOOL, null);
            default -> part(message, 1, Kind.MESSAGE, named(schema));
        }
    }

    private static void part(MessageType message, int number, Kind kind, @Nullable MessageType of) {
        message.add(number, "part" + number, kind, Shape.POINTER, Shown.OMITEMPTY, of);
    }
}
