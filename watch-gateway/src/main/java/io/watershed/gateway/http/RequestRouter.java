package io.watershed.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.api.Accept;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.ApiPath;
import io.watershed.gateway.api.Discovery;
import io.watershed.gateway.api.Extension;
import io.watershed.gateway.api.Query;
import io.watershed.gateway.api.Resources;
import io.watershed.gateway.api.SelfReview;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.cache.CacheHealth;
import io.watershed.gateway.cache.WatchCache;
import java.util.List;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides who answers a request.
 *
 * <p><em>Threads:</em> one an event loop, confined to it.
 */
final class RequestRouter {
    private static final Logger LOGGER = LoggerFactory.getLogger(RequestRouter.class);
    private static final Pattern HEALTH = Pattern.compile("/(livez|readyz|healthz)(/.*)?");
    private static final List<String> PATHS =
            List.of("/api", "/api/v1", "/apis", "/healthz", "/livez", "/metrics", "/openapi/v3", "/readyz", "/version");

    private final WatchCache cache;
    private final Catalogue catalogue;
    private final ObjectsHandler objects;
    private final ExtensionsHandler extensions;
    private final ReviewsHandler reviews;
    private final OpenApiHandler openApi;
    private final HealthHandler health;
    private final Drain drain;
    private final Origins origins;
    private final PrometheusMeterRegistry meters;
    private final String version;

    RequestRouter(
            WatchCache cache,
            Catalogue catalogue,
            ObjectsHandler objects,
            ExtensionsHandler extensions,
            ReviewsHandler reviews,
            OpenApiHandler openApi,
            HealthHandler health,
            Drain drain,
            Origins origins,
            PrometheusMeterRegistry meters,
            String version) {
        this.cache = cache;
        this.catalogue = catalogue;
        this.objects = objects;
        this.extensions = extensions;
        this.reviews = reviews;
        this.openApi = openApi;
        this.health = health;
        this.drain = drain;
        this.origins = origins;
        this.meters = meters;
        this.version = version;
    }

    void handle(HttpServerRequest request) {
        Exchange exchange = new Exchange(request, cache);
        request.response()
                .exceptionHandler(failure -> LOGGER.atDebug().setCause(failure).log("client went away"));
        count(exchange, meters);
        try {
            if (!origins.answers(exchange)) {
                route(exchange);
            }
        } catch (ApiFailure e) {
            exchange.status(e.status());
        } catch (RuntimeException | StackOverflowError e) {
            // Of a request too, and no reason to leave its client without an answer.
            exchange.failed(e);
        }
    }

    private static void count(Exchange exchange, MeterRegistry meters) {
        Runnable count = () -> meters.counter(
                        "watershed_gateway_requests",
                        "code",
                        Integer.toString(exchange.response().getStatusCode()))
                .increment();
        exchange.response().endHandler(ended -> count.run());
        exchange.whenUpgraded(count);
    }

    private void route(Exchange exchange) throws ApiFailure {
        String path = exchange.path();
        HttpMethod method = exchange.request().method();
        boolean reads = method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
        SelfReview review = method.equals(HttpMethod.POST) ? SelfReview.at(path) : null;
        if (review != null) {
            requireCaughtUp();
            reviews.answer(exchange, review);
        } else if (!reads || (path.equals("/version") && exchange.isHead())) {
            exchange.status(Status.methodNotAllowed());
        } else if (HEALTH.matcher(path).matches()) {
            health.handle(exchange, path);
        } else if (path.equals("/metrics")) {
            exchange.end(
                    exchange.response(),
                    "text/plain; version=0.0.4; charset=utf-8",
                    meters.scrape().getBytes(UTF_8));
        } else if (path.equals("/version")) {
            exchange.json(Discovery.version(version));
        } else if (path.equals("/") || path.equals("/index.html")) {
            exchange.json("{\"paths\":[\"" + String.join("\",\"", PATHS) + "\"]}\n");
        } else if (path.startsWith("/api")) {
            api(exchange, method.equals(HttpMethod.HEAD));
        } else if (path.startsWith("/openapi/")) {
            requireCaughtUp();
            openApi.answer(exchange, path);
        } else {
            exchange.text(404, "404 page not found\n");
        }
    }

    private void requireCaughtUp() throws ApiFailure {
        CacheHealth state = cache.health();
        if (!state.caughtUp()) {
            throw new ApiFailure(Status.initializing(String.join("; ", state.reasons())));
        }
    }

    private void api(Exchange exchange, boolean head) throws ApiFailure {
        requireCaughtUp();
        Extension extension = extensions.at(exchange.path());
        if (extension != null) {
            extension(exchange, extension, head);
            return;
        }
        ApiPath path = ApiPath.parse(exchange.path(), catalogue.resources());
        if (path instanceof ApiPath.NoPath) {
            exchange.text(404, "404 page not found\n");
            return;
        }
        if (path instanceof ApiPath.Review) {
            throw new ApiFailure(Status.methodNotAllowed());
        }
        if (path instanceof ApiPath.Unknown) {
            throw new ApiFailure(Status.unknownResource());
        }
        boolean watch = path instanceof ApiPath.WatchPrefix
                || (path instanceof ApiPath.Objects
                        && Query.parse(exchange.request().query()).asksForWatch());
        Accept.MediaType media = Accept.parse(watch ? exchange.acceptInEvents() : exchange.accept())
                .choose(offer(path, watch));
        if (head && !answersHead(path)) {
            throw new ApiFailure(Status.methodNotAllowed());
        }
        if (path instanceof ApiPath.Groups groups) {
            groups(exchange, groups.core(), media);
        } else if (path instanceof ApiPath.Group group) {
            exchange.document(media, Discovery.group(group.group(), catalogue.resources()));
        } else if (path instanceof ApiPath.GroupVersion of) {
            exchange.document(media, Discovery.resources(of.group(), of.version(), catalogue.resources()));
        } else {
            objects(exchange, path, media, watch);
        }
    }

    private void extension(Exchange exchange, Extension extension, boolean head) throws ApiFailure {
        if (head) {
            throw new ApiFailure(Status.methodNotAllowed());
        }
        switch (extension) {
            case WATCH -> {
                refuseWhileDraining(exchange);
                extensions.watch(exchange);
            }
            case HISTORY -> extensions.history(exchange);
        }
    }

    private void refuseWhileDraining(Exchange exchange) throws ApiFailure {
        if (drain.isDraining()) {
            exchange.closing();
            throw new ApiFailure(Status.tooManyRequests("this gateway is shutting down, another one serves", 1));
        }
    }

    private static Accept.Offer offer(ApiPath path, boolean watch) {
        if (path instanceof ApiPath.Groups groups) {
            return Accept.Offer.groups(groups.core());
        } else if (path instanceof ApiPath.GroupVersion version) {
            return Accept.Offer.document(Resources.isBuiltIn(version.group()));
        } else if (path instanceof ApiPath.Single single) {
            return Accept.Offer.objects(Resources.hasTypedItems(single.type()), false, false);
        } else if (path instanceof ApiPath.Scale scale) {
            return Accept.Offer.scale(Resources.hasTypedItems(scale.type()));
        } else if (path instanceof ApiPath.Objects all) {
            return Accept.Offer.objects(Resources.hasTypedItems(all.type()), true, watch);
        } else if (path instanceof ApiPath.WatchPrefix prefix) {
            return Accept.Offer.objects(Resources.hasTypedItems(prefix.type()), true, true);
        }
        return Accept.Offer.document(false);
    }

    /** Of the API, kube-apiserver lets HEAD read only what lists groups. */
    private static boolean answersHead(ApiPath path) {
        return path instanceof ApiPath.Group || (path instanceof ApiPath.Groups groups && !groups.core());
    }

    private void objects(Exchange exchange, ApiPath path, Accept.MediaType media, boolean watch) throws ApiFailure {
        warn(exchange, path);
        if (path instanceof ApiPath.Single single) {
            objects.get(exchange, media, single.type(), single.namespace(), single.name());
            return;
        }
        if (path instanceof ApiPath.Scale scale) {
            objects.scale(exchange, media, scale.type(), scale.namespace(), scale.name());
            return;
        }
        if (watch) {
            refuseWhileDraining(exchange);
        }
        if (path instanceof ApiPath.WatchPrefix prefix) {
            objects.collection(exchange, media, prefix.type(), prefix.namespace(), prefix.name(), true);
        } else if (path instanceof ApiPath.Objects all) {
            objects.collection(exchange, media, all.type(), all.namespace(), null, false);
        } else {
            throw new IllegalStateException("no such path: " + path);
        }
    }

    private void warn(Exchange exchange, ApiPath path) {
        ResourceType type = path instanceof ApiPath.Single single
                ? single.type()
                : path instanceof ApiPath.Objects all
                        ? all.type()
                        : path instanceof ApiPath.WatchPrefix prefix
                                ? prefix.type()
                                : path instanceof ApiPath.Scale scale ? scale.type() : null;
        String warning = type == null ? null : catalogue.resources().warning(type);
        if (warning != null) {
            exchange.warn(warning);
        }
    }

    private void groups(Exchange exchange, boolean core, Accept.MediaType media) {
        if (media.as() != null) {
            String document = Discovery.aggregated(core, catalogue.resources());
            String tag = Discovery.tag(document);
            exchange.response()
                    .putHeader("ETag", tag)
                    .putHeader("Vary", "Accept")
                    .putHeader("Cache-Control", "public");
            if (tag.equals(exchange.request().getHeader("If-None-Match"))) {
                exchange.response().setStatusCode(304).end();
            } else {
                exchange.end(exchange.response(), Discovery.AGGREGATED_TYPE, document.getBytes(UTF_8));
            }
        } else if (core) {
            HostAndPort host = exchange.request().authority();
            exchange.document(media, Discovery.core(host == null ? "" : host.toString()));
        } else {
            exchange.document(media, Discovery.groups(catalogue.resources()));
        }
    }
}
