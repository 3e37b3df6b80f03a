package io.watershed.gateway.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.watershed.gateway.api.Status;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which web pages may ask this gateway: its own, and those of the origins that the operator names. Others are refused whatever they ask, a
 * WebSocket included, as a browser lets any page reach what its user reaches. Clients that are no browsers name no origin.
 *
 * <p><em>Threads:</em> immutable.
 */
final class Origins {
    private static final String METHODS = "GET, HEAD, POST";
    private static final String HEADERS = "Accept, Authorization, Content-Type, If-None-Match, Last-Event-ID";
    private static final String EXPOSED = "ETag, Retry-After, Watershed-Staleness-Seconds";
    private static final String PREFLIGHT_SECONDS = "600";

    private final Set<String> allowed;

    /** @param allowed {@code scheme://host[:port]} each, in lower case */
    Origins(Set<String> allowed) {
        this.allowed = Set.copyOf(allowed);
    }

    /** Refuses a request or answers a preflight. Returns whether it did either; else the request is to be answered. */
    boolean answers(Exchange exchange) {
        HttpServerRequest request = exchange.request();
        if (!allowed.isEmpty()) {
            exchange.varyByOrigin();
        }
        String origin = request.getHeader("Origin");
        if (origin == null) {
            return refuses(exchange, "cross-site".equals(request.getHeader("Sec-Fetch-Site")));
        }
        if (!allowed.contains(origin.toLowerCase(Locale.ROOT))) {
            return refuses(exchange, !isOwn(request, origin));
        }
        HttpServerResponse response = exchange.response()
                .putHeader("Access-Control-Allow-Origin", origin)
                .putHeader("Access-Control-Expose-Headers", EXPOSED);
        if (request.method().equals(HttpMethod.OPTIONS) && request.getHeader("Access-Control-Request-Method") != null) {
            response.setStatusCode(204)
                    .putHeader("Access-Control-Allow-Methods", METHODS)
                    .putHeader("Access-Control-Allow-Headers", HEADERS)
                    .putHeader("Access-Control-Max-Age", PREFLIGHT_SECONDS)
                    .end();
            return true;
        }
        return false;
    }

    private static boolean refuses(Exchange exchange, boolean foreign) {
        if (foreign) {
            exchange.status(Status.limit(
                    403, "Forbidden", "web pages of this origin may not ask here; see gateway.allowedOrigins"));
        }
        return foreign;
    }

    /** A proxy may end TLS in front of a plain listener, so its scheme is not known. */
    private static boolean isOwn(HttpServerRequest request, String origin) {
        String host = authority(request);
        if (host == null) {
            return false;
        }
        String given = origin.toLowerCase(Locale.ROOT);
        return given.equals("https://" + withoutPort(host, ":443"))
                || (!request.isSSL() && given.equals("http://" + withoutPort(host, ":80")));
    }

    private static @Nullable String authority(HttpServerRequest request) {
        return request.authority() == null
                ? null
                : request.authority().toString().toLowerCase(Locale.ROOT);
    }

    private static String withoutPort(String host, String port) {
        return host.endsWith(port) ? host.substring(0, host.length() - port.length()) : host;
    }
}
