package io.watershed.gateway.represent;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.watershed.log.codec.ObjectJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Objects as rows of a Table. Ages are those of the moment that a row is made.
 *
 * @param metadata what rows hold of their objects' metadata, in the Table's own version
 * @param conversion what is done to objects before rows are made of them
 */
public record TableTransform(
        Metadata metadata, Printer printer, IncludeObject include, InstantSource clock, Conversion conversion)
        implements Transform {
    /** What a row holds of its object. */
    public enum IncludeObject {
        NONE,
        METADATA,
        OBJECT
    }

    /** What an event of a watch says of columns unless it is the first of its connection. */
    public static final byte[] NO_COLUMNS = "\"columnDefinitions\":null".getBytes(UTF_8);

    private static final byte[] NULL_OBJECT = "null".getBytes(UTF_8);

    @Override
    public byte[] object(byte[] json) {
        return table(conversion.convert(json), columns(), include);
    }

    @Override
    public byte[] event(byte[] json) {
        return table(conversion.convert(json), NO_COLUMNS, include);
    }

    /** The bookmark that ends the initial events says so in its object's annotations, so it always has one. */
    @Override
    public byte[] bookmark(byte[] json, boolean endOfInitialEvents) {
        boolean needed = endOfInitialEvents && include == IncludeObject.NONE;
        return table(json, NO_COLUMNS, needed ? IncludeObject.METADATA : include);
    }

    private byte[] table(byte[] json, byte[] columns, IncludeObject included) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(json.length + 512);
        ObjectJson parts = ObjectJson.of(json);
        out.writeBytes(("{\"kind\":\"Table\",\"apiVersion\":\"" + metadata.apiVersion()
                        + "\",\"metadata\":{\"resourceVersion\":\"")
                .getBytes(UTF_8));
        out.write(json, parts.revisionStart(), parts.revisionEnd() - parts.revisionStart());
        out.writeBytes("\"},".getBytes(UTF_8));
        out.writeBytes(columns);
        out.writeBytes(",\"rows\":[".getBytes(UTF_8));
        row(out, json, included, "");
        out.writeBytes("]}".getBytes(UTF_8));
        return out.toByteArray();
    }

    @Override
    public byte[] columns() {
        return ("\"columnDefinitions\":" + definitions()).getBytes(UTF_8);
    }

    private String definitions() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = generator(out)) {
            json.writeStartArray();
            for (Column column : printer.columns()) {
                json.writeStartObject();
                json.writeStringField("name", column.name());
                json.writeStringField("type", column.type());
                json.writeStringField("format", column.format());
                json.writeStringField("description", column.description());
                json.writeNumberField("priority", column.priority());
                json.writeEndObject();
            }
            json.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString(UTF_8);
    }

    @Override
    public ListForm listForm() {
        return new ListForm("Table", metadata.apiVersion(), "," + new String(columns(), UTF_8), "rows", false);
    }

    @Override
    public void item(byte[] json, Sink out) {
        out.write(row(json, ""));
    }

    /** {@code mark}: behind the first cell. */
    byte[] row(byte[] json, String mark) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(json.length + 256);
        row(out, conversion.convert(json), include, mark);
        return out.toByteArray();
    }

    private void row(ByteArrayOutputStream out, byte[] json, IncludeObject included, String mark) {
        JsonNode object = JsonTree.of(json);
        out.writeBytes("{\"cells\":".getBytes(UTF_8));
        cells(out, object, mark);
        String conditions = printer.conditions(object);
        if (conditions != null) {
            out.writeBytes((",\"conditions\":" + conditions).getBytes(UTF_8));
        }
        out.writeBytes(",\"object\":".getBytes(UTF_8));
        out.writeBytes(
                switch (included) {
                    case NONE -> NULL_OBJECT;
                    case METADATA -> metadata.object(json);
                    case OBJECT -> json;
                });
        out.write('}');
    }

    private void cells(ByteArrayOutputStream out, JsonNode object, String mark) {
        Instant now = clock.instant();
        try (JsonGenerator json = generator(out)) {
            json.writeStartArray();
            String behind = mark;
            for (Cell cell : printer.cells()) {
                Object value = cell.of(object, now);
                cell(json, behind.isEmpty() ? value : value + behind);
                behind = "";
            }
            json.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void cell(JsonGenerator json, @Nullable Object value) throws IOException {
        if (value instanceof String text) {
            json.writeString(text);
        } else if (value instanceof Long number) {
            json.writeNumber(number);
        } else if (value instanceof Double number) {
            json.writeNumber(GoNumber.json(number));
        } else if (value instanceof Boolean flag) {
            json.writeBoolean(flag);
        } else {
            json.writeNull();
        }
    }

    private static JsonGenerator generator(ByteArrayOutputStream out) throws IOException {
        return JsonTree.FACTORY.createGenerator(out);
    }
}
