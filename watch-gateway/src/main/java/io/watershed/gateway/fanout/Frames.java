package io.watershed.gateway.fanout;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.cache.HistoryEvent;
import io.watershed.gateway.cache.ObjectEntry;
import io.watershed.gateway.represent.TableTransform;
import io.watershed.gateway.represent.Transform;
import io.watershed.log.codec.ObjectJson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
    private static final byte[] BOOKMARK_HEAD = head("BOOKMARK");
    private static final byte[] ERROR_HEAD = head("ERROR");
    private static final byte[] TAIL = {'}', '\n'};

    private static final Logger LOGGER = LoggerFactory.getLogger(Frames.class);

    private Frames() {}

    private static byte[] head(String type) {
        return ("{\"type\":\"" + type + "\",\"object\":").getBytes(US_ASCII);
    }

    /** Appends one event. A DELETED carries the last state that matched, under the revision of the change that ended it. */
    static void append(ByteBuf out, HistoryEvent event, EventType type, Transform transform) {
        out.writeBytes(
                switch (type) {
                    case ADDED -> ADDED_HEAD;
                    case MODIFIED -> MODIFIED_HEAD;
                    case DELETED -> DELETED_HEAD;
                });
        byte[] shown = present(type == EventType.DELETED ? event.previous() : event.object())
                .json();
        if (isAsStored(transform, shown)) {
            if (type == EventType.DELETED) {
                spliced(out, previousJson(event), event.revision());
            } else {
                out.writeBytes(objectJson(event));
            }
        } else if (type == EventType.DELETED) {
            ByteBuf deleted = Unpooled.buffer();
            spliced(deleted, shown, event.revision());
            out.writeBytes(transformed(ByteBufUtil.getBytes(deleted), transform));
        } else {
            out.writeBytes(transformed(shown, transform));
        }
        out.writeBytes(TAIL);
    }

    /** Appends an object of the initial state. */
    static void append(ByteBuf out, ObjectEntry object, Transform transform) {
        out.writeBytes(ADDED_HEAD);
        if (isAsStored(transform, object.json())) {
            out.writeBytes(object.ascii() ? object.json() : AsciiJson.escape(object.json()));
        } else {
            out.writeBytes(transformed(object.json(), transform));
        }
        out.writeBytes(TAIL);
    }

    private static boolean isAsStored(Transform transform, byte[] json) {
        return transform instanceof Transform.Whole whole && whole.isAsStored(json);
    }

    /** In ASCII. Made for each class anew: a row tells ages, which are those of the moment. */
    private static byte[] transformed(byte[] json, Transform transform) {
        byte[] made;
        try {
            made = transform.event(json);
        } catch (RuntimeException e) {
            // The other watches of the loop must not suffer. Clients take whole objects too, as kube-apiserver's may be
            // in this case.
            LOGGER.atError()
                    .setCause(e)
                    .log("object can't be shown as asked for, and is sent as it is to some watches;"
                            + " please report this with the object's kind");
            made = json;
        }
        return AsciiJson.is(made) ? made : AsciiJson.escape(made);
    }

    /** The first frames that a client is sent, where the very first says more than it says to others. Frames pass in and out. */
    static ByteBuf first(ByteBuf frames, Transform transform) {
        byte[] columns = transform.columns();
        if (columns == null) {
            return frames;
        }
        ByteBuf none = Unpooled.wrappedBuffer(TableTransform.NO_COLUMNS);
        int at = ByteBufUtil.indexOf(none, frames);
        if (at < 0) {
            return frames;
        }
        int length = at - frames.readerIndex();
        ByteBuf first = ALLOCATOR.directBuffer(frames.readableBytes() + columns.length);
        first.writeBytes(frames, length).writeBytes(columns);
        frames.skipBytes(TableTransform.NO_COLUMNS.length);
        first.writeBytes(frames);
        frames.release();
        return first;
    }

    /** Appends a bookmark. */
    static void appendBookmark(ByteBuf out, WatchOrder order, long revision, boolean endOfInitialEvents) {
        String object = "{\"kind\":" + AsciiJson.quoted(order.kind()) + ",\"apiVersion\":"
                + AsciiJson.quoted(order.apiVersion()) + ",\"metadata\":{\"resourceVersion\":\"" + revision + "\""
                + (endOfInitialEvents ? ",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}" : "") + "}}";
        out.writeBytes(BOOKMARK_HEAD)
                .writeBytes(order.target().transform().bookmark(object.getBytes(US_ASCII), endOfInitialEvents))
                .writeBytes(TAIL);
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
