package io.watershed.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.watershed.gateway.api.Accept;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.Query;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.cache.WatchCache;
import io.watershed.gateway.represent.Syntax;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its answer.
 *
 * <p><em>Threads:</em> its event loop's.
 */
final class Exchange {
    private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");
    private static final Logger LOGGER = LoggerFactory.getLogger(Exchange.class);

    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final WatchCache cache;
    private boolean last;

    Exchange(HttpServerRequest request, WatchCache cache) {
        this.request = request;
        this.response = request.response();
        this.cache = cache;
    }

    HttpServerRequest request() {
        return request;
    }

    HttpServerResponse response() {
        return response;
    }

    /** The raw path, as it was sent. */
    String path() {
        String path = request.path();
        return path == null || path.isEmpty() ? "/" : path;
    }

    boolean isHead() {
        return request.method().name().equals("HEAD");
    }

    @Nullable
    String accept() {
        List<String> headers = request.headers().getAll("Accept");
        return headers.isEmpty() ? null : String.join(",", headers);
    }

    /** Headers that every answer of the API carries. */
    HttpServerResponse api(int code) {
        response.setStatusCode(code).putHeader("Cache-Control", "no-cache, private");
        Duration staleness = cache.health().staleness();
        if (staleness != null) {
            response.putHeader("Watershed-Staleness-Seconds", String.valueOf(staleness.toMillis() / 1000.0));
        }
        return response;
    }

    /** A text that clients show to people, as kubectl does. */
    void warn(String text) {
        response.headers()
                .add("Warning", "299 - \"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
    }

    void status(Status status) {
        if (response.ended() || response.closed()) {
            return;
        }
        if (response.headWritten()) {
            response.reset();
            return;
        }
        if (status.retryAfterSeconds() > 0) {
            response.putHeader("Retry-After", Integer.toString(status.retryAfterSeconds()));
        }
        Accept.MediaType media = Accept.parse(accept()).plain();
        if (media == null) {
            end(api(status.code()), "application/json", status.indented());
        } else {
            document(api(status.code()), media, status.json());
        }
    }

    /** A mistake of ours: the log has it, the client gets no stack trace. */
    void failed(RuntimeException e) {
        LOGGER.atError().addKeyValue("path", path()).setCause(e).log("request failed");
        status(Status.internalError("see the gateway's log"));
    }

    /** A document of the API that is no object. */
    void document(Accept.MediaType media, String json) {
        document(api(200), media, json.strip().getBytes(UTF_8));
    }

    private void document(HttpServerResponse answer, Accept.MediaType media, byte[] json) {
        Syntax syntax = syntax(media);
        end(answer, syntax.contentType(), syntax.document(json));
    }

    /** How an answer is written down: people who look with curl or a browser get indented JSON, as from kube-apiserver. */
    Syntax syntax(Accept.MediaType media) {
        if (media.format() == Accept.Format.YAML) {
            return Syntax.YAML;
        }
        return media.pretty() || wantsIndented() ? Syntax.INDENTED_JSON : Syntax.JSON;
    }

    private boolean wantsIndented() {
        String pretty;
        try {
            pretty = Query.parse(request.query()).text("pretty");
        } catch (ApiFailure e) {
            // That it can't be read is what this answer says.
            return false;
        }
        if (!pretty.isEmpty()) {
            return TRUE.contains(pretty);
        }
        String agent = request.getHeader("User-Agent");
        return agent != null
                && (agent.startsWith("curl") || agent.startsWith("Wget") || agent.startsWith("Mozilla/5.0"));
    }

    void json(String body) {
        end(api(200), "application/json", body.getBytes(UTF_8));
    }

    void text(int code, String body) {
        response.setStatusCode(code)
                .putHeader("Cache-Control", "no-cache, private")
                .putHeader("X-Content-Type-Options", "nosniff");
        end(response, "text/plain; charset=utf-8", body.getBytes(UTF_8));
    }

    void end(HttpServerResponse answer, String type, byte[] body) {
        if (answer.ended() || answer.closed()) {
            return;
        }
        answer.putHeader("Content-Type", type);
        if (isHead()) {
            answer.putHeader("Content-Length", Integer.toString(body.length));
            end(null);
        } else {
            end(Buffer.buffer(body));
        }
    }

    /** An answer without a body, nor a type of one. */
    void endEmpty(int code) {
        response.setStatusCode(code).putHeader("Content-Length", "0");
        end(null);
    }

    private void end(@Nullable Buffer body) {
        Future<Void> ended = body == null ? response.end() : response.end(body);
        if (last) {
            ended.onComplete(written -> request.connection().close());
        }
    }

    /** No further request is taken from this connection: said to the client, and done. */
    Exchange closing() {
        last = true;
        response.putHeader("Connection", "close");
        return this;
    }
}
