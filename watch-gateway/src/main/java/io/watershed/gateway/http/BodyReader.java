package io.watershed.gateway.http;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.watershed.gateway.api.Status;
import java.util.function.Consumer;

/**
 * Reads the body of one request, of limited length and in limited time. What is longer is read to its end but not kept, so that its
 * client comes to read why it was refused; but not for ever.
 *
 * <p><em>Threads:</em> its event loop's.
 */
final class BodyReader {
    /** As much too long a body as is still heard out. */
    private static final int MOST_DISCARDED = 1 << 20;

    private final Vertx vertx;
    private final Exchange exchange;
    private final HttpServerRequest request;
    private final int limit;
    private final Consumer<byte[]> then;
    private final Buffer body = Buffer.buffer();
    private long read;
    private long timer;
    private boolean over;

    private BodyReader(Vertx vertx, Exchange exchange, int limit, Consumer<byte[]> then) {
        this.vertx = vertx;
        this.exchange = exchange;
        this.request = exchange.request();
        this.limit = limit;
        this.then = then;
    }

    /**
     * Begins, in the turn in which the request came. Answers 413 or 408 where there is no whole body.
     *
     * @param limit in bytes
     * @param millis from now on
     */
    static void read(Vertx vertx, Exchange exchange, int limit, long millis, Consumer<byte[]> then) {
        new BodyReader(vertx, exchange, limit, then).begin(millis);
    }

    private void begin(long millis) {
        boolean asksFirst = "100-continue".equalsIgnoreCase(request.getHeader("Expect"));
        if (declared() > (asksFirst ? limit : MOST_DISCARDED)) {
            refuse(Status.entityTooLarge(limit));
            return;
        }
        timer = vertx.setTimer(
                millis,
                late -> refuse(Status.limit(
                        408, "Timeout", "the body of the request did not come within " + millis / 1000.0 + " s")));
        request.handler(this::part).endHandler(ended -> end()).exceptionHandler(gone -> stop());
        if (asksFirst) {
            exchange.response().writeContinue();
        }
    }

    private long declared() {
        String length = request.getHeader("Content-Length");
        return length != null && length.matches("[0-9]{1,18}") ? Long.parseLong(length) : 0;
    }

    private void part(Buffer part) {
        read += part.length();
        if (over) {
            return;
        }
        if (read <= limit) {
            body.appendBuffer(part);
        } else if (read > MOST_DISCARDED) {
            refuse(Status.entityTooLarge(limit));
        }
    }

    private void end() {
        if (!stop()) {
            return;
        }
        if (read > limit) {
            exchange.status(Status.entityTooLarge(limit));
            return;
        }
        try {
            then.accept(body.getBytes());
        } catch (RuntimeException e) {
            exchange.failed(e);
        }
    }

    /** What is still to come is not waited for, so the connection can't be used again. */
    private void refuse(Status status) {
        stop();
        exchange.closing().status(status);
    }

    private boolean stop() {
        boolean first = !over;
        over = true;
        vertx.cancelTimer(timer);
        return first;
    }
}
