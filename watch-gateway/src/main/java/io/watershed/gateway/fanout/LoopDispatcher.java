package io.watershed.gateway.fanout;

import io.watershed.gateway.api.Status;
import io.watershed.gateway.cache.CacheView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All watches of one event loop.
 *
 * <p><em>Threads:</em> confined to its event loop. Only {@link Fanout} calls in from the feed thread, by {@link #wake()}.
 */
public final class LoopDispatcher {
    private final Supplier<CacheView> views;
    private final Executor loop;
    private final LongSupplier nanos;
    private final FanoutMetrics metrics;
    private final Bookmarks bookmarks;
    private final ClassTable classes;
    private final Delivery delivery;
    private final Tail tail;
    private final CatchUp catchUp;

    /** Whether a pass is queued with the loop. Set by any thread, cleared by the loop. */
    private final AtomicBoolean scheduled = new AtomicBoolean();

    // The loop's own:
    private final List<Watcher> all = new ArrayList<>();
    private @Nullable Thread owner;
    private @Nullable Long drainedAtNanos;

    LoopDispatcher(
            Supplier<CacheView> views,
            FanoutSettings settings,
            Bounds bounds,
            FanoutMetrics metrics,
            Executor loop,
            LongSupplier nanos) {
        this.views = views;
        this.loop = loop;
        this.nanos = nanos;
        this.metrics = metrics;
        this.classes = new ClassTable(metrics);
        this.delivery = new Delivery(metrics, this::forget);
        this.tail = new Tail(
                views.get(),
                classes,
                delivery,
                metrics,
                settings.undecodable() == FanoutSettings.Undecodable.FAIL,
                bounds);
        this.catchUp = new CatchUp(tail, delivery, metrics, bounds);
        this.bookmarks = new Bookmarks(settings.bookmarkInterval(), catchUp, delivery);
    }

    /** Opens a watch. Nothing is written to the sink before this returns, so the response's head can still go out first. */
    public Watcher open(WatchOrder order, WatchSink sink) {
        assert isConfined();
        CacheView view = views.get();
        Watcher opened = new Watcher(this, order, sink, classes.enter(order.target()), view.generation());
        if (order.start() instanceof WatchStart.After after) {
            opened.completed = after.resourceVersion();
            opened.repeats = !after.whole();
        } else {
            opened.initial = new ObjectStream(view, order.target());
            opened.completed = view.watermark();
            opened.state = Watcher.State.INITIAL;
        }
        opened.start = opened.completed;
        opened.index = all.size();
        all.add(opened);
        bookmarks.plan(opened, nanos.getAsLong());
        if (drainedAtNanos != null) {
            endAt(opened, drainedAtNanos);
        }
        catchUp.enqueue(opened);
        wake();
        return opened;
    }

    /** Sends bookmarks that are due and ends watches whose time is over. To be called about once a second. */
    public void tick(long nowNanos) {
        assert isConfined();
        wake();
        for (int i = all.size() - 1; i >= 0; i--) {
            if (i < all.size()) {
                tick(all.get(i), nowNanos);
            }
        }
        delivery.forgetBookmark();
        catchUp.forgetRuns();
    }

    private void tick(Watcher watcher, long nowNanos) {
        if (watcher.endAtNanos - nowNanos <= 0) {
            // What can be written is, so that the last bookmark is as new as can be.
            catchUp.turn(watcher);
            bookmarks.sendLast(watcher);
            delivery.finish(watcher, watcher.draining ? EndReason.DRAIN : EndReason.DEADLINE);
        } else if (catchUp.isOutlived(watcher)) {
            delivery.fail(watcher, EndReason.EVICTED, catchUp.tooOld(watcher));
        } else {
            bookmarks.sendIfDue(watcher, nowNanos);
            delivery.keepAlive(watcher, nowNanos);
        }
    }

    /** The lowest revision that a watch can begin after now. */
    public long oldest() {
        return CatchUp.oldest(views.get());
    }

    /** How many watches are open. */
    public int watchers() {
        assert isConfined();
        return all.size();
    }

    /**
     * Ends every watch, each with a last bookmark if it allows them, spread evenly until a point in time. The ends happen in
     * {@link #tick}; {@link #watchers()} is 0 after a tick at or behind that point. What is opened later ends then too.
     */
    public void drain(long nowNanos, long untilNanos) {
        assert isConfined();
        drainedAtNanos = untilNanos;
        long span = Math.max(untilNanos - nowNanos, 0);
        for (int i = 0; i < all.size(); i++) {
            endAt(all.get(i), nowNanos + Math.round((double) span * (i + 1) / all.size()));
        }
    }

    private static void endAt(Watcher watcher, long endNanos) {
        if (endNanos - watcher.endAtNanos < 0) {
            watcher.endAtNanos = endNanos;
            watcher.draining = true;
        }
    }

    /** There is something to do: queues a pass with the loop, unless one is queued. From any thread. */
    void wake() {
        if (scheduled.compareAndSet(false, true)) {
            try {
                loop.execute(this::pass);
            } catch (RejectedExecutionException e) {
                // The loop has shut down, and its connections with it: nobody is left to be served.
                scheduled.set(false);
            }
        }
    }

    private void pass() {
        assert isConfined();
        scheduled.set(false);
        see(views.get());
        if (tail.isLost()) {
            loseTail();
        }
        boolean more = tail.advance();
        catchUp.wakeWaiting();
        if (catchUp.sweep() || more) {
            wake();
        }
    }

    private void see(CacheView newer) {
        CacheView seen = tail.view();
        if (newer == seen) {
            return;
        }
        if (newer.epoch() != seen.epoch()) {
            replace(seen, newer);
            return;
        }
        tail.see(newer);
        if (newer.floor() > seen.floor()) {
            endBelow(newer);
        }
    }

    /** The floor rises with the end of a relist only: what is below may have changed in ways that no event tells. */
    private void endBelow(CacheView relisted) {
        for (Watcher watcher : List.copyOf(all)) {
            long place = catchUp.place(watcher);
            if (place < relisted.floor()) {
                delivery.fail(watcher, EndReason.RELIST, Status.tooOld(place, relisted.floor()));
            }
        }
    }

    /** This loop was held up for so long that history has moved on without it. */
    private void loseTail() {
        for (Watcher watcher : List.copyOf(all)) {
            if (watcher.state == Watcher.State.CURRENT) {
                delivery.fail(watcher, EndReason.EVICTED, catchUp.tooOld(watcher));
            }
        }
        tail.jump(tail.view());
    }

    /** The cache was built anew. A watch goes on if it is of the same history and its place is in memory; else it ends. */
    private void replace(CacheView old, CacheView replacement) {
        catchUp.forgetRuns();
        for (Watcher watcher : List.copyOf(all)) {
            if (watcher.state == Watcher.State.CURRENT) {
                tail.part(watcher);
            }
        }
        Reseat reseat = new Reseat(old, replacement);
        tail.jump(replacement);
        for (Watcher watcher : List.copyOf(all)) {
            if (!Objects.equals(watcher.generation, replacement.generation())
                    || (watcher.state == Watcher.State.BEHIND && !reseat.move(watcher))) {
                delivery.fail(watcher, EndReason.REPLACED, catchUp.tooOld(watcher));
            } else {
                catchUp.resume(watcher);
            }
        }
    }

    void writable(Watcher watcher) {
        assert isConfined();
        if (watcher.state == Watcher.State.BEHIND || watcher.state == Watcher.State.INITIAL) {
            catchUp.enqueue(watcher);
            wake();
        }
    }

    void close(Watcher watcher) {
        assert isConfined();
        forget(watcher, EndReason.CLIENT);
    }

    private void forget(Watcher watcher, EndReason reason) {
        if (watcher.isClosed()) {
            return;
        }
        if (watcher.state == Watcher.State.CURRENT) {
            watcher.watchClass.removeCurrent(watcher);
        } else if (watcher.state == Watcher.State.BEHIND) {
            metrics.behind.decrementAndGet();
        }
        watcher.state = Watcher.State.CLOSED;
        watcher.initial = null;
        classes.leave(watcher.watchClass);
        Watcher last = all.remove(all.size() - 1);
        if (last != watcher) {
            all.set(watcher.index, last);
            last.index = watcher.index;
        }
        metrics.ended(reason);
    }

    private boolean isConfined() {
        if (owner == null) {
            owner = Thread.currentThread();
        }
        return owner == Thread.currentThread();
    }
}
