package io.watershed.gateway.fanout;

import io.micrometer.core.instrument.Counter;
import io.watershed.gateway.cache.HistoryEvent;
import io.watershed.gateway.cache.ObjectEntry;
import io.watershed.log.Encoding;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * All watches of a loop with the same target. What an event is for them is decided once, and its frame is joined once.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
final class WatchClass {
    final WatchTarget target;
    final Counter events;
    final AtomicInteger open;

    /** Members that have been sent everything up to the loop's tail. In no order; each knows its place in the list. */
    private final List<Watcher> current = new ArrayList<>();

    private int population;

    /** Last event that the index gave this class for, so that it is given once an event. */
    long visited = -1;

    /** Frames of the batch that is being collected. */
    @Nullable
    FrameJoiner batch;

    int batchEvents;

    /** The object of the batch that ends this class's watches, behind the frames. */
    @Nullable
    ObjectEntry batchFailure;

    /** Whether the batch has anything for this class. */
    boolean touched;

    /** What a member that was behind was last sent, for the next one that stands at the same place. */
    @Nullable
    FrameRun lastRun;

    WatchClass(WatchTarget target, FanoutMetrics metrics) {
        this.target = target;
        this.events = metrics.events(target.label());
        this.open = metrics.watchers(target.label());
    }

    /** What the event is for this class; null for nothing. */
    @Nullable
    EventType typeOf(HistoryEvent event) {
        if (!target.isOf(event.resource())) {
            return null;
        }
        ObjectEntry object = event.object();
        ObjectEntry previous = event.previous();
        boolean matched = previous != null && selects(previous);
        if (object != null && selects(object)) {
            return matched ? EventType.MODIFIED : EventType.ADDED;
        }
        return matched ? EventType.DELETED : null;
    }

    /** Whether the object is one of the target's. One that could not be decoded is none: nothing is known of it but its key. */
    boolean selects(ObjectEntry object) {
        return covers(object)
                && isDecoded(object)
                && target.labels().matches(object)
                && target.fields().matches(object);
    }

    /** Whether the event brings an undecodable object into the target's scope, whatever the selectors. */
    boolean isUndecodable(HistoryEvent event) {
        ObjectEntry object = event.object();
        return object != null && target.isOf(event.resource()) && isUndecodable(object);
    }

    /** Whether the object, one of the target's resources, is in the target's scope and undecodable. */
    boolean isUndecodable(ObjectEntry object) {
        return !isDecoded(object) && covers(object);
    }

    static boolean isDecoded(ObjectEntry object) {
        Encoding encoding = object.encoding();
        return encoding == null || encoding == Encoding.PARTIAL;
    }

    private boolean covers(ObjectEntry object) {
        return (target.namespace() == null
                        || Objects.equals(target.namespace(), object.name().namespace()))
                && (target.name() == null
                        || Objects.equals(target.name(), object.name().name()));
    }

    List<Watcher> current() {
        return current;
    }

    void addCurrent(Watcher watcher) {
        watcher.slot = current.size();
        current.add(watcher);
    }

    void removeCurrent(Watcher watcher) {
        Watcher last = current.remove(current.size() - 1);
        if (last != watcher) {
            current.set(watcher.slot, last);
            last.slot = watcher.slot;
        }
    }

    void opened() {
        population++;
        open.incrementAndGet();
    }

    /** Whether that was the last. */
    boolean closed() {
        open.decrementAndGet();
        return --population == 0;
    }

    /** Lets go of what was kept for members that are behind. */
    void forgetRun() {
        if (lastRun != null) {
            lastRun.release();
            lastRun = null;
        }
    }
}
