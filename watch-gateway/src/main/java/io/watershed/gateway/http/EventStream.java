package io.watershed.gateway.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.watershed.gateway.api.Query;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.fanout.Framing;
import io.watershed.gateway.fanout.LoopDispatcher;
import io.watershed.gateway.fanout.WatchOrder;
import io.watershed.gateway.fanout.WatchStart;
import io.watershed.log.Generation;
import org.jspecify.annotations.Nullable;

/**
 * A watch as server-sent events, which browsers read and resume by themselves. An EventSource takes any answer but 200 for its end, so a
 * place that is gone is told in the stream.
 */
final class EventStream implements WatchTransport {
    private static final Buffer HEARTBEAT = Buffer.buffer(":\n\n");

    /** Milliseconds after which a browser connects again. */
    private static final String RETRY = "retry: 3000\n";

    private final Exchange exchange;
    private final Query query;
    private @Nullable Status gone;

    EventStream(Exchange exchange, Query query) {
        this.exchange = exchange;
        this.query = query;
    }

    /** The header, which a browser sends when it connects again; else the parameter, for who can set no header. */
    @Override
    public String lastEventId() {
        String header = exchange.request().getHeader("Last-Event-ID");
        return header == null || header.isEmpty() ? query.text("lastEventId") : header;
    }

    @Override
    public boolean startsAnewAfter(Status status) {
        if (!query.text("onGone").equals("snapshot")) {
            return false;
        }
        gone = status;
        return true;
    }

    @Override
    public Framing framing() {
        return Framing.SERVER_SENT_EVENTS;
    }

    @Override
    public void open(LoopDispatcher dispatcher, WatchOrder order) {
        StringBuilder first = new StringBuilder(RETRY).append(": open\n");
        Generation generation = exchange.generation();
        if (generation != null && order.start() instanceof WatchStart.After after && after.whole()) {
            // A client that is cut before the first event must know where it was. Without an id it asks as it did
            // first.
            first.append("id: ")
                    .append(generation)
                    .append(':')
                    .append(after.resourceVersion())
                    .append('\n');
        }
        first.append('\n');
        if (gone != null) {
            first.append(error(gone));
        }
        head().write(Buffer.buffer(first.toString()));
        WatchResponse.open(exchange, HEARTBEAT, dispatcher, order);
    }

    @Override
    public void fail(Status status) {
        head().write(Buffer.buffer(RETRY + "\n" + error(status)));
        exchange.endStream();
    }

    private HttpServerResponse head() {
        exchange.api(200)
                .putHeader("Content-Type", "text/event-stream")
                .putHeader("Cache-Control", "no-store")
                .putHeader("X-Accel-Buffering", "no");
        return exchange.stream();
    }

    /** A client whose place is gone forgets it; after any other error it asks again from there. */
    private static String error(Status status) {
        return "event: ERROR\n" + (status.code() == 410 ? "id:\n" : "") + "data: "
                + Buffer.buffer(LineStream.error(status)) + "\n";
    }
}
