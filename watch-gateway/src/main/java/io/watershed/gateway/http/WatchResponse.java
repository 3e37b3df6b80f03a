package io.watershed.gateway.http;

import io.netty.buffer.ByteBuf;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import io.watershed.gateway.fanout.LoopDispatcher;
import io.watershed.gateway.fanout.WatchOrder;
import io.watershed.gateway.fanout.WatchSink;
import io.watershed.gateway.fanout.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * A watch over HTTP/1.1: the head at once, then each batch of frames as one chunk.
 *
 * <p><em>Threads:</em> its event loop's.
 */
final class WatchResponse implements WatchSink {
    private final HttpServerResponse response;
    private @Nullable Watcher watcher;

    private WatchResponse(HttpServerResponse response) {
        this.response = response;
    }

    /** Sends the head, and has the watch served from then on. */
    static void open(Exchange exchange, LoopDispatcher dispatcher, WatchOrder order) {
        WatchResponse watch = new WatchResponse(exchange.response());
        head(exchange);
        Watcher opened = dispatcher.open(order, watch);
        watch.watcher = opened;
        exchange.response().closeHandler(gone -> opened.close());
        exchange.response().exceptionHandler(failure -> opened.close());
    }

    /** Headers go out before there is any event: a client takes the watch for established by them. */
    static void head(Exchange exchange) {
        exchange.api(200)
                .putHeader("Content-Type", "application/json")
                .putHeader("X-Accel-Buffering", "no")
                .setChunked(true)
                .writeHead();
    }

    @Override
    public boolean isWritable() {
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
        // Vert.x does not release what it is given: the buffer is shared by many watches.
        response.write(BufferInternal.buffer(frames)).onComplete(written -> frames.release());
    }

    @Override
    public void end() {
        if (!response.closed() && !response.ended()) {
            response.end();
        }
    }
}
