package io.watershed.gateway.cache;

import org.jspecify.annotations.Nullable;

/**
 * One change of one object.
 *
 * <p><em>Threads:</em> immutable, but for {@link #frames}.
 */
public final class HistoryEvent {
    private final long position;
    private final long revision;
    private final boolean lastOfRevision;
    private final String resource;
    private final @Nullable ObjectEntry object;
    private final @Nullable ObjectEntry previous;

    /** Room for the fan-out to keep the event's encoded form, which goes with the event. */
    public volatile @Nullable Object frames;

    HistoryEvent(
            long position,
            long revision,
            boolean lastOfRevision,
            String resource,
            @Nullable ObjectEntry object,
            @Nullable ObjectEntry previous) {
        this.position = position;
        this.revision = revision;
        this.lastOfRevision = lastOfRevision;
        this.resource = resource;
        this.object = object;
        this.previous = previous;
    }

    /** Where it stands in its {@link History}. */
    public long position() {
        return position;
    }

    /** The revision of the change, a delete's own included. */
    public long revision() {
        return revision;
    }

    /** Whether the next event is of another revision. */
    public boolean lastOfRevision() {
        return lastOfRevision;
    }

    /** Plural[.group]. */
    public String resource() {
        return resource;
    }

    /** The object as it is since; null for a delete. */
    public @Nullable ObjectEntry object() {
        return object;
    }

    /** The object as it was before; null if there was none. */
    public @Nullable ObjectEntry previous() {
        return previous;
    }
}
