package io.watershed.gateway.http;

import io.vertx.core.buffer.Buffer;

/**
 * What a client sends over a WebSocket. A watch asks nothing of it: messages are passed over, pings and the close are told. Keeps no more
 * than one control frame.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
final class WebSocketReader {
    /** Told about frames. After {@link #closed} or {@link #broken} nothing more. */
    interface Listener {
        /** {@code payload}: what the answer has to repeat. */
        void pinged(Buffer payload);

        /** The client has closed. */
        void closed();

        /** The client breaks the protocol, for which a close code stands. */
        void broken(int code);
    }

    static final int PROTOCOL_ERROR = 1002;
    static final int TOO_BIG = 1009;

    /** Bytes of a message, over all its frames. */
    static final int MAX_MESSAGE = 4096;

    private static final int MAX_CONTROL = 125;
    private static final int MASK = 4;
    private static final int FIRST_CONTROL = 8;
    private static final int OPCODE_CONTINUATION = 0;
    private static final int OPCODE_BINARY = 2;
    private static final int OPCODE_CLOSE = 8;
    private static final int OPCODE_PING = 9;
    private static final int OPCODE_PONG = 10;

    private final Listener listener;

    /** Of the present frame: its head and, if it is a control frame, its payload. */
    private Buffer kept = Buffer.buffer();

    private long skip;
    private long message;
    private boolean inMessage;
    private boolean over;

    WebSocketReader(Listener listener) {
        this.listener = listener;
    }

    void read(Buffer bytes) {
        int at = 0;
        while (at < bytes.length() && !over) {
            if (skip > 0) {
                int passed = (int) Math.min(skip, bytes.length() - at);
                skip -= passed;
                at += passed;
            } else {
                kept.appendByte(bytes.getByte(at++));
                frame();
            }
        }
    }

    /** Looks at what is kept of a frame, each time that there is one byte more. */
    private void frame() {
        if (kept.length() < 2) {
            return;
        }
        int first = kept.getUnsignedByte(0);
        int second = kept.getUnsignedByte(1);
        int opcode = first & 0x0f;
        boolean control = opcode >= FIRST_CONTROL;
        int length = second & 0x7f;
        if (!isValid(first, opcode) || second < 0x80 || (control && length > MAX_CONTROL)) {
            breakOff(PROTOCOL_ERROR);
            return;
        }
        int head = 2 + (length == 127 ? 8 : length == 126 ? 2 : 0) + MASK;
        if (kept.length() < head) {
            return;
        }
        if (control) {
            if (kept.length() == head + length) {
                control(opcode, head, length);
                kept = Buffer.buffer();
            }
        } else {
            pass(first, length == 127 ? kept.getLong(2) : length == 126 ? kept.getUnsignedShort(2) : length);
            kept = Buffer.buffer();
        }
    }

    /** No extension was agreed on, so no reserved bit is set; control frames come whole, and continuations behind a beginning. */
    private boolean isValid(int first, int opcode) {
        if ((first & 0x70) != 0) {
            return false;
        }
        if (opcode >= FIRST_CONTROL) {
            return opcode <= OPCODE_PONG && (first & 0x80) != 0;
        }
        return opcode <= OPCODE_BINARY && (opcode == OPCODE_CONTINUATION) == inMessage;
    }

    private void pass(int first, long length) {
        message = inMessage ? message + length : length;
        if (length < 0 || length > MAX_MESSAGE || message > MAX_MESSAGE) {
            breakOff(TOO_BIG);
            return;
        }
        inMessage = (first & 0x80) == 0;
        skip = length;
    }

    private void control(int opcode, int head, int length) {
        if (opcode == OPCODE_CLOSE) {
            over = true;
            listener.closed();
        } else if (opcode == OPCODE_PING) {
            Buffer payload = Buffer.buffer(length);
            for (int i = 0; i < length; i++) {
                payload.appendByte((byte) (kept.getByte(head + i) ^ kept.getByte(head - MASK + i % MASK)));
            }
            listener.pinged(payload);
        }
    }

    private void breakOff(int code) {
        over = true;
        listener.broken(code);
    }
}
