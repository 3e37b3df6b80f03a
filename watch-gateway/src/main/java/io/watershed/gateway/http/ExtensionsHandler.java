package io.watershed.gateway.http;

import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.api.Accept;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.ApiPath;
import io.watershed.gateway.api.Extension;
import io.watershed.gateway.api.Query;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.cache.CacheView;
import io.watershed.gateway.cache.ObjectHistory;
import io.watershed.gateway.cache.WatchCache;
import io.watershed.gateway.represent.HistoryDocument;
import io.watershed.gateway.represent.Transform;
import io.watershed.log.ResourceName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is beyond Kubernetes: {@code /apis/watershed.io/v1/watch} and {@code /apis/watershed.io/v1/history/…}.
 *
 * <p><em>Threads:</em> one an event loop, confined to it; histories are put together by two worker threads that all loops share.
 */
final class ExtensionsHandler {
    private static final String WATCH_PATH = "/apis/watershed.io/v1/watch";
    private static final String HISTORY_PATH = "/apis/watershed.io/v1/history";

    private static final int MOST_RESOURCES = 64;
    private static final int VERSIONS = 100;
    private static final int MOST_VERSIONS = 1000;
    private static final int WORKERS = 2;
    private static final long LONGEST_SECONDS = 60;
    /** A loop's: more would only wait, with their clients gone. */
    private static final int MOST_WAITING = 16;

    private final Set<Extension> enabled;
    private final WatchCache cache;
    private final Catalogue catalogue;
    private final ObjectsHandler objects;
    private final WorkerExecutor workers;
    private int waiting;

    ExtensionsHandler(
            Vertx vertx, Set<Extension> enabled, WatchCache cache, Catalogue catalogue, ObjectsHandler objects) {
        this.enabled = enabled;
        this.cache = cache;
        this.catalogue = catalogue;
        this.objects = objects;
        this.workers = vertx.createSharedWorkerExecutor("history", WORKERS, LONGEST_SECONDS, TimeUnit.SECONDS);
    }

    /** The extension that a path is of; null if there is none, or not here. */
    @Nullable
    Extension at(String path) {
        Extension named = path.equals(WATCH_PATH)
                ? Extension.WATCH
                : path.startsWith(HISTORY_PATH + "/") ? Extension.HISTORY : null;
        return named != null && enabled.contains(named) ? named : null;
    }

    void watch(Exchange exchange) throws ApiFailure {
        List<String> names = Query.parse(exchange.request().query()).all("resource");
        if (names.isEmpty() || names.size() > MOST_RESOURCES) {
            throw bad(
                    "name between 1 and " + MOST_RESOURCES + " resources, as ?resource=pods&resource=deployments.apps");
        }
        List<ResourceType> types = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            ResourceType type = catalogue.resources().find(name);
            if (type == null) {
                throw bad("resource " + name + " is not here; the name is the plural, a dot and the group, as in"
                        + " deployments.apps, and the plural alone for the core group");
            }
            if (!type.storedAs().equals(name)) {
                throw bad("resource " + name + " is stored as " + type.storedAs() + ": name that");
            }
            if (!seen.add(name)) {
                throw bad("resource " + name + " is named twice");
            }
            types.add(type);
        }
        Accept.MediaType media =
                Accept.parse(exchange.acceptInEvents()).choose(Accept.Offer.objects(false, true, true));
        objects.several(exchange, media, types);
    }

    void history(Exchange exchange) throws ApiFailure {
        String of = exchange.path().substring(HISTORY_PATH.length());
        Accept.MediaType media = Accept.parse(exchange.accept()).choose(Accept.Offer.document(false));
        if (!(ApiPath.parse(of, catalogue.resources()) instanceof ApiPath.Single single)) {
            throw new ApiFailure(Status.notThere(of + " is no object's path; the history of a Pod is at " + HISTORY_PATH
                    + "/api/v1/namespaces/NAMESPACE/pods/NAME"));
        }
        ResourceType type = single.type();
        if (!catalogue.resources().storedElsewhere(type).isEmpty()) {
            throw new ApiFailure(catalogue.notConverted(type));
        }
        int most = most(Query.parse(exchange.request().query()));
        if (waiting >= MOST_WAITING) {
            throw new ApiFailure(Status.tooManyRequests("too many histories are being read", 1));
        }
        waiting++;
        Transform transform = objects.whole(type);
        ResourceName name = new ResourceName(type.storedAs(), single.namespace(), single.name());
        CacheView view = cache.view();
        workers.executeBlocking(() -> document(view, name, most, transform), false)
                .onComplete(done -> {
                    waiting--;
                    byte[] document = done.result();
                    if (done.failed()) {
                        exchange.failed(new IllegalStateException("no history of " + name, done.cause()));
                    } else if (document == null || document.length == 0) {
                        exchange.status(Status.notFound(type.group(), type.plural(), single.name()));
                    } else {
                        exchange.document(media, document);
                    }
                });
    }

    /** Empty if nothing is known of the object. */
    private static byte[] document(CacheView view, ResourceName name, int most, Transform transform) {
        ObjectHistory history = ObjectHistory.of(view, name, most);
        return history.present() == null && history.events().isEmpty()
                ? new byte[0]
                : HistoryDocument.of(name, history, transform, view.watermark());
    }

    private static int most(Query query) throws ApiFailure {
        String text = query.text("limit");
        if (text.isEmpty()) {
            return VERSIONS;
        }
        if (!text.matches("[0-9]{1,4}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MOST_VERSIONS) {
            throw bad("limit must be a number between 1 and " + MOST_VERSIONS);
        }
        return Integer.parseInt(text);
    }

    private static ApiFailure bad(String why) {
        return new ApiFailure(Status.badRequest(why));
    }
}
