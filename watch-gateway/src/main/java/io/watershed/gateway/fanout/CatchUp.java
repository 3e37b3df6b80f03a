package io.watershed.gateway.fanout;

import io.netty.buffer.ByteBuf;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.cache.CacheView;
import io.watershed.gateway.cache.History;
import io.watershed.gateway.cache.HistoryEvent;
import io.watershed.gateway.cache.ObjectEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Brings the watches that are not at the tail there: those that start, those in their initial state, and those whose clients did not
 * read. They take turns; a turn is one bounded write.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
final class CatchUp {
    private final Tail tail;
    private final Delivery delivery;
    private final FanoutMetrics metrics;
    private final Bounds bounds;

    private final Deque<Watcher> queue = new ArrayDeque<>();
    /** What the turns of the task have cost so far. */
    private long spent;

    private final List<Watcher> waiting = new ArrayList<>();
    private final Deque<WatchClass> keepers = new ArrayDeque<>();

    CatchUp(Tail tail, Delivery delivery, FanoutMetrics metrics, Bounds bounds) {
        this.bounds = bounds;
        this.tail = tail;
        this.delivery = delivery;
        this.metrics = metrics;
    }

    /** Gives a watch a turn, if it has none coming. */
    void enqueue(Watcher watcher) {
        if (!watcher.queued) {
            watcher.queued = true;
            queue.add(watcher);
        }
    }

    /** Gives turns to those that wait for revisions which the tail has reached. */
    void wakeWaiting() {
        for (int i = waiting.size() - 1; i >= 0; i--) {
            Watcher watcher = waiting.get(i);
            if (watcher.state != Watcher.State.WAITING) {
                waiting.remove(i);
            } else if (watcher.completed <= tail.completed()) {
                waiting.remove(i);
                watcher.state = Watcher.State.STARTING;
                enqueue(watcher);
            }
        }
    }

    /** Some turns. Returns whether more are due. */
    boolean sweep() {
        spent = 0;
        for (int turns = queue.size(); turns > 0 && spent < bounds.taskCost(); turns--) {
            Watcher watcher = queue.remove();
            watcher.queued = false;
            turn(watcher);
        }
        return !queue.isEmpty();
    }

    /** One turn. */
    void turn(Watcher watcher) {
        spent += Bounds.TURN_COST;
        switch (watcher.state) {
            case STARTING -> start(watcher);
            case INITIAL -> sendObjects(watcher);
            case BEHIND -> sendRun(watcher);
            case WAITING, CURRENT, CLOSED -> {}
        }
    }

    private void start(Watcher watcher) {
        long revision = watcher.completed;
        CacheView view = tail.view();
        if (revision > tail.completed()) {
            watcher.state = Watcher.State.WAITING;
            waiting.add(watcher);
            return;
        }
        long first = watcher.repeats ? firstOf(watcher.watchClass, revision, view.history()) : -1;
        watcher.position = first >= 0 ? first : view.history().firstAfter(revision);
        // After the search, as history evicts meanwhile.
        if (revision < oldest(view)) {
            delivery.fail(watcher, EndReason.TOO_OLD, tooOld(watcher));
            return;
        }
        // Not yet sent again: until then no bookmark may say that everything up to the revision was delivered.
        watcher.completed = first >= 0 ? revision - 1 : revision;
        watcher.inside = false;
        watcher.state = Watcher.State.BEHIND;
        metrics.behind.incrementAndGet();
        proceed(watcher);
    }

    /** The lowest revision that a watch can be from. */
    static long oldest(CacheView view) {
        return Math.max(
                Math.max(view.floor(), view.memoryFloor()), view.history().evictedRevision() + 1);
    }

    /** What a watch is told whose place is not in memory. */
    Status tooOld(Watcher watcher) {
        return Status.tooOld(place(watcher), oldest(tail.view()));
    }

    /** The place of a revision's first event for a class, if it has at least two; else -1. */
    private long firstOf(WatchClass watches, long revision, History history) {
        long end = tail.position();
        long first = -1;
        for (long at = history.firstAt(revision); at < end; at++) {
            HistoryEvent event = history.get(at);
            if (event == null || event.revision() != revision) {
                break;
            }
            if (watches.typeOf(event) != null) {
                if (first >= 0) {
                    return first;
                }
                first = at;
            }
        }
        return -1;
    }

    /** Joins the tail, or waits for the next turn. */
    private void proceed(Watcher watcher) {
        if (watcher.position == tail.position()) {
            metrics.behind.decrementAndGet();
            tail.join(watcher);
        } else {
            enqueue(watcher);
        }
    }

    /** For a watch whose history was replaced: goes on from its new place, or from its revision once that is reached. */
    void resume(Watcher watcher) {
        if (watcher.state == Watcher.State.BEHIND && !watcher.inside && watcher.completed > tail.completed()) {
            metrics.behind.decrementAndGet();
            watcher.repeats = false;
            watcher.state = Watcher.State.STARTING;
        }
        enqueue(watcher);
    }

    private void sendObjects(Watcher watcher) {
        ObjectStream objects = watcher.initial;
        if (objects == null || !watcher.sink.isWritable()) {
            return;
        }
        FrameJoiner joined = new FrameJoiner(watcher.order.target());
        int events = 0;
        int seen = 0;
        ObjectEntry failure = null;
        for (; seen < bounds.initialObjects() && joined.bytes() < bounds.initialBytes() && objects.hasNext(); seen++) {
            ObjectEntry object = objects.next();
            if (watcher.watchClass.selects(object)) {
                joined.add(object);
                events++;
            } else if (tail.failing() && watcher.watchClass.isUndecodable(object)) {
                failure = object;
                break;
            }
        }
        spent += seen + joined.bytes() / Bounds.BYTES_PER_COST;
        boolean done = failure == null && !objects.hasNext();
        if (done && watcher.order.start() instanceof WatchStart.InitialState initial && initial.endBookmark()) {
            joined.addBookmark(watcher.order, objects.revision(), true, watcher.generation);
            metrics.bookmarks.increment();
        } else if (done) {
            joined.addPlace(objects.revision(), watcher.generation);
        }
        ByteBuf frames = joined.finish();
        if (frames.isReadable()) {
            delivery.write(watcher, frames, events);
        } else {
            frames.release();
        }
        if (failure != null) {
            delivery.failUndecodable(watcher, failure);
        } else if (!watcher.isClosed()) {
            next(watcher, objects, done);
        }
    }

    private void next(Watcher watcher, ObjectStream objects, boolean done) {
        if (done) {
            watcher.initial = null;
            watcher.completed = objects.revision();
            watcher.repeats = false;
            watcher.state = Watcher.State.STARTING;
        }
        enqueue(watcher);
    }

    private void sendRun(Watcher watcher) {
        if (watcher.position == tail.position()) {
            proceed(watcher);
            return;
        }
        if (!watcher.sink.isWritable()) {
            return;
        }
        FrameRun run = runFor(watcher);
        ByteBuf frames = run.share();
        if (frames != null) {
            delivery.write(watcher, frames, run.events());
        }
        if (watcher.isClosed()) {
            return;
        }
        watcher.position = run.to();
        watcher.completed = run.completed();
        watcher.inside = run.inside();
        ObjectEntry failure = run.failure();
        if (run.evicted()) {
            delivery.fail(watcher, EndReason.EVICTED, tooOld(watcher));
        } else if (failure != null) {
            delivery.failUndecodable(watcher, failure);
        } else {
            proceed(watcher);
        }
    }

    private FrameRun runFor(Watcher watcher) {
        WatchClass watches = watcher.watchClass;
        FrameRun kept = watches.lastRun;
        if (kept != null && kept.startsAt(watcher)) {
            return kept;
        }
        FrameRun run = FrameRun.read(watches, watcher, tail.view().history(), tail.position(), tail.failing(), bounds);
        spent += run.looked() + run.bytes() / Bounds.BYTES_PER_COST;
        keep(watches, run);
        return run;
    }

    private void keep(WatchClass watches, FrameRun run) {
        if (watches.lastRun == null) {
            if (keepers.size() == bounds.keptRuns()) {
                keepers.remove().forgetRun();
            }
            keepers.add(watches);
        }
        watches.forgetRun();
        watches.lastRun = run;
    }

    /** Lets go of the runs that are kept. */
    void forgetRuns() {
        keepers.forEach(WatchClass::forgetRun);
        keepers.clear();
    }

    /** Whether what a watch is to be sent next has left memory, so that it can only be told so. */
    boolean isOutlived(Watcher watcher) {
        ObjectStream initial = watcher.initial;
        return initial != null
                ? initial.isOutlived()
                : watcher.state == Watcher.State.BEHIND
                        && watcher.position < tail.view().history().start();
    }

    /** The revision that a watch has gone through to its end, or starts at. */
    long place(Watcher watcher) {
        ObjectStream initial = watcher.initial;
        return switch (watcher.state) {
            case CURRENT -> tail.completed();
            case INITIAL -> initial == null ? watcher.completed : initial.revision();
            case STARTING, WAITING, BEHIND, CLOSED -> watcher.completed;
        };
    }

    /** Whether a watch can be told that it was sent everything up to its {@link #place}. */
    boolean isBetweenRevisions(Watcher watcher) {
        return switch (watcher.state) {
            case CURRENT -> !tail.inside();
            case BEHIND -> !watcher.inside && watcher.completed >= watcher.start;
            case STARTING, WAITING, INITIAL, CLOSED -> false;
        };
    }
}
