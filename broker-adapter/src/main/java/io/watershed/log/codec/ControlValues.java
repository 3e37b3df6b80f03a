package io.watershed.log.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.watershed.catalogue.KeyPattern;
import io.watershed.catalogue.ResourceType;
import io.watershed.log.Entry;
import io.watershed.log.Generation;
import io.watershed.log.LogFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON values of control records. Members are written in a pinned order; on reading, unknown ones are skipped. */
final class ControlValues {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private ControlValues() {}

    static byte[] write(Entry.Lineage m, Generation generation) {
        return json(out -> {
            out.writeNumberField("format", m.format());
            out.writeStringField("generation", generation.toString());
            optional(out, "previous", m.previous() == null ? null : m.previous().toString());
            out.writeStringField("clusterId", m.clusterId());
            out.writeNumberField("revision", m.revision());
            out.writeNumberField("oldMax", m.oldMax());
            out.writeStringField("reason", m.reason());
            out.writeArrayFieldStart("ranges");
            for (String range : m.ranges()) {
                out.writeString(range);
            }
            out.writeEndArray();
            out.writeStringField("fingerprint", m.fingerprint());
            out.writeStringField("ingester", m.ingester());
            optional(out, "address", m.address());
        });
    }

    static byte[] write(Entry.RelistBegin b) {
        return json(out -> out.writeStringField("reason", b.reason()));
    }

    static byte[] write(Entry.RelistEnd e) {
        return json(out -> {
            out.writeNumberField("revision", e.revision());
            out.writeNumberField("count", e.count());
            out.writeStringField("hash", HexFormat.of().toHexDigits(e.hash()));
            out.writeStringField("fingerprint", e.fingerprint());
            if (!e.documents().isEmpty()) {
                out.writeArrayFieldStart("documents");
                for (ResourceType document : e.documents()) {
                    write(out, document);
                }
                out.writeEndArray();
            }
        });
    }

    private static void write(JsonGenerator out, ResourceType document) throws IOException {
        out.writeStartObject();
        out.writeStringField("prefix", document.storagePrefix());
        out.writeStringField("group", document.group());
        out.writeStringField("version", document.version());
        out.writeStringField("plural", document.plural());
        out.writeStringField("kind", document.kind());
        out.writeEndObject();
    }

    static byte[] write(Entry.Progress p) {
        return json(out -> {
            out.writeNumberField("revision", p.revision());
            out.writeNumberField("head", p.head());
            out.writeNumberField("ts", p.timestampMillis());
            optional(out, "address", p.address());
        });
    }

    static Entry.Lineage lineage(byte[] value, long revision, Generation generation) throws LogFailure.Undecodable {
        Members in = new Members(value);
        long format = in.number("format");
        if (format > RecordCodec.FORMAT) {
            throw new LogFailure.Undecodable("the log is written in format " + format + ", this version reads up to "
                    + RecordCodec.FORMAT + ": upgrade gateways before ingesters");
        }
        in.requireSame("revision", revision);
        if (!in.text("generation").equals(generation.toString())) {
            throw new LogFailure.Undecodable("its generation is not the g= of its header");
        }
        String previous = in.textOrNull("previous");
        return new Entry.Lineage(
                revision,
                (int) format,
                previous == null ? null : generation(previous),
                in.text("clusterId"),
                in.number("oldMax"),
                in.text("reason"),
                in.texts("ranges"),
                in.text("fingerprint"),
                in.text("ingester"),
                in.textOrNull("address"));
    }

    static Entry.RelistBegin relistBegin(byte[] value, long least) throws LogFailure.Undecodable {
        return new Entry.RelistBegin(least, new Members(value).text("reason"));
    }

    static Entry.RelistEnd relistEnd(byte[] value, long revision) throws LogFailure.Undecodable {
        Members in = new Members(value);
        in.requireSame("revision", revision);
        return new Entry.RelistEnd(revision, in.number("count"), in.hex("hash"), in.text("fingerprint"), documents(in));
    }

    private static List<ResourceType> documents(Members in) throws LogFailure.Undecodable {
        List<ResourceType> documents = new ArrayList<>();
        for (Members document : in.objects("documents")) {
            try {
                documents.add(ResourceType.document(
                        document.text("group"),
                        document.text("version"),
                        document.text("kind"),
                        document.text("plural"),
                        KeyPattern.parse(document.text("prefix"))));
            } catch (IllegalArgumentException e) {
                throw new LogFailure.Undecodable("the prefix of a document " + e.getMessage(), e);
            }
        }
        return documents;
    }

    static Entry.Progress progress(byte[] value, long revision) throws LogFailure.Undecodable {
        Members in = new Members(value);
        in.requireSame("revision", revision);
        return new Entry.Progress(revision, in.number("head"), in.number("ts"), in.textOrNull("address"));
    }

    static Generation generation(String text) throws LogFailure.Undecodable {
        try {
            return Generation.parse(text);
        } catch (IllegalArgumentException e) {
            throw new LogFailure.Undecodable("unreadable generation " + text, e);
        }
    }

    private interface Body {
        void write(JsonGenerator out) throws IOException;
    }

    private static byte[] json(Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = MAPPER.createGenerator(bytes)) {
            out.writeStartObject();
            body.write(out);
            out.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing into memory failed", e);
        }
        return bytes.toByteArray();
    }

    private static void optional(JsonGenerator out, String name, @Nullable String value) throws IOException {
        if (value != null) {
            out.writeStringField(name, value);
        }
    }

    /** A JSON object of which every member that is asked for must be there and of its type. */
    private static final class Members {
        private final JsonNode object;

        Members(byte[] value) throws LogFailure.Undecodable {
            this(tree(value));
        }

        private Members(JsonNode object) throws LogFailure.Undecodable {
            if (!object.isObject()) {
                throw new LogFailure.Undecodable("its value is not a JSON object");
            }
            this.object = object;
        }

        private static JsonNode tree(byte[] value) throws LogFailure.Undecodable {
            try {
                return MAPPER.readTree(value);
            } catch (IOException e) {
                throw new LogFailure.Undecodable("its value is not JSON", e);
            }
        }

        /** Of an array that may be absent. */
        List<Members> objects(String name) throws LogFailure.Undecodable {
            JsonNode member = object.get(name);
            List<Members> objects = new ArrayList<>();
            if (member != null) {
                if (!member.isArray()) {
                    throw unreadable(name);
                }
                for (JsonNode element : member) {
                    objects.add(new Members(element));
                }
            }
            return objects;
        }

        String text(String name) throws LogFailure.Undecodable {
            String text = textOrNull(name);
            if (text == null) {
                throw new LogFailure.Undecodable("its value lacks " + name);
            }
            return text;
        }

        @Nullable
        String textOrNull(String name) throws LogFailure.Undecodable {
            JsonNode member = object.get(name);
            if (member == null) {
                return null;
            }
            if (!member.isTextual()) {
                throw unreadable(name);
            }
            return member.textValue();
        }

        List<String> texts(String name) throws LogFailure.Undecodable {
            JsonNode member = object.get(name);
            if (member == null || !member.isArray()) {
                throw unreadable(name);
            }
            List<String> texts = new ArrayList<>();
            for (JsonNode element : member) {
                if (!element.isTextual()) {
                    throw unreadable(name);
                }
                texts.add(element.textValue());
            }
            return texts;
        }

        long number(String name) throws LogFailure.Undecodable {
            JsonNode member = object.get(name);
            if (member == null || !member.isIntegralNumber() || !member.canConvertToLong() || member.longValue() < 0) {
                throw unreadable(name);
            }
            return member.longValue();
        }

        long hex(String name) throws LogFailure.Undecodable {
            try {
                return HexFormat.fromHexDigitsToLong(text(name));
            } catch (IllegalArgumentException e) {
                throw new LogFailure.Undecodable("its value has an unreadable " + name, e);
            }
        }

        void requireSame(String name, long expected) throws LogFailure.Undecodable {
            if (number(name) != expected) {
                throw new LogFailure.Undecodable("its " + name + " is not the r= of its header, " + expected);
            }
        }

        private static LogFailure.Undecodable unreadable(String name) {
            return new LogFailure.Undecodable("its value lacks a readable " + name);
        }
    }
}
