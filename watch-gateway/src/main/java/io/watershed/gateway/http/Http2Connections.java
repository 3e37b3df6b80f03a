package io.watershed.gateway.http;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The HTTP/2 connections of one loop, which carry many watches each: a connection that is to end says so first (GOAWAY), so that its
 * client asks elsewhere while its open streams come to their own ends.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
final class Http2Connections {
    private final Set<HttpConnection> open = new HashSet<>();

    /** To be called for each request. */
    void saw(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            HttpConnection connection = request.connection();
            if (open.add(connection)) {
                connection.closeHandler(closed -> open.remove(connection));
            }
        }
    }

    /** Takes no new streams, and closes each connection behind its last one, or after the time. */
    void drain(Duration atMost) {
        for (HttpConnection connection : List.copyOf(open)) {
            connection.shutdown(Math.max(1, atMost.toMillis()), TimeUnit.MILLISECONDS);
        }
    }
}
