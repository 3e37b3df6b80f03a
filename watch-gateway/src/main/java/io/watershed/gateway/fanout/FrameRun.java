package io.watershed.gateway.fanout;

import io.netty.buffer.ByteBuf;
import io.watershed.gateway.cache.History;
import io.watershed.gateway.cache.HistoryEvent;
import io.watershed.gateway.cache.ObjectEntry;
import io.watershed.log.Generation;
import org.jspecify.annotations.Nullable;

/**
 * What one class is sent for one stretch of history: its frames, joined. Ends at the end of a revision unless that would make it too
 * large.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
final class FrameRun {
    private final Bounds bounds;
    private final long from;
    private final long completedBefore;
    private final boolean insideBefore;
    private long to;
    private int events;
    private long completed;
    private boolean inside;
    private boolean evicted;
    private @Nullable FrameJoiner joined;
    private @Nullable ByteBuf frames;
    private @Nullable ObjectEntry failure;

    private FrameRun(Bounds bounds, long from, long completed, boolean inside) {
        this.bounds = bounds;
        this.from = from;
        this.to = from;
        this.completedBefore = completed;
        this.insideBefore = inside;
        this.completed = completed;
        this.inside = inside;
    }

    /**
     * Reads on for a member that stands at a place.
     *
     * @param end where to stop at the latest
     * @param failing whether an undecodable object in scope ends the run and the watch
     */
    static FrameRun read(WatchClass watches, Watcher place, History history, long end, boolean failing, Bounds bounds) {
        FrameRun run = new FrameRun(bounds, place.position, place.completed, place.inside);
        while (run.to < end && !run.isFull()) {
            HistoryEvent event = history.get(run.to);
            if (event == null) {
                run.evicted = true;
                break;
            }
            if (failing && watches.isUndecodable(event)) {
                run.failure = event.object();
                break;
            }
            run.add(watches, event, place.generation);
        }
        if (run.joined != null) {
            run.frames = run.joined.finish(place.generation, run.completed);
            run.joined = null;
        }
        return run;
    }

    private void add(WatchClass watches, HistoryEvent event, @Nullable Generation generation) {
        EventType type = watches.typeOf(event);
        if (type != null) {
            if (joined == null) {
                joined = new FrameJoiner(watches.target);
            }
            joined.add(event, type, generation);
            events++;
        }
        to++;
        inside = !event.lastOfRevision();
        if (!inside) {
            completed = event.revision();
        }
    }

    private boolean isFull() {
        int bytes = bytes();
        return inside
                ? bytes >= bounds.writeHardBytes()
                : bytes >= bounds.writeBytes() || to - from >= bounds.runEvents();
    }

    /** Whether it is what a member at this place is to be sent next. */
    boolean startsAt(Watcher place) {
        return from == place.position && completedBefore == place.completed && insideBefore == place.inside;
    }

    long to() {
        return to;
    }

    /** How many events of the history were looked at. */
    long looked() {
        return to - from;
    }

    int events() {
        return events;
    }

    int bytes() {
        if (joined != null) {
            return joined.bytes();
        }
        return frames == null ? 0 : frames.readableBytes();
    }

    /** The last revision that was gone through to its end. */
    long completed() {
        return completed;
    }

    /** Whether it stops inside a revision. */
    boolean inside() {
        return inside;
    }

    /** Whether the event at its end is no longer in memory. */
    boolean evicted() {
        return evicted;
    }

    /** The undecodable object at its end, if one ended it. */
    @Nullable
    ObjectEntry failure() {
        return failure;
    }

    /** A share of the frames for one member; null if there are none. */
    @Nullable
    ByteBuf share() {
        return frames == null ? null : frames.retainedDuplicate();
    }

    void release() {
        if (frames != null) {
            frames.release();
            frames = null;
        }
    }
}
