package io.watershed.log.codec;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.watershed.log.Entry;
import io.watershed.log.Generation;
import io.watershed.log.LogFailure;
import io.watershed.log.LogRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON values of the control records M, B, E and P. Members in the order that docs/log.md gives. */
final class ControlValue {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ControlValue() {}

    static String of(LogRecord record) {
        Entry entry = record.entry();
        ObjectNode value = JSON.createObjectNode();
        if (entry instanceof Entry.Lineage m) {
            value.put("format", m.format())
                    .put("generation", record.generation().toString());
            if (m.previous() != null) {
                value.put("previous", m.previous().toString());
            }
            value.put("clusterId", m.clusterId())
                    .put("revision", m.revision())
                    .put("oldMax", m.oldMax())
                    .put("reason", m.reason());
            m.ranges().forEach(value.putArray("ranges")::add);
            value.put("fingerprint", m.fingerprint()).put("ingester", m.ingester());
            address(value, m.address());
        } else if (entry instanceof Entry.RelistBegin b) {
            value.put("reason", b.reason());
        } else if (entry instanceof Entry.RelistEnd e) {
            value.put("revision", e.revision())
                    .put("count", e.count())
                    .put("hash", String.format("%016x", e.hash()))
                    .put("fingerprint", e.fingerprint());
        } else if (entry instanceof Entry.Progress p) {
            value.put("revision", p.revision()).put("head", p.head()).put("ts", p.timestampMillis());
            address(value, p.address());
        } else {
            throw new IllegalArgumentException("not a control record: " + entry);
        }
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void address(ObjectNode value, @Nullable String address) {
        if (address != null) {
            value.put("address", address);
        }
    }

    static Entry parse(String type, long revision, byte @Nullable [] bytes) throws LogFailure.Undecodable {
        JsonNode value = read(type, bytes);
        return switch (type) {
            case "M" -> lineage(revision, value);
            case "B" -> new Entry.RelistBegin(revision, text(value, "reason"));
            case "E" ->
                new Entry.RelistEnd(
                        revision, number(value, "count"), hash(text(value, "hash")), text(value, "fingerprint"));
            case "P" ->
                new Entry.Progress(revision, number(value, "head"), number(value, "ts"), optional(value, "address"));
            default -> throw new IllegalArgumentException(type);
        };
    }

    private static Entry.Lineage lineage(long revision, JsonNode value) throws LogFailure.Undecodable {
        long format = number(value, "format");
        if (format > RecordCodec.FORMAT) {
            throw new LogFailure.Undecodable("the log is written in format " + format + ", and this version reads "
                    + RecordCodec.FORMAT + ": upgrade this process");
        }
        String previous = optional(value, "previous");
        List<String> ranges = new ArrayList<>();
        value.path("ranges").forEach(range -> ranges.add(range.asText()));
        Generation before = previous == null ? null : RecordCodec.generation(previous);
        return new Entry.Lineage(
                revision,
                (int) format,
                before,
                text(value, "clusterId"),
                number(value, "oldMax"),
                text(value, "reason"),
                ranges,
                text(value, "fingerprint"),
                text(value, "ingester"),
                optional(value, "address"));
    }

    private static JsonNode read(String type, byte @Nullable [] bytes) throws LogFailure.Undecodable {
        if (bytes == null) {
            throw new LogFailure.Undecodable("control record of type " + type + " without a value");
        }
        try {
            JsonNode value = JSON.readTree(bytes);
            if (value.isObject()) {
                return value;
            }
        } catch (IOException e) {
            throw new LogFailure.Undecodable("value of a control record of type " + type + " is not JSON", e);
        }
        throw new LogFailure.Undecodable("value of a control record of type " + type + " is no JSON object");
    }

    private static String text(JsonNode value, String member) throws LogFailure.Undecodable {
        JsonNode found = value.get(member);
        if (found == null || !found.isTextual()) {
            throw new LogFailure.Undecodable("control record lacks the text member " + member);
        }
        return found.textValue();
    }

    private static @Nullable String optional(JsonNode value, String member) {
        return value.path(member).textValue();
    }

    private static long number(JsonNode value, String member) throws LogFailure.Undecodable {
        JsonNode found = value.get(member);
        if (found == null || !found.isIntegralNumber()) {
            throw new LogFailure.Undecodable("control record lacks the number member " + member);
        }
        return found.longValue();
    }

    private static long hash(String hex) throws LogFailure.Undecodable {
        try {
            return Long.parseUnsignedLong(hex, 16);
        } catch (NumberFormatException e) {
            throw new LogFailure.Undecodable("hash is not hexadecimal: " + hex, e);
        }
    }
}
