package io.watershed.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.NetSocket;
import io.watershed.gateway.api.Accept;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.Query;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.cache.Moment;
import io.watershed.gateway.cache.WatchCache;
import io.watershed.gateway.represent.Syntax;
import io.watershed.log.Generation;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its answer.
 *
 * <p><em>Threads:</em> its event loop's.
 */
final class Exchange {
    private static final DateTimeFormatter MILLIS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSX").withZone(ZoneOffset.UTC);

    private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");
    private static final Pattern EVENT_STREAM = Pattern.compile("(?i)(^|,)\\s*text/event-stream\\s*(?=[;,]|$)");
    private static final Logger LOGGER = LoggerFactory.getLogger(Exchange.class);

    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final WatchCache cache;
    private final List<Runnable> whenUpgraded = new ArrayList<>();
    private boolean last;
    private boolean varies;
    private @Nullable WatchTransport transport;

    Exchange(HttpServerRequest request, WatchCache cache) {
        this.request = request;
        this.response = request.response();
        this.cache = cache;
        response.headersEndHandler(complete -> headersComplete());
    }

    /** After Vert.x, which takes a connection of HTTP/1.0 for kept even where only its end can end a body. */
    private void headersComplete() {
        if (last && !isHttp2()) {
            response.putHeader("Connection", "close");
        }
        if (varies) {
            response.headers().add("Vary", "Origin");
        }
    }

    /** Caches have to tell answers to different pages apart. */
    void varyByOrigin() {
        varies = true;
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

    /** Whether a long answer may be compressed. */
    boolean acceptsGzip() {
        return Gzip.isAccepted(request.headers().getAll("Accept-Encoding"));
    }

    /** What follows is compressed. */
    void saysCompressed() {
        response.putHeader("Content-Encoding", "gzip").headers().add("Vary", "Accept-Encoding");
    }

    boolean isHttp2() {
        return request.version() == HttpVersion.HTTP_2;
    }

    /** Whether the client asks for a WebSocket. Where it can't have one it is answered as if it had not asked. */
    boolean isWebSocket() {
        String connection = request.getHeader("Connection");
        String upgrade = request.getHeader("Upgrade");
        return request.version() == HttpVersion.HTTP_1_1
                && connection != null
                && upgrade != null
                && connection.toLowerCase(Locale.ROOT).contains("upgrade")
                && upgrade.equalsIgnoreCase("websocket");
    }

    /** Whether the client accepts server-sent events. Nobody names them who does not mean them. */
    boolean wantsEventStream() {
        String accept = accept();
        return accept != null && EVENT_STREAM.matcher(accept).find();
    }

    /** What the client accepts of objects in the events of a watch: a stream of events holds JSON. */
    @Nullable
    String acceptInEvents() {
        String accept = accept();
        return accept == null ? null : EVENT_STREAM.matcher(accept).replaceAll("$1application/json");
    }

    /** How the watch goes to its client. */
    WatchTransport watch() {
        return Objects.requireNonNull(transport, "the request is no watch");
    }

    void watchOver(WatchTransport chosen) {
        transport = chosen;
    }

    /** The history that is served. */
    @Nullable
    Generation generation() {
        return cache.view().generation();
    }

    /** Leaves HTTP with status 101. The headers are set. */
    Future<NetSocket> upgrade() {
        whenUpgraded.forEach(Runnable::run);
        return request.toNetSocket();
    }

    void whenUpgraded(Runnable task) {
        whenUpgraded.add(task);
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

    /** Says which moment the answer is of. */
    void asOf(Moment moment) {
        response.putHeader("Watershed-As-Of", MILLIS.format(Instant.ofEpochMilli(moment.timeMillis())));
    }

    /** A text that clients show to people, as kubectl does. */
    void warn(String text) {
        response.headers()
                .add("Warning", "299 - \"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
    }

    void status(Status failure) {
        // Java clients take 503 for "later, or without a WebSocket", and most other answers to an upgrade as final.
        Status status = failure.code() == 429 && isWebSocket()
                ? Status.unavailable(failure.message(), Math.max(1, failure.retryAfterSeconds()))
                : failure;
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
    void failed(Throwable e) {
        LOGGER.atError().addKeyValue("path", path()).setCause(e).log("request failed");
        status(Status.internalError("see the gateway's log"));
    }

    /** A document of the API that is no object. */
    void document(Accept.MediaType media, String json) {
        document(media, json.strip().getBytes(UTF_8));
    }

    void document(Accept.MediaType media, byte[] json) {
        document(api(200), media, json);
    }

    /** The answer to a question that was POSTed. */
    void created(Accept.MediaType media, byte[] json) {
        document(api(201), media, json);
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
        } else if (Gzip.isFor(body) && acceptsGzip()) {
            saysCompressed();
            end(Buffer.buffer(Gzip.compressed(body)));
        } else {
            end(Buffer.buffer(body));
        }
    }

    /** The answer with a body of unknown length: in chunks, or up to the end of the connection where there are none. */
    HttpServerResponse stream() {
        if (request.version() == HttpVersion.HTTP_1_0) {
            last = true;
            return response;
        }
        return response.setChunked(true);
    }

    /** The head of a {@link #stream} goes out before there is any body. */
    void sendHead() {
        if (request.version() == HttpVersion.HTTP_1_0) {
            // Vert.x writes no head by itself that tells no length.
            response.write(Buffer.buffer());
        } else {
            response.writeHead();
        }
    }

    /** The end of a {@link #stream}. */
    void endStream() {
        end(null);
    }

    private void end(@Nullable Buffer body) {
        Future<Void> ended = body == null ? response.end() : response.end(body);
        if (last) {
            ended.onComplete(written -> leave());
        }
    }

    /** No further request is taken from this connection: said to the client, and done. */
    Exchange closing() {
        last = true;
        return this;
    }

    private void leave() {
        if (isHttp2()) {
            // Other streams go on: only new ones are refused.
            request.connection().goAway(0);
        } else {
            request.connection().close();
        }
    }
}
