package io.watershed.gateway.http;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.cache.CacheView;
import io.watershed.gateway.cache.Cancellable;
import io.watershed.gateway.cache.WatchCache;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Requests that wait for a revision which this gateway has not reached.
 *
 * <p><em>Threads:</em> one an event loop, confined to it.
 */
final class RevisionWait {
    private static final long WAIT_MILLIS = 3000;

    private final Vertx vertx;
    private final Context context;
    private final WatchCache cache;

    RevisionWait(Vertx vertx, WatchCache cache) {
        this.vertx = vertx;
        this.context = vertx.getOrCreateContext();
        this.cache = cache;
    }

    /** The view once it is not older than the revision; 504 when that takes too long. */
    void atLeast(Exchange exchange, long revision, Consumer<CacheView> then) {
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

    /** Goes on with the first view that has reached the revision, or without. */
    void await(Exchange exchange, long revision, Consumer<CacheView> then, Runnable late) {
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
