package io.watershed.gateway.http;

import io.vertx.core.Vertx;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.Query;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.fanout.Framing;
import io.watershed.gateway.fanout.LoopDispatcher;
import io.watershed.gateway.fanout.WatchOrder;

/**
 * How one watch goes to its client. What fails before either of {@link #open} and {@link #fail} is answered as plain HTTP.
 *
 * <p><em>Threads:</em> the exchange's event loop.
 */
interface WatchTransport {
    /** The one that a request for a watch asks for. */
    static WatchTransport of(Vertx vertx, Exchange exchange, Query query) throws ApiFailure {
        if (exchange.isWebSocket()) {
            return WebSocketTransport.of(vertx, exchange);
        }
        return exchange.wantsEventStream() ? new EventStream(exchange, query) : new LineStream(exchange);
    }

    Framing framing();

    /** Begins the answer, and has the watch served from then on. */
    void open(LoopDispatcher dispatcher, WatchOrder order);

    /** Answers with an ERROR event alone. */
    void fail(Status status);

    /** The place to go on from that the transport itself brings; empty for none. */
    default String lastEventId() {
        return "";
    }

    /** Whether the client is to be told that its place is gone, and then sent the present state by {@link #open}. */
    default boolean startsAnewAfter(Status gone) {
        return false;
    }
}
