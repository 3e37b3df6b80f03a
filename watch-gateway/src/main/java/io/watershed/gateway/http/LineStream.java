package io.watershed.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.fanout.Framing;
import io.watershed.gateway.fanout.LoopDispatcher;
import io.watershed.gateway.fanout.WatchOrder;

/** A watch as every Kubernetes client knows it: a line an event, and nothing else, as clients fail on blank lines. */
final class LineStream implements WatchTransport {
    private final Exchange exchange;

    LineStream(Exchange exchange) {
        this.exchange = exchange;
    }

    @Override
    public Framing framing() {
        return Framing.LINES;
    }

    @Override
    public void open(LoopDispatcher dispatcher, WatchOrder order) {
        head();
        exchange.sendHead();
        WatchResponse.open(exchange, null, dispatcher, order);
    }

    @Override
    public void fail(Status status) {
        head().write(Buffer.buffer(error(status)));
        exchange.endStream();
    }

    /** Headers go out before there is any event: a client takes the watch for established by them. */
    private HttpServerResponse head() {
        exchange.api(200).putHeader("Content-Type", "application/json").putHeader("X-Accel-Buffering", "no");
        return exchange.stream();
    }

    /** An ERROR event with its line feed. */
    static byte[] error(Status status) {
        return Buffer.buffer("{\"type\":\"ERROR\",\"object\":")
                .appendBytes(status.json())
                .appendBytes("}\n".getBytes(UTF_8))
                .getBytes();
    }
}
