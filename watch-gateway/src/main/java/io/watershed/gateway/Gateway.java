package io.watershed.gateway;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.watershed.gateway.access.AlwaysAllow;
import io.watershed.gateway.cache.CacheSettings;
import io.watershed.gateway.cache.WatchCache;
import io.watershed.gateway.fanout.Fanout;
import io.watershed.gateway.fanout.FanoutSettings;
import io.watershed.gateway.http.Drain;
import io.watershed.gateway.http.GatewayServer;
import io.watershed.gateway.http.ServerSettings;
import io.watershed.log.kafka.LogSettings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One gateway: the cache that follows the log, and the servers that answer from it. */
public final class Gateway implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(Gateway.class);
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Vertx vertx;
    private final WatchCache cache;
    private final GatewayServer server;
    private final int port;
    private final Duration drain;

    private Gateway(Vertx vertx, WatchCache cache, GatewayServer server, int port, Duration drain) {
        this.vertx = vertx;
        this.cache = cache;
        this.server = server;
        this.port = port;
        this.drain = drain;
    }

    /**
     * Listens at once, and answers 429 until the log was read.
     *
     * @throws java.io.IOException when the address is taken
     */
    static Gateway start(
            LogSettings log,
            CacheSettings cacheSettings,
            FanoutSettings fanoutSettings,
            ServerSettings serverSettings,
            int loops,
            Duration drain,
            PrometheusMeterRegistry meters,
            String version)
            throws java.io.IOException {
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(loops).setPreferNativeTransport(true));
        WatchCache cache = WatchCache.start(log, cacheSettings, meters, InstantSource.system());
        Fanout fanout = new Fanout(cache::view, fanoutSettings, meters, System::nanoTime);
        cache.addListener(fanout);
        GatewayServer server = new GatewayServer(
                vertx,
                serverSettings,
                cache,
                fanout,
                new Drain(),
                new AlwaysAllow(),
                meters,
                version,
                InstantSource.system(),
                System::nanoTime);
        try {
            int port = await(server.start(loops), Duration.ofSeconds(30));
            return new Gateway(vertx, cache, server, port, drain);
        } catch (ExecutionException | TimeoutException e) {
            cache.close();
            vertx.close();
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new java.io.IOException(
                    "gateway.listen: can't listen on " + serverSettings.host() + ":" + serverSettings.port() + " ("
                            + cause.getMessage() + "): choose another port, or stop what uses it",
                    e);
        }
    }

    int port() {
        return port;
    }

    /** Unready at once; watches end over the drain time, each with a last bookmark where that is allowed; then the port closes. */
    @Override
    public void close() {
        try {
            await(server.drain(drain), drain.plus(GRACE));
        } catch (ExecutionException | TimeoutException e) {
            LOGGER.atWarn()
                    .addKeyValue("error", String.valueOf(e.getMessage()))
                    .log("some watches did not end in time");
        }
        try {
            await(vertx.close(), GRACE);
        } catch (ExecutionException | TimeoutException e) {
            LOGGER.atWarn()
                    .addKeyValue("error", String.valueOf(e.getMessage()))
                    .log("the servers did not close in time");
        }
        cache.close();
    }

    private static <T> T await(Future<T> future, Duration atMost) throws ExecutionException, TimeoutException {
        try {
            return future.toCompletionStage().toCompletableFuture().get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ExecutionException(e);
        }
    }
}
