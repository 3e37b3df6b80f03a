package io.watershed.gateway.http;

import io.vertx.core.Vertx;
import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.api.ListOptions;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.cache.CacheView;
import io.watershed.gateway.cache.Moment;
import io.watershed.gateway.cache.WatchCache;
import io.watershed.gateway.fanout.Framing;
import io.watershed.gateway.fanout.LoopDispatcher;
import io.watershed.gateway.fanout.WatchOrder;
import io.watershed.gateway.fanout.WatchStart;
import io.watershed.gateway.fanout.WatchTarget;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a watch begins, by its resourceVersion, and what it is told if it can't begin there.
 *
 * <p><em>Threads:</em> one an event loop, confined to it.
 */
final class WatchOpener {
    private static final Logger LOGGER = LoggerFactory.getLogger(WatchOpener.class);
    private static final long LEAST_WATCH_SECONDS = 1800;
    private static final long LONGEST_WATCH_SECONDS = TimeUnit.DAYS.toSeconds(3650);

    private final WatchCache cache;
    private final LoopDispatcher dispatcher;
    private final RevisionWait revisions;
    private final BarrierClient barrier;
    private final LongSupplier nanos;
    private final RandomGenerator random;

    WatchOpener(
            Vertx vertx,
            WatchCache cache,
            LoopDispatcher dispatcher,
            RevisionWait revisions,
            LongSupplier nanos,
            RandomGenerator random) {
        this.cache = cache;
        this.dispatcher = dispatcher;
        this.revisions = revisions;
        this.barrier = new BarrierClient(vertx, cache);
        this.nanos = nanos;
        this.random = random;
    }

    /** {@code legacy}: by the deprecated prefix, which knows no initial state but after revision 0. */
    void watch(Exchange exchange, ResourceType type, WatchTarget target, ListOptions options, boolean legacy) {
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
                revisions.await(
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
}
