package io.watershed.gateway.http;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.watershed.gateway.access.AccessPolicy;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.cache.WatchCache;
import io.watershed.gateway.fanout.Fanout;
import io.watershed.gateway.fanout.LoopDispatcher;
import io.watershed.gateway.openapi.OpenApi;
import io.watershed.gateway.review.Reviews;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP servers of a gateway, one an event loop, on one port.
 *
 * <p><em>Threads:</em> {@link #start} and {@link #drain} from any; what they begin runs on the loops.
 */
public final class GatewayServer {
    private static final int MAX_REQUEST_LINE = 32 << 10;
    private static final int MAX_HEADERS = 64 << 10;

    /** Vert.x's way to say: a free port, and the same one for every loop. */
    private static final int FREE_PORT_FOR_ALL = -1;

    /** Each watch of a client is a stream; Go's clients open a connection more where these don't suffice. */
    private static final long HTTP2_STREAMS = 1000;

    /** Streams that a client may cancel in 30 s: as many as it may have, so that one which stops them all is not taken for an attacker. */
    private static final int HTTP2_RESETS = 1000;

    /** How long an HTTP/2 connection may stay when its watches have ended. */
    private static final Duration HTTP2_GRACE = Duration.ofSeconds(1);

    private static final long TICK_MILLIS = 1000;

    private final Vertx vertx;
    private final ServerSettings settings;
    private final WatchCache cache;
    private final Fanout fanout;
    private final Drain drain;
    private final AccessPolicy policy;
    private final PrometheusMeterRegistry meters;
    private final String version;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final OpenApi openApi = new OpenApi();
    private final List<Loop> loops = new CopyOnWriteArrayList<>();

    public GatewayServer(
            Vertx vertx,
            ServerSettings settings,
            WatchCache cache,
            Fanout fanout,
            Drain drain,
            AccessPolicy policy,
            PrometheusMeterRegistry meters,
            String version,
            InstantSource clock,
            LongSupplier nanos) {
        this.vertx = vertx;
        this.policy = policy;
        this.settings = settings;
        this.cache = cache;
        this.fanout = fanout;
        this.drain = drain;
        this.meters = meters;
        this.version = version;
        this.clock = clock;
        this.nanos = nanos;
    }

    /** Listens on as many loops. The future fails when the address is taken. */
    public Future<Integer> start(int loopCount) {
        Supplier<Loop> loop = () -> new Loop();
        return vertx.deployVerticle(loop, new DeploymentOptions().setInstances(loopCount))
                .map(deployed -> loops.get(0).port());
    }

    /** Ends every watch, each with a last bookmark where those are allowed, spread over the time. Completes when none is left. */
    public Future<Void> drain(Duration over) {
        drain.begin();
        List<Future<Void>> drained = new ArrayList<>();
        for (Loop loop : loops) {
            drained.add(loop.drain(over));
        }
        return Future.all(drained).mapEmpty();
    }

    private final class Loop extends VerticleBase {
        private @Nullable HttpServer server;
        private @Nullable LoopDispatcher dispatcher;
        private final Http2Connections http2 = new Http2Connections();

        int port() {
            return java.util.Objects.requireNonNull(server).actualPort();
        }

        @Override
        public Future<?> start() {
            Context loop = context;
            LoopDispatcher watches = fanout.dispatcher(task -> loop.runOnContext(turn -> task.run()));
            dispatcher = watches;
            vertx.setPeriodic(TICK_MILLIS, tick -> watches.tick(nanos.getAsLong()));
            Catalogue catalogue = new Catalogue(cache::view, settings.extensions());
            RevisionWait revisions = new RevisionWait(vertx, cache);
            WatchOpener opener = new WatchOpener(vertx, cache, watches, revisions, nanos, new SecureRandom());
            ObjectsHandler objects =
                    new ObjectsHandler(vertx, cache, revisions, opener, catalogue, settings.undecodable(), clock);
            RequestRouter router = new RequestRouter(
                    cache,
                    catalogue,
                    objects,
                    new ExtensionsHandler(vertx, settings.extensions(), cache, catalogue, objects),
                    new ReviewsHandler(vertx, new Reviews(policy, clock)),
                    new OpenApiHandler(vertx, openApi, catalogue, clock),
                    new HealthHandler(cache, drain),
                    drain,
                    new Origins(settings.allowedOrigins()),
                    meters,
                    version);
            HttpServer listening = vertx.createHttpServer(options())
                    .requestHandler(request -> {
                        http2.saw(request);
                        router.handle(request);
                    })
                    .invalidRequestHandler(GatewayServer.this::refuse);
            server = listening;
            loops.add(this);
            return listening.listen();
        }

        Future<Void> drain(Duration over) {
            Promise<Void> done = Promise.promise();
            context.runOnContext(turn -> {
                LoopDispatcher watches = java.util.Objects.requireNonNull(dispatcher);
                long now = nanos.getAsLong();
                watches.drain(now, now + over.toNanos());
                http2.drain(over.plus(HTTP2_GRACE));
                vertx.setPeriodic(1, 200, timer -> {
                    watches.tick(nanos.getAsLong());
                    if (watches.watchers() == 0) {
                        vertx.cancelTimer(timer);
                        done.tryComplete();
                    }
                });
            });
            return done.future();
        }
    }

    private HttpServerOptions options() {
        HttpServerOptions options = new HttpServerOptions()
                .setHost(settings.host())
                .setPort(settings.port() == 0 ? FREE_PORT_FOR_ALL : settings.port())
                .setReuseAddress(true)
                .setTcpKeepAlive(true)
                .setTcpNoDelay(true)
                .setAcceptBacklog(1024)
                .setStrictThreadMode(true)
                .setMaxInitialLineLength(MAX_REQUEST_LINE)
                .setMaxHeaderSize(MAX_HEADERS)
                .setHttp2ClearTextEnabled(settings.loopback())
                .setHttp2RstFloodMaxRstFramePerWindow(HTTP2_RESETS)
                .setInitialSettings(new Http2Settings()
                        .setMaxConcurrentStreams(HTTP2_STREAMS)
                        .setMaxHeaderListSize(MAX_HEADERS));
        if (settings.tls() != null) {
            settings.tls().applyTo(options);
        }
        return options;
    }

    /** What Vert.x could not parse: too long, or no HTTP. */
    private void refuse(HttpServerRequest request) {
        Throwable why = request.decoderResult().cause();
        Exchange exchange = new Exchange(request, cache).closing();
        String name = why == null ? "" : why.getClass().getSimpleName();
        if (name.equals("TooLongHttpLineException")) {
            exchange.status(
                    Status.limit(414, "RequestURITooLong", "the URL is longer than " + MAX_REQUEST_LINE + " bytes"));
        } else if (name.equals("TooLongHttpHeaderException")) {
            exchange.status(Status.limit(
                    431, "RequestHeaderFieldsTooLarge", "the headers are longer than " + MAX_HEADERS + " bytes"));
        } else {
            exchange.status(Status.badRequest("the request is not HTTP/1.1"));
        }
    }
}
