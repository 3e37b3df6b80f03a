package io.watershed.gateway.represent;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.flipkart.zjsonpatch.DiffFlags;
import com.flipkart.zjsonpatch.JsonDiff;
import io.watershed.gateway.cache.HistoryEvent;
import io.watershed.gateway.cache.ObjectEntry;
import io.watershed.gateway.cache.ObjectHistory;
import io.watershed.log.Encoding;
import io.watershed.log.ResourceName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;

/**
 * The versions of one object as a document: the oldest whole, each later one as the JSON patch (RFC 6902) that makes it of the one
 * before. A patch applied to its object gives the next one to the byte of its values.
 *
 * <p><em>Threads:</em> any, but it takes time: not for event loops.
 */
public final class HistoryDocument {
    /** Beyond this the older versions are left out. */
    private static final int LARGEST = 16 << 20;
    /** Larger objects are not compared: the patch replaces the whole. */
    private static final int LARGEST_COMPARED = 256 << 10;

    private static final int DEEPEST_COMPARED = 200;

    /** Numbers keep their digits. */
    private static final ObjectMapper JSON = JsonMapper.builder(JsonTree.FACTORY)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private static final DateTimeFormatter MILLIS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSX").withZone(ZoneOffset.UTC);

    private final Transform transform;

    private HistoryDocument(Transform transform) {
        this.transform = transform;
    }

    /**
     * Writes it.
     *
     * @param transform how each version is shown
     * @param revision the newest that the history goes up to
     */
    public static byte[] of(ResourceName name, ObjectHistory history, Transform transform, long revision) {
        return new HistoryDocument(transform).write(name, history, revision);
    }

    private byte[] write(ResourceName name, ObjectHistory history, long revision) {
        Deque<byte[]> versions = new ArrayDeque<>();
        long since = history.since();
        long size = 0;
        for (int i = history.events().size() - 1; i >= 0; i--) {
            HistoryEvent event = history.events().get(i);
            byte[] version = version(event);
            size += version.length;
            if (size > LARGEST) {
                break;
            }
            since = i == 0 ? history.since() : event.revision();
            versions.addFirst(version);
        }
        int shown = versions.size();
        ObjectEntry first = shown == 0
                ? history.present()
                : history.events().get(history.events().size() - shown).previous();
        if (first != null) {
            versions.addFirst(before(first));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator to = JsonTree.FACTORY.createGenerator(out)) {
            to.writeStartObject();
            to.writeStringField("kind", "History");
            to.writeStringField("apiVersion", "watershed.io/v1");
            to.writeObjectFieldStart("metadata");
            to.writeStringField("resourceVersion", Long.toString(revision));
            to.writeStringField("name", name.name());
            if (name.namespace() != null) {
                to.writeStringField("namespace", name.namespace());
            }
            to.writeEndObject();
            to.writeStringField("resource", name.resource());
            to.writeStringField("completeSince", Long.toString(since));
            to.writeArrayFieldStart("versions");
            for (byte[] version : versions) {
                to.writeRawValue(new String(version, UTF_8));
            }
            to.writeEndArray();
            to.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** What there was before the first event, at a time that is not known. */
    private byte[] before(ObjectEntry object) {
        return object(to -> {
            to.writeStringField(
                    "resourceVersion", Long.toString(object.version().modRevision()));
            whole(object, to);
        });
    }

    private byte[] version(HistoryEvent event) {
        ObjectEntry object = event.object();
        ObjectEntry previous = event.previous();
        return object(to -> {
            to.writeStringField("resourceVersion", Long.toString(event.revision()));
            to.writeStringField("time", MILLIS.format(Instant.ofEpochMilli(event.timeMillis())));
            to.writeStringField("type", object == null ? "DELETED" : previous == null ? "ADDED" : "MODIFIED");
            if (object != null && previous != null && isWhole(object) && isWhole(previous)) {
                to.writeFieldName("patch");
                to.writeRawValue(patch(transform.object(previous.json()), transform.object(object.json())));
            } else if (object != null) {
                whole(object, to);
            }
        });
    }

    private void whole(ObjectEntry object, JsonGenerator to) throws IOException {
        if (isWhole(object)) {
            to.writeFieldName("object");
            to.writeRawValue(new String(transform.object(object.json()), UTF_8));
        } else {
            to.writeStringField("undecodable", String.valueOf(object.defect()));
        }
    }

    private static boolean isWhole(ObjectEntry object) {
        return object.encoding() == null || object.encoding() == Encoding.PARTIAL;
    }

    private static String patch(byte[] before, byte[] after) throws IOException {
        if (Math.max(before.length, after.length) <= LARGEST_COMPARED
                && Math.max(depth(before), depth(after)) <= DEEPEST_COMPARED) {
            JsonNode patch = JsonDiff.asJson(
                    JSON.readTree(before),
                    JSON.readTree(after),
                    EnumSet.of(DiffFlags.OMIT_MOVE_OPERATION, DiffFlags.OMIT_COPY_OPERATION));
            return JSON.writeValueAsString(patch);
        }
        return "[{\"op\":\"replace\",\"path\":\"\",\"value\":" + new String(after, UTF_8) + "}]";
    }

    /** At the most: brackets in texts count too. */
    private static int depth(byte[] json) {
        int depth = 0;
        int deepest = 0;
        for (byte b : json) {
            if (b == '{' || b == '[') {
                deepest = Math.max(deepest, ++depth);
            } else if (b == '}' || b == ']') {
                depth--;
            }
        }
        return deepest;
    }

    private interface Members {
        void write(JsonGenerator to) throws IOException;
    }

    private static byte[] object(Members members) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator to = JsonTree.FACTORY.createGenerator(out)) {
            to.writeStartObject();
            members.write(to);
            to.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("no JSON: " + e.getMessage(), e);
        }
        return out.toByteArray();
    }
}
