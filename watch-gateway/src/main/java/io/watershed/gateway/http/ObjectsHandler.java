package io.watershed.gateway.http;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.api.Accept;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.ContinueToken;
import io.watershed.gateway.api.ListOptions;
import io.watershed.gateway.api.Query;
import io.watershed.gateway.api.ScaleFields;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.cache.CacheView;
import io.watershed.gateway.cache.Cancellable;
import io.watershed.gateway.cache.Moment;
import io.watershed.gateway.cache.ObjectEntry;
import io.watershed.gateway.cache.WatchCache;
import io.watershed.gateway.fanout.FanoutSettings;
import io.watershed.gateway.fanout.Framing;
import io.watershed.gateway.fanout.LoopDispatcher;
import io.watershed.gateway.fanout.WatchOrder;
import io.watershed.gateway.fanout.WatchStart;
import io.watershed.gateway.fanout.WatchTarget;
import io.watershed.gateway.represent.FieldPaths;
import io.watershed.gateway.represent.Representation;
import io.watershed.gateway.represent.Representations;
import io.watershed.gateway.represent.Transform;
import io.watershed.gateway.select.FieldLabels;
import io.watershed.gateway.select.FieldSelector;
import io.watershed.gateway.select.LabelSelector;
import io.watershed.gateway.select.SelectorSyntax;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * LIST, GET and WATCH: which state a request is to be answered from, by its resourceVersion.
 *
 * <p><em>Threads:</em> one an event loop, confined to it.
 */
final class ObjectsHandler {
    private static final Logger LOGGER = LoggerFactory.getLogger(ObjectsHandler.class);

    /** How long a request waits for a revision that this gateway has not reached. */
    private static final long WAIT_MILLIS = 3000;

    /** Stands for what is common to the objects of several resources. */
    private static final ResourceType SEVERAL = new ResourceType(
            "meta.k8s.io", "v1", "PartialObjectMetadata", "several", "several", true, List.of(), List.of(), "several");

    private static final long LEAST_WATCH_SECONDS = 1800;
    private static final long LONGEST_WATCH_SECONDS = TimeUnit.DAYS.toSeconds(3650);

    private final Vertx vertx;
    private final Context context;
    private final WatchCache cache;
    private final LoopDispatcher dispatcher;
    private final BarrierClient barrier;
    private final FanoutSettings.Undecodable undecodable;
    private final Catalogue catalogue;
    private final Representations representations;
    private final LongSupplier nanos;
    private final RandomGenerator random;

    ObjectsHandler(
            Vertx vertx,
            WatchCache cache,
            LoopDispatcher dispatcher,
            Catalogue catalogue,
            FanoutSettings.Undecodable undecodable,
            InstantSource clock,
            LongSupplier nanos,
            RandomGenerator random) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.cache = cache;
        this.dispatcher = dispatcher;
        this.barrier = new BarrierClient(vertx, cache);
        this.undecodable = undecodable;
        this.catalogue = catalogue;
        this.representations = new Representations(clock, catalogue::printer, catalogue::conversion);
        this.nanos = nanos;
        this.random = random;
    }

    void get(Exchange exchange, Accept.MediaType media, ResourceType type, @Nullable String namespace, String name)
            throws ApiFailure {
        Query query = Query.parse(exchange.request().query());
        Representation representation = representations
                .of(media.as(), exchange.syntax(media), type, false, false, query.text("includeObject"))
                .only(fields(query));
        get(exchange, query, representation, type, namespace, name, null);
    }

    /** An object as a Scale. */
    void scale(Exchange exchange, Accept.MediaType media, ResourceType type, @Nullable String namespace, String name)
            throws ApiFailure {
        Query query = Query.parse(exchange.request().query());
        ScaleFields fields = Objects.requireNonNull(catalogue.resources().scale(type), "its path says so");
        Representation representation = representations
                .scale(media.as(), exchange.syntax(media), type, fields, query.text("includeObject"))
                .only(fields(query));
        get(exchange, query, representation, type, namespace, name, fields);
    }

    private void get(
            Exchange exchange,
            Query query,
            Representation representation,
            ResourceType type,
            @Nullable String namespace,
            String name,
            @Nullable ScaleFields scale)
            throws ApiFailure {
        Long revision = ListOptions.resourceVersion(query.text("resourceVersion"));
        atLeast(exchange, revision == null ? 0 : revision, view -> {
            ObjectEntry object = view.resource(type.storedAs()).get(namespace, name);
            if (object == null || !Undecodables.isShown(object, undecodable)) {
                exchange.status(Status.notFound(type.group(), type.plural(), name));
            } else if (!Undecodables.isWhole(object)) {
                exchange.status(Undecodables.status(object));
            } else if (!catalogue.isServable(object, type)) {
                exchange.status(catalogue.notConverted(type));
            } else if (scale != null && !Representations.hasScale(object.json(), scale)) {
                exchange.status(
                        Status.internalError("the spec replicas field \"" + scale.replicas() + "\" does not exist"));
            } else {
                exchange.end(exchange.api(200), representation.contentType(), representation.object(object.json()));
            }
        });
    }

    void collection(
            Exchange exchange,
            Accept.MediaType media,
            ResourceType type,
            @Nullable String namespace,
            @Nullable String name,
            boolean forcedWatch)
            throws ApiFailure {
        Query query = Query.parse(exchange.request().query());
        ListOptions options = ListOptions.parse(query, forcedWatch);
        Representation representation = representations
                .of(media.as(), exchange.syntax(media), type, true, options.watch(), query.text("includeObject"))
                .only(fields(query));
        if (!catalogue.resources().storedElsewhere(type).isEmpty()) {
            throw new ApiFailure(catalogue.notConverted(type));
        }
        LabelSelector labels;
        FieldSelector fields;
        try {
            labels = LabelSelector.parse(options.labelSelector());
            fields = FieldSelector.parse(catalogue.fieldLabels(type), options.fieldSelector());
        } catch (SelectorSyntax e) {
            throw new ApiFailure(Status.badRequest(String.valueOf(e.getMessage())));
        }
        String pinnedName = fields.exact(FieldLabels.NAME);
        if (name != null && pinnedName != null && !pinnedName.equals(name)) {
            throw new ApiFailure(Status.badRequest("fieldSelector metadata.name doesn't match requested name"));
        }
        String pinned = fields.exact(FieldLabels.NAMESPACE);
        String scope =
                namespace == null && type.namespaced() && pinned != null && !pinned.isEmpty() ? pinned : namespace;
        if (options.watch()) {
            exchange.watchOver(WatchTransport.of(vertx, exchange, query));
            String only = name == null ? pinnedName : name;
            watch(
                    exchange,
                    type,
                    new WatchTarget(
                            List.of(type.storedAs()),
                            scope,
                            only == null || only.isEmpty() ? null : only,
                            labels,
                            fields,
                            representation.transform(),
                            exchange.watch().framing()),
                    options,
                    forcedWatch);
        } else {
            list(exchange, representation, type, scope, labels, fields, options);
        }
    }

    /**
     * One watch over several resources, in one order of revisions. Objects come as the log holds them: in their resources' canonical
     * versions, and custom ones in the version that they are stored in.
     */
    void several(Exchange exchange, Accept.MediaType media, List<ResourceType> types) throws ApiFailure {
        Query query = Query.parse(exchange.request().query());
        ListOptions options = ListOptions.parseWatch(query);
        Representation representation = representations
                .of(media.as(), exchange.syntax(media), SEVERAL, true, true, query.text("includeObject"))
                .only(fields(query));
        LabelSelector labels;
        FieldSelector fields;
        try {
            labels = LabelSelector.parse(options.labelSelector());
            fields = FieldSelector.parse(FieldLabels.of(SEVERAL), options.fieldSelector());
        } catch (SelectorSyntax e) {
            throw new ApiFailure(Status.badRequest(String.valueOf(e.getMessage())));
        }
        exchange.watchOver(WatchTransport.of(vertx, exchange, query));
        WatchTarget target = new WatchTarget(
                types.stream().map(ResourceType::storedAs).toList(),
                pinned(fields.exact(FieldLabels.NAMESPACE)),
                pinned(fields.exact(FieldLabels.NAME)),
                labels,
                fields,
                representation.transform(),
                exchange.watch().framing());
        watch(exchange, SEVERAL, target, options, false);
    }

    /** How whole objects of a type are shown. */
    Transform whole(ResourceType type) {
        return representations.whole(type);
    }

    private static @Nullable String pinned(@Nullable String exact) {
        return exact == null || exact.isEmpty() ? null : exact;
    }

    private static @Nullable FieldPaths fields(Query query) throws ApiFailure {
        return query.has("fields") ? FieldPaths.parse(query.text("fields")) : null;
    }

    private void list(
            Exchange exchange,
            Representation representation,
            ResourceType type,
            @Nullable String namespace,
            LabelSelector labels,
            FieldSelector fields,
            ListOptions options) {
        Long revision = options.resourceVersion();
        ContinueToken from = options.continueFrom();
        // A rule of Kubernetes: 0 means whatever is here, all of it.
        long limit = revision != null && revision == 0 ? 0 : options.limit();
        ListResponse.Selection selection =
                new ListResponse.Selection(type, namespace, labels, fields, limit, from == null ? null : from.after());
        Consumer<CacheView> send =
                view -> new ListResponse(exchange, context, view, selection, representation, undecodable).send();
        if (options.asOf() != null) {
            Moment then = cache.by(options.asOf());
            CacheView exact = then == null ? null : cache.at(then.revision());
            if (then == null || exact == null) {
                exchange.status(Status.asOfTooOld());
            } else {
                exchange.asOf(then);
                send.accept(exact);
            }
        } else if (from != null) {
            nextPage(exchange, from, send);
        } else if (revision == null || revision == 0) {
            send.accept(cache.view());
        } else if (ListOptions.EXACT.equals(options.match()) || (options.match() == null && limit > 0)) {
            atLeast(exchange, revision, now -> {
                CacheView exact = cache.at(revision);
                if (exact == null) {
                    exchange.status(Status.listTooOld());
                } else {
                    send.accept(exact);
                }
            });
        } else {
            atLeast(exchange, revision, send);
        }
    }

    private void nextPage(Exchange exchange, ContinueToken from, Consumer<CacheView> send) {
        if (from.resourceVersion() < 0) {
            send.accept(cache.view());
            return;
        }
        // Another gateway may have handed it out, which was ahead of this one.
        atLeast(exchange, from.resourceVersion(), now -> {
            CacheView pages = cache.at(from.resourceVersion());
            if (pages == null) {
                exchange.status(Status.continueExpired(new ContinueToken(-1, from.after()).text()));
            } else {
                send.accept(pages);
            }
        });
    }

    private void watch(Exchange exchange, ResourceType type, WatchTarget target, ListOptions options, boolean legacy) {
        Long asked = options.resourceVersion();
        long revision = asked == null ? 0 : asked;
        WatchStart initial = new WatchStart.InitialState(options.allowWatchBookmarks() && !legacy);
        if (options.asOf() != null) {
            watchAsOf(exchange, type, target, options, options.asOf());
        } else if (!exchange.watch().lastEventId().isEmpty()) {
            resume(exchange, type, target, options);
        } else if (legacy ? revision == 0 : options.wantsInitialState()) {
            if (revision <= cache.view().watermark()) {
                open(exchange, type, target, options, initial);
            } else {
                await(
                        exchange,
                        revision,
                        view -> open(exchange, type, target, options, initial),
                        () -> exchange.watch()
                                .fail(Status.tooLarge(revision, cache.view().watermark())));
            }
        } else if (revision == 0) {
            open(
                    exchange,
                    type,
                    target,
                    options,
                    new WatchStart.After(cache.view().watermark(), true));
        } else if (revision <= cache.view().watermark()) {
            open(exchange, type, target, options, new WatchStart.After(revision));
        } else {
            ahead(exchange, type, target, options, new WatchStart.After(revision));
        }
    }

    private void watchAsOf(
            Exchange exchange, ResourceType type, WatchTarget target, ListOptions options, long timeMillis) {
        Moment then = cache.by(timeMillis);
        if (then == null) {
            exchange.watch().fail(Status.asOfTooOld());
        } else {
            exchange.asOf(then);
            open(exchange, type, target, options, new WatchStart.After(then.revision(), true));
        }
    }

    /** From the place that a browser brings when it connects again. */
    private void resume(Exchange exchange, ResourceType type, WatchTarget target, ListOptions options) {
        EventId id = EventId.parse(exchange.watch().lastEventId());
        CacheView view = cache.view();
        long oldest = dispatcher.oldest();
        if (id == null || !id.generation().equals(view.generation()) || id.revision() < oldest) {
            gone(exchange, type, target, options, Status.tooOld(id == null ? 0 : id.revision(), oldest));
        } else if (id.revision() <= view.watermark()) {
            open(exchange, type, target, options, new WatchStart.After(id.revision(), true));
        } else {
            ahead(exchange, type, target, options, new WatchStart.After(id.revision(), true));
        }
    }

    /** What the client would go on from can't be told, or is no place of this history. */
    private void gone(Exchange exchange, ResourceType type, WatchTarget target, ListOptions options, Status status) {
        if (exchange.response().closed()) {
            return;
        }
        if (exchange.watch().startsAnewAfter(status)) {
            open(exchange, type, target, options, new WatchStart.InitialState(options.allowWatchBookmarks()));
        } else {
            exchange.watch().fail(status);
        }
    }

    /** A revision that this gateway has not reached: is it only behind, or is there no such revision? */
    private void ahead(
            Exchange exchange, ResourceType type, WatchTarget target, ListOptions options, WatchStart.After start) {
        long revision = start.resourceVersion();
        barrier.revision().onComplete(answer -> {
            if (answer.failed()) {
                LOGGER.atWarn()
                        .addKeyValue("error", String.valueOf(answer.cause().getMessage()))
                        .addKeyValue("ingester", String.valueOf(cache.health().barrierAddress()))
                        .log(
                                "no answer from the barrier, so a watch from a revision that is not here is refused for now;"
                                        + " see ingester.address and whether an ingester runs");
                later(exchange, revision);
            } else if (revision <= answer.result()) {
                open(exchange, type, target, options, start);
            } else {
                gone(exchange, type, target, options, Status.tooOld(revision, answer.result()));
            }
        });
    }

    private static void later(Exchange exchange, long revision) {
        Status later = Status.tooManyRequests(
                "resourceVersion " + revision + " is not here yet, and no ingester tells whether it exists", 1);
        if (exchange.watch().framing() == Framing.SERVER_SENT_EVENTS) {
            // A browser would take 429 for the end; so it comes again, from the same place.
            exchange.watch().fail(later);
        } else {
            exchange.status(later);
        }
    }

    private void open(Exchange exchange, ResourceType type, WatchTarget target, ListOptions options, WatchStart start) {
        if (exchange.response().closed()) {
            return;
        }
        exchange.watch()
                .open(
                        dispatcher,
                        new WatchOrder(
                                target,
                                start,
                                options.allowWatchBookmarks(),
                                nanos.getAsLong() + timeout(options),
                                type.kind(),
                                type.apiVersion()));
    }

    private long timeout(ListOptions options) {
        Long seconds = options.timeoutSeconds();
        long until = seconds == null
                ? LEAST_WATCH_SECONDS + random.nextLong(LEAST_WATCH_SECONDS)
                : Math.min(seconds, LONGEST_WATCH_SECONDS);
        return TimeUnit.SECONDS.toNanos(Math.max(0, until));
    }

    /** The view once it is not older than the revision; 504 when that takes too long. */
    private void atLeast(Exchange exchange, long revision, Consumer<CacheView> then) {
        CacheView now = cache.view();
        if (revision <= now.watermark()) {
            then.accept(now);
        } else {
            await(
                    exchange,
                    revision,
                    then,
                    () -> exchange.status(Status.tooLarge(revision, cache.view().watermark())));
        }
    }

    private void await(Exchange exchange, long revision, Consumer<CacheView> then, Runnable late) {
        AtomicBoolean over = new AtomicBoolean();
        Cancellable waiting = cache.whenAt(
                revision,
                view -> context.runOnContext(turn -> {
                    if (over.compareAndSet(false, true)) {
                        answer(exchange, () -> then.accept(view));
                    }
                }));
        vertx.setTimer(WAIT_MILLIS, timer -> {
            if (over.compareAndSet(false, true)) {
                waiting.cancel();
                answer(exchange, late);
            }
        });
    }

    /** Outside the router's own try: whatever goes wrong, the client hears of it. */
    private static void answer(Exchange exchange, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            exchange.failed(e);
        }
    }
}
