package io.watershed.gateway.cache;

import org.jspecify.annotations.Nullable;

/**
 * One change of one object.
 *
 * <p><em>Threads:</em> immutable, any, but for {@link #frames}.
 */
public final class HistoryEvent {
    private final long position;
    private final long revision;
    private final long timeMillis;
    private final boolean last;
    private final String resource;
    private final @Nullable ObjectEntry object;
    private final @Nullable ObjectEntry previous;

    /** What the fan-out has encoded of this event; its own, any loop may replace it. Goes when the event is evicted. */
    public volatile @Nullable Object frames;

    /**
     * @param timeMillis when the broker appended the revision's last record; never before the event in front of it
     * @param object null for a delete
     * @param previous null when the object is new
     */
    public HistoryEvent(
            long position,
            long revision,
            long timeMillis,
            boolean last,
            String resource,
            @Nullable ObjectEntry object,
            @Nullable ObjectEntry previous) {
        this.position = position;
        this.revision = revision;
        this.timeMillis = timeMillis;
        this.last = last;
        this.resource = resource;
        this.object = object;
        this.previous = previous;
    }

    public long position() {
        return position;
    }

    public long revision() {
        return revision;
    }

    /** When its revision was written to the log, by the broker's clock; never before the event in front of it. */
    public long timeMillis() {
        return timeMillis;
    }

    /** Whether it is its revision's last event of any resource. */
    public boolean lastOfRevision() {
        return last;
    }

    /** Plural[.group]. */
    public String resource() {
        return resource;
    }

    /** Null for a delete. */
    public @Nullable ObjectEntry object() {
        return object;
    }

    /** Null when the object is new. */
    public @Nullable ObjectEntry previous() {
        return previous;
    }
}
