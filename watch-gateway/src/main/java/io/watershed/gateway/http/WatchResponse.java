package io.watershed.gateway.http;

import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import io.watershed.gateway.fanout.LoopDispatcher;
import io.watershed.gateway.fanout.WatchOrder;
import io.watershed.gateway.fanout.WatchSink;
import io.watershed.gateway.fanout.Watcher;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A watch in a response body: each batch of frames as one chunk, or in DATA frames of HTTP/2, where a stream that is not read holds up no
 * other.
 *
 * <p><em>Threads:</em> its event loop's.
 */
final class WatchResponse implements WatchSink {
    /** How long nothing is written before a heartbeat: below the 15 s after which proxies begin to close streams. */
    private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** What an HTTP/2 stream holds before its watch stays behind. */
    private static final int STREAM_BYTES = 64 << 10;

    private final Exchange exchange;
    private final HttpServerResponse response;
    private final @Nullable Buffer heartbeat;
    private @Nullable Watcher watcher;
    private boolean wrote = true;

    /** Of an HTTP/2 stream: written, but still held here by its or its connection's window. */
    private int heldBytes;

    private boolean refused;
    private long quietSinceNanos;

    private WatchResponse(Exchange exchange, @Nullable Buffer heartbeat) {
        this.exchange = exchange;
        this.response = exchange.response();
        this.heartbeat = heartbeat;
    }

    /**
     * Has the watch served from now on; the head was sent.
     *
     * @param heartbeat what is sent when there was nothing to send for a while; null for nothing
     */
    static void open(Exchange exchange, @Nullable Buffer heartbeat, LoopDispatcher dispatcher, WatchOrder order) {
        WatchResponse watch = new WatchResponse(exchange, heartbeat);
        Watcher opened = dispatcher.open(order, watch);
        watch.watcher = opened;
        exchange.response().closeHandler(gone -> opened.close());
        exchange.response().exceptionHandler(failure -> opened.close());
    }

    @Override
    public boolean isWritable() {
        if (exchange.isHttp2()) {
            // Vert.x counts messages here, of which each may be a whole batch.
            refused = heldBytes >= STREAM_BYTES;
            return !refused;
        }
        if (!response.writeQueueFull()) {
            return true;
        }
        response.drainHandler(drained -> {
            Watcher open = watcher;
            if (open != null) {
                open.writable();
            }
        });
        return false;
    }

    @Override
    public void write(ByteBuf frames) {
        if (response.closed() || response.ended()) {
            frames.release();
            return;
        }
        wrote = true;
        // Vert.x does not release what it is given: the buffer is shared by many watches.
        int bytes = frames.readableBytes();
        heldBytes += bytes;
        response.write(BufferInternal.buffer(frames)).onComplete(written -> {
            frames.release();
            heldBytes -= bytes;
            goOn();
        });
    }

    private void goOn() {
        Watcher open = watcher;
        if (refused && open != null && heldBytes < STREAM_BYTES) {
            refused = false;
            open.writable();
        }
    }

    @Override
    public void keepAlive(long nowNanos) {
        if (wrote) {
            wrote = false;
            quietSinceNanos = nowNanos;
        } else if (heartbeat != null
                && nowNanos - quietSinceNanos >= HEARTBEAT_NANOS
                && !response.closed()
                && !response.ended()
                && isWritable()) {
            quietSinceNanos = nowNanos;
            response.write(heartbeat);
        }
    }

    @Override
    public void end() {
        if (!response.closed() && !response.ended()) {
            exchange.endStream();
        }
    }
}
