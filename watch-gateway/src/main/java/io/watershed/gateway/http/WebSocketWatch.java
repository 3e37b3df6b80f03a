package io.watershed.gateway.http;

import io.netty.buffer.ByteBuf;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;
import io.vertx.core.net.NetSocket;
import io.watershed.gateway.fanout.LoopDispatcher;
import io.watershed.gateway.fanout.WatchOrder;
import io.watershed.gateway.fanout.WatchSink;
import io.watershed.gateway.fanout.Watcher;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An open WebSocket with a watch on it. A ping goes out every 30 s, so that a peer which has gone is found by the network; whether it
 * answers does not matter.
 *
 * <p><em>Threads:</em> its event loop's.
 */
final class WebSocketWatch implements WatchSink, WebSocketReader.Listener {
    private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** How long the client may take to answer the close frame before its connection is closed. */
    private static final long CLOSE_MILLIS = 5000;

    private static final int NORMAL = 1000;
    private static final byte PING = (byte) 0x89;
    private static final byte PONG = (byte) 0x8a;
    private static final byte CLOSE = (byte) 0x88;

    private final Vertx vertx;
    private final NetSocket socket;
    private final WebSocketReader reader = new WebSocketReader(this);
    private @Nullable Watcher watcher;
    private boolean gone;
    private boolean closing;
    private boolean pinged;
    private long pingedAtNanos;

    WebSocketWatch(Vertx vertx, NetSocket socket) {
        this.vertx = vertx;
        this.socket = socket;
        socket.handler(reader::read);
        socket.closeHandler(closed -> leave());
        socket.exceptionHandler(failure -> leave());
    }

    /** Has the watch served from now on. */
    void serve(LoopDispatcher dispatcher, WatchOrder order) {
        if (!gone && !closing) {
            watcher = dispatcher.open(order, this);
        }
    }

    /** Sends one message, and ends. */
    void fail(byte[] message) {
        if (!gone && !closing) {
            socket.write(WebSocketTransport.text(message));
            end();
        }
    }

    private void leave() {
        gone = true;
        stop();
    }

    private void stop() {
        Watcher open = watcher;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public boolean isWritable() {
        if (!socket.writeQueueFull()) {
            return true;
        }
        socket.drainHandler(drained -> {
            Watcher open = watcher;
            if (open != null) {
                open.writable();
            }
        });
        return false;
    }

    @Override
    public void write(ByteBuf frames) {
        if (gone || closing) {
            frames.release();
            return;
        }
        // Vert.x does not release what it is given: the buffer is shared by many watches.
        socket.write(BufferInternal.buffer(frames)).onComplete(written -> frames.release());
    }

    @Override
    public void keepAlive(long nowNanos) {
        if (!pinged) {
            pinged = true;
            pingedAtNanos = nowNanos;
        } else if (nowNanos - pingedAtNanos >= PING_NANOS && !gone && !closing && !socket.writeQueueFull()) {
            pingedAtNanos = nowNanos;
            socket.write(Buffer.buffer(new byte[] {PING, 0}));
        }
    }

    @Override
    public void end() {
        close(NORMAL);
    }

    @Override
    public void pinged(Buffer payload) {
        // A client that pings without reading gets no answers, which would pile up here.
        if (!gone && !closing && !socket.writeQueueFull()) {
            socket.write(Buffer.buffer()
                    .appendByte(PONG)
                    .appendByte((byte) payload.length())
                    .appendBuffer(payload));
        }
    }

    @Override
    public void closed() {
        if (!closing) {
            stop();
            close(NORMAL);
        }
        socket.close();
    }

    @Override
    public void broken(int code) {
        stop();
        close(code);
    }

    /** Our side's close frame. The connection goes when the client has answered it, or has had the time to. */
    private void close(int code) {
        if (gone || closing) {
            return;
        }
        closing = true;
        socket.write(Buffer.buffer(new byte[] {CLOSE, 2}).appendUnsignedShort(code));
        long timer = vertx.setTimer(CLOSE_MILLIS, late -> socket.close());
        socket.closeHandler(closed -> {
            vertx.cancelTimer(timer);
            leave();
        });
    }
}
