package io.watershed.gateway.fanout;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.cache.HistoryEvent;
import io.watershed.gateway.cache.ObjectEntry;
import io.watershed.log.codec.ObjectJson;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a watch: {@code {"type":"ADDED","object":…}} and a line feed, in ASCII.
 *
 * <p>An object's bytes are sent as the log holds them. Those that are not ASCII are escaped once for an event and kept with it until
 * the history drops it, whichever loop asked first.
 */
final class Frames {
    /** Direct memory, so that a socket takes the bytes without a copy for each watch. */
    static final ByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;

    private static final byte[] ADDED_HEAD = head("ADDED");
    private static final byte[] MODIFIED_HEAD = head("MODIFIED");
    private static final byte[] DELETED_HEAD = head("DELETED");
    private static final byte[] ERROR_HEAD = head("ERROR");
    private static final byte[] TAIL = {'}', '\n'};

    private Frames() {}

    private static byte[] head(String type) {
        return ("{\"type\":\"" + type + "\",\"object\":").getBytes(US_ASCII);
    }

    /** Appends one event. A DELETED carries the last state that matched, under the revision of the change that ended it. */
    static void append(ByteBuf out, HistoryEvent event, EventType type) {
        switch (type) {
            case ADDED -> out.writeBytes(ADDED_HEAD).writeBytes(objectJson(event));
            case MODIFIED -> out.writeBytes(MODIFIED_HEAD).writeBytes(objectJson(event));
            case DELETED -> spliced(out.writeBytes(DELETED_HEAD), previousJson(event), event.revision());
        }
        out.writeBytes(TAIL);
    }

    /** Appends an object of the initial state. */
    static void append(ByteBuf out, ObjectEntry object) {
        out.writeBytes(ADDED_HEAD);
        out.writeBytes(object.ascii() ? object.json() : AsciiJson.escape(object.json()));
        out.writeBytes(TAIL);
    }

    /** Appends a bookmark. */
    static void appendBookmark(ByteBuf out, WatchOrder order, long revision, boolean endOfInitialEvents) {
        ByteBufUtil.writeAscii(
                out,
                "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":" + AsciiJson.quoted(order.kind()) + ",\"apiVersion\":"
                        + AsciiJson.quoted(order.apiVersion()) + ",\"metadata\":{\"resourceVersion\":\"" + revision
                        + "\""
                        + (endOfInitialEvents ? ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}" : "")
                        + "}}}\n");
    }

    /** The line that ends a watch with an error. */
    static ByteBuf error(Status status) {
        byte[] json = status.json();
        byte[] ascii = AsciiJson.is(json) ? json : AsciiJson.escape(json);
        int length = ascii.length > 0 && ascii[ascii.length - 1] == '\n' ? ascii.length - 1 : ascii.length;
        return ALLOCATOR
                .directBuffer(ERROR_HEAD.length + length + TAIL.length)
                .writeBytes(ERROR_HEAD)
                .writeBytes(ascii, 0, length)
                .writeBytes(TAIL);
    }

    private static void spliced(ByteBuf out, byte[] json, long revision) {
        ObjectJson parts = ObjectJson.of(json);
        out.writeBytes(json, 0, parts.revisionStart());
        ByteBufUtil.writeAscii(out, Long.toString(revision));
        out.writeBytes(json, parts.revisionEnd(), json.length - parts.revisionEnd());
    }

    private static byte[] objectJson(HistoryEvent event) {
        ObjectEntry object = present(event.object());
        if (object.ascii()) {
            return object.json();
        }
        Escaped escaped = escaped(event);
        byte[] json = escaped.object;
        if (json == null) {
            json = AsciiJson.escape(object.json());
            escaped.object = json;
        }
        return json;
    }

    private static byte[] previousJson(HistoryEvent event) {
        ObjectEntry previous = present(event.previous());
        if (previous.ascii()) {
            return previous.json();
        }
        Escaped escaped = escaped(event);
        byte[] json = escaped.previous;
        if (json == null) {
            json = AsciiJson.escape(previous.json());
            escaped.previous = json;
        }
        return json;
    }

    private static ObjectEntry present(@Nullable ObjectEntry object) {
        if (object == null) {
            throw new IllegalStateException("an event was given a type that its objects do not bear out");
        }
        return object;
    }

    private static Escaped escaped(HistoryEvent event) {
        if (event.frames instanceof Escaped kept) {
            return kept;
        }
        Escaped made = new Escaped();
        event.frames = made;
        return made;
    }

    /** Escaped forms of an event's objects. Loops that race make one twice, and either serves. */
    private static final class Escaped {
        volatile byte @Nullable [] object;
        volatile byte @Nullable [] previous;
    }
}
