package io.watershed.gateway.fanout;

import io.netty.buffer.ByteBuf;
import io.watershed.gateway.cache.CacheView;
import io.watershed.gateway.cache.HistoryEvent;
import io.watershed.gateway.cache.ObjectEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * The newest place of a loop, which all its watches but those behind share. Goes on through history in batches: an event's frame is
 * joined to the batches of the classes that it is for, and each member of such a class is then written its class's batch, once.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
final class Tail {
    private final ClassTable classes;
    private final Delivery delivery;
    private final FanoutMetrics metrics;
    private final boolean failing;
    private final Bounds bounds;

    private final List<WatchClass> visited = new ArrayList<>();
    private final List<WatchClass> touched = new ArrayList<>();

    private CacheView view;
    private long position;
    private long completed;
    private boolean inside;
    private long batch;

    // Of the batch that is being collected:
    private int bytes;
    private int largest;
    private int events;

    Tail(CacheView view, ClassTable classes, Delivery delivery, FanoutMetrics metrics, boolean failing, Bounds bounds) {
        this.bounds = bounds;
        this.view = view;
        this.classes = classes;
        this.delivery = delivery;
        this.metrics = metrics;
        this.failing = failing;
        this.position = view.historyEnd();
        this.completed = view.watermark();
    }

    CacheView view() {
        return view;
    }

    long position() {
        return position;
    }

    /** The last revision gone through to its end. */
    long completed() {
        return completed;
    }

    /** Whether the tail is inside a revision. */
    boolean inside() {
        return inside;
    }

    boolean failing() {
        return failing;
    }

    /** Takes a newer view of the same epoch. */
    void see(CacheView newer) {
        view = newer;
    }

    /** Goes to the end of a view of another epoch, whose places mean something else. */
    void jump(CacheView replacement) {
        view = replacement;
        position = replacement.historyEnd();
        completed = replacement.watermark();
        inside = false;
    }

    /** A watch has come to the tail: from now on it is sent what its class is sent. */
    void join(Watcher watcher) {
        watcher.state = Watcher.State.CURRENT;
        watcher.watchClass.addCurrent(watcher);
    }

    /** A watch can't follow: it keeps the place where the tail is now. */
    void part(Watcher watcher) {
        part(watcher, position, completed, inside);
    }

    private void part(Watcher watcher, long place, long lastCompleted, boolean isInside) {
        watcher.watchClass.removeCurrent(watcher);
        watcher.state = Watcher.State.BEHIND;
        watcher.position = place;
        watcher.completed = lastCompleted;
        watcher.inside = isInside;
        metrics.behind.incrementAndGet();
    }

    /** Delivers the next batch, if there is anything to deliver. Returns whether there is more. */
    boolean advance() {
        long from = position;
        long completedBefore = completed;
        boolean insideBefore = inside;
        bytes = 0;
        largest = 0;
        events = 0;
        while (position < view.historyEnd() && !isFull()) {
            HistoryEvent event = view.history().get(position);
            if (event == null) {
                break;
            }
            collect(event);
            position++;
            inside = !event.lastOfRevision();
            if (!inside) {
                completed = event.revision();
            }
        }
        boolean lost = position < view.historyEnd() && !isFull();
        if (position == view.historyEnd()) {
            completed = Math.max(completed, view.watermark());
            inside = false;
        }
        deliver(from, completedBefore, insideBefore);
        return lost || position < view.historyEnd();
    }

    /** Whether the next event was evicted before this loop has seen it. */
    boolean isLost() {
        return position < view.history().start();
    }

    private boolean isFull() {
        return inside
                ? largest >= bounds.writeHardBytes() || bytes >= bounds.batchHardBytes()
                : largest >= bounds.writeBytes() || bytes >= bounds.batchBytes() || events >= bounds.batchEvents();
    }

    private void collect(HistoryEvent event) {
        events++;
        visited.clear();
        classes.visit(event, visited);
        ObjectEntry object = event.object();
        if (!failing && object != null && !WatchClass.isDecoded(object)) {
            metrics.leftOut.increment();
        }
        for (int i = 0; i < visited.size(); i++) {
            WatchClass visit = visited.get(i);
            if (visit.current().isEmpty() || visit.batchFailure != null) {
                continue;
            }
            if (failing && visit.isUndecodable(event)) {
                touch(visit);
                visit.batchFailure = object;
                continue;
            }
            EventType type = visit.typeOf(event);
            if (type != null) {
                touch(visit);
                append(visit, event, type);
            }
        }
    }

    private void touch(WatchClass visit) {
        if (!visit.touched) {
            visit.touched = true;
            touched.add(visit);
        }
    }

    private void append(WatchClass visit, HistoryEvent event, EventType type) {
        FrameJoiner joined = visit.batch;
        if (joined == null) {
            joined = new FrameJoiner(visit.target);
            visit.batch = joined;
        }
        int before = joined.bytes();
        joined.add(event, type, view.generation());
        visit.batchEvents++;
        bytes += joined.bytes() - before;
        largest = Math.max(largest, joined.bytes());
    }

    private void deliver(long from, long completedBefore, boolean insideBefore) {
        batch++;
        for (int i = 0; i < touched.size(); i++) {
            WatchClass receiver = touched.get(i);
            FrameJoiner joiner = receiver.batch;
            ByteBuf joined = joiner == null ? null : joiner.finish(view.generation(), completed);
            int joinedEvents = receiver.batchEvents;
            ObjectEntry failure = receiver.batchFailure;
            receiver.batch = null;
            receiver.batchEvents = 0;
            receiver.batchFailure = null;
            receiver.touched = false;
            List<Watcher> members = receiver.current();
            // From the end, as a member that leaves gives its slot to the last one. A sink may close other members as
            // it is
            // written to; the batch's number says who has been served when one of those has moved.
            for (int m = members.size() - 1; m >= 0; m--) {
                if (m >= members.size() || members.get(m).batch == batch) {
                    continue;
                }
                Watcher member = members.get(m);
                member.batch = batch;
                if (!member.sink.isWritable()) {
                    part(member, from, completedBefore, insideBefore);
                    continue;
                }
                if (joined != null) {
                    delivery.write(member, joined.retainedDuplicate(), joinedEvents);
                }
                if (failure != null) {
                    delivery.failUndecodable(member, failure);
                }
            }
            if (joined != null) {
                joined.release();
            }
        }
        touched.clear();
    }
}
