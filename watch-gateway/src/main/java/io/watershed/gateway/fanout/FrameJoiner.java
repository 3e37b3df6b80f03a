package io.watershed.gateway.fanout;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.cache.HistoryEvent;
import io.watershed.gateway.cache.ObjectEntry;
import io.watershed.gateway.represent.TableTransform;
import io.watershed.gateway.represent.Transform;
import io.watershed.log.Generation;
import org.jspecify.annotations.Nullable;

/**
 * Joins the frames of one class in one buffer, as its transport needs them: what is written to many sockets is framed once.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
final class FrameJoiner {
    private static final byte[] DATA = "data: ".getBytes(US_ASCII);
    private static final byte[] NO_ID = "id:\n".getBytes(US_ASCII);

    private final Framing framing;
    private final Transform transform;
    private final ByteBuf out = Frames.ALLOCATOR.directBuffer();

    /** Revision of the last event, while its block is not closed; else -1. */
    private long open = -1;

    FrameJoiner(WatchTarget target) {
        this.framing = target.framing();
        this.transform = target.transform();
    }

    /** The id of server-sent events behind a revision. */
    static String id(Generation generation, long revision) {
        return "id: " + generation + ":" + revision + "\n";
    }

    int bytes() {
        return out.readableBytes();
    }

    void add(HistoryEvent event, EventType type, @Nullable Generation generation) {
        if (open != event.revision()) {
            closeBlock(generation, open);
        } else {
            closeBlock(null, open);
        }
        int start = begin(type.name());
        Frames.append(out, event, type, transform);
        end(start);
        if (framing == Framing.SERVER_SENT_EVENTS) {
            open = event.revision();
        }
    }

    /** An object of the initial state, which has no place to resume from before its end. */
    void add(ObjectEntry object) {
        int start = begin(EventType.ADDED.name());
        Frames.append(out, object, transform);
        end(start);
        endBlock();
    }

    void addBookmark(WatchOrder order, long revision, boolean endOfInitialEvents, @Nullable Generation generation) {
        int start = begin("BOOKMARK");
        Frames.appendBookmark(out, order, revision, endOfInitialEvents);
        end(start);
        addPlace(revision, generation);
    }

    /** Everything up to a revision was sent; said where the transport has a way to say it without an event. */
    void addPlace(long revision, @Nullable Generation generation) {
        if (framing == Framing.SERVER_SENT_EVENTS && generation != null) {
            ByteBufUtil.writeAscii(out, id(generation, revision));
        }
        endBlock();
    }

    /**
     * What was joined. Nothing can be added any more.
     *
     * @param completed the last revision that was gone through to its end
     */
    ByteBuf finish(@Nullable Generation generation, long completed) {
        closeBlock(open <= completed ? generation : null, open);
        return out;
    }

    /** What was joined, without a place. Nothing can be added any more. */
    ByteBuf finish() {
        return finish(null, -1);
    }

    private void closeBlock(@Nullable Generation generation, long revision) {
        if (open >= 0) {
            addPlace(revision, generation);
            open = -1;
        }
    }

    private void endBlock() {
        if (framing == Framing.SERVER_SENT_EVENTS) {
            out.writeByte('\n');
        }
    }

    private int begin(String type) {
        int start = out.writerIndex();
        switch (framing) {
            case LINES -> {}
            case WEB_SOCKET -> WebSocketFrames.begin(out);
            case SERVER_SENT_EVENTS -> {
                ByteBufUtil.writeAscii(out, "event: " + type + "\n");
                out.writeBytes(DATA);
            }
        }
        return start;
    }

    private void end(int start) {
        if (framing == Framing.WEB_SOCKET) {
            WebSocketFrames.end(out, start);
        }
    }

    /** The event that ends a watch with an error. A client whose place is gone forgets it, and so starts anew. */
    static ByteBuf error(Status status, Framing framing) {
        ByteBuf line = Frames.error(status);
        if (framing == Framing.LINES) {
            return line;
        }
        ByteBuf out = Frames.ALLOCATOR.directBuffer(line.readableBytes() + 64);
        if (framing == Framing.WEB_SOCKET) {
            WebSocketFrames.writeHead(out, line.readableBytes());
            out.writeBytes(line);
        } else {
            ByteBufUtil.writeAscii(out, "event: ERROR\n");
            if (status.code() == 410) {
                out.writeBytes(NO_ID);
            }
            out.writeBytes(DATA).writeBytes(line).writeByte('\n');
        }
        line.release();
        return out;
    }

    /** The first frames that a client is sent, where the very first says more than it says to others. Frames pass in and out. */
    static ByteBuf first(ByteBuf frames, WatchTarget target) {
        Transform transform = target.transform();
        if (target.framing() != Framing.WEB_SOCKET || transform.columns() == null) {
            return Frames.first(frames, transform);
        }
        ByteBuf none = Unpooled.wrappedBuffer(TableTransform.NO_COLUMNS);
        for (int at = frames.readerIndex(); at < frames.writerIndex(); ) {
            ByteBuf message = WebSocketFrames.payload(frames, at);
            int end = at + WebSocketFrames.headLength(message.readableBytes()) + message.readableBytes();
            if (ByteBufUtil.indexOf(none, message) >= 0) {
                return replaced(frames, at, end, Frames.first(message.retain(), transform));
            }
            at = end;
        }
        return frames;
    }

    /** The frames with another payload for the message between two places. */
    private static ByteBuf replaced(ByteBuf frames, int at, int end, ByteBuf payload) {
        ByteBuf whole = Frames.ALLOCATOR.directBuffer(frames.readableBytes() + payload.readableBytes());
        whole.writeBytes(frames, frames.readerIndex(), at - frames.readerIndex());
        WebSocketFrames.writeHead(whole, payload.readableBytes());
        whole.writeBytes(payload).writeBytes(frames, end, frames.writerIndex() - end);
        payload.release();
        frames.release();
        return whole;
    }
}
