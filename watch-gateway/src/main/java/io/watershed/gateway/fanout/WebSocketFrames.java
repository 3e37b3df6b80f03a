package io.watershed.gateway.fanout;

import io.netty.buffer.ByteBuf;

/** Text messages of one frame each, as a server sends them (RFC 6455 §5.2). */
final class WebSocketFrames {
    private static final int FINAL_TEXT = 0x81;
    private static final int SHORT_MAX = 125;
    private static final int MEDIUM = 126;
    private static final int MEDIUM_MAX = 0xffff;
    private static final int LONG = 127;

    /** The head of most events: what is left free for it. */
    private static final int MEDIUM_HEAD = 4;

    private WebSocketFrames() {}

    static int headLength(int payload) {
        return payload <= SHORT_MAX ? 2 : payload <= MEDIUM_MAX ? MEDIUM_HEAD : 10;
    }

    static void writeHead(ByteBuf out, int payload) {
        out.writeByte(FINAL_TEXT);
        if (payload <= SHORT_MAX) {
            out.writeByte(payload);
        } else if (payload <= MEDIUM_MAX) {
            out.writeByte(MEDIUM).writeShort(payload);
        } else {
            out.writeByte(LONG).writeLong(payload);
        }
    }

    /** Leaves room for the head of a message whose length is not known yet. */
    static void begin(ByteBuf out) {
        out.writeZero(MEDIUM_HEAD);
    }

    /** The payload is written: puts its head before it. {@code start}: where {@link #begin} was called. */
    static void end(ByteBuf out, int start) {
        int payload = out.writerIndex() - start - MEDIUM_HEAD;
        if (headLength(payload) == MEDIUM_HEAD) {
            out.setByte(start, FINAL_TEXT).setByte(start + 1, MEDIUM).setShort(start + 2, payload);
            return;
        }
        ByteBuf moved = out.copy(start + MEDIUM_HEAD, payload);
        out.writerIndex(start);
        writeHead(out, payload);
        out.writeBytes(moved);
        moved.release();
    }

    /** A view of the payload of the message at a place. */
    static ByteBuf payload(ByteBuf frames, int at) {
        int length = frames.getUnsignedByte(at + 1);
        return switch (length) {
            case MEDIUM -> frames.slice(at + MEDIUM_HEAD, frames.getUnsignedShort(at + 2));
            case LONG -> frames.slice(at + 10, (int) frames.getLong(at + 2));
            default -> frames.slice(at + 2, length);
        };
    }
}
