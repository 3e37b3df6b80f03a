package io.watershed.gateway.http;

import static org.awaitility.Awaitility.await;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.watershed.gateway.access.AlwaysAllow;
import io.watershed.gateway.api.Extension;
import io.watershed.gateway.cache.ObjectLog;
import io.watershed.gateway.cache.WatchCache;
import io.watershed.gateway.fanout.Fanout;
import io.watershed.gateway.fanout.FanoutSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The real server over the real cache, which follows a log that the test writes. */
final class GatewayFixture implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final ObjectLog log = new ObjectLog();
    final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    final WatchCache cache;
    final GatewayServer server;
    final int port;

    /** How far the gateway's clock is ahead of the machine's. */
    private final AtomicLong aheadNanos = new AtomicLong();

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    GatewayFixture() {
        this(FanoutSettings.Undecodable.FAIL);
    }

    GatewayFixture(FanoutSettings.Undecodable undecodable) {
        this(new ServerSettings("127.0.0.1", 0, true, null, Set.of(), EnumSet.allOf(Extension.class), undecodable));
    }

    GatewayFixture(ServerSettings settings) {
        cache = log.follow(meters);
        Fanout fanout = new Fanout(
                cache::view, new FanoutSettings(Duration.ofSeconds(1), settings.undecodable()), meters, this::nanos);
        cache.addListener(fanout);
        server = new GatewayServer(
                vertx,
                settings,
                cache,
                fanout,
                new Drain(),
                new AlwaysAllow(),
                meters,
                "test",
                InstantSource.system(),
                this::nanos);
        port = done(server.start(2));
    }

    private long nanos() {
        return System.nanoTime() + aheadNanos.get();
    }

    /** Moves the gateway's clock on. */
    void advance(Duration time) {
        aheadNanos.addAndGet(time.toNanos());
    }

    double openWatches() {
        return meters.find("watershed.gateway.watchers").gauges().stream()
                .mapToDouble(gauge -> gauge.value())
                .sum();
    }

    static <T> T done(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    /** Begins the log, and waits until it is served. */
    GatewayFixture serving(long revision) {
        log.begin(revision);
        return reached(revision);
    }

    GatewayFixture reached(long revision) {
        await().atMost(PATIENCE).until(() -> cache.view().watermark() >= revision);
        return this;
    }

    HttpResponse<String> get(String path, String... headers) {
        return send("GET", path, headers);
    }

    HttpResponse<String> send(String method, String path, String... headers) {
        return send(method, path, HttpRequest.BodyPublishers.noBody(), HttpResponse.BodyHandlers.ofString(), headers);
    }

    HttpResponse<String> post(String path, byte[] body, String... headers) {
        return send(
                "POST",
                path,
                HttpRequest.BodyPublishers.ofByteArray(body),
                HttpResponse.BodyHandlers.ofString(),
                headers);
    }

    /** GET, the body as it came. */
    HttpResponse<byte[]> bytes(String path, String... headers) {
        return send("GET", path, HttpRequest.BodyPublishers.noBody(), HttpResponse.BodyHandlers.ofByteArray(), headers);
    }

    private <T> HttpResponse<T> send(
            String method,
            String path,
            HttpRequest.BodyPublisher body,
            HttpResponse.BodyHandler<T> handler,
            String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PATIENCE)
                .method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), handler);
        } catch (IOException e) {
            throw new AssertionError(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    RawConnection connect() throws IOException {
        return new RawConnection(port);
    }

    @Override
    public void close() {
        done(vertx.close());
        cache.close();
    }
}
