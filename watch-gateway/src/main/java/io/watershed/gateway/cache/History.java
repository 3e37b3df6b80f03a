package io.watershed.gateway.cache;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The changes of all resources in the order of the log, each at a position: dense numbers that rise. Old ones are evicted, whole
 * revisions at a time, after a view whose {@link CacheView#memoryFloor} says so has been published; so who has looked something up
 * here can tell from a view taken afterwards whether what was looked for may have been evicted meanwhile.
 *
 * <p><em>Threads:</em> one writer, the feed; any reader.
 */
public final class History {
    private final ConcurrentSkipListMap<Long, HistoryEvent> events = new ConcurrentSkipListMap<>();
    private volatile long start;
    private volatile long end;

    History(long start) {
        this.start = start;
        this.end = start;
    }

    /** Position of the oldest event that is held. */
    public long start() {
        return start;
    }

    /** Position behind the newest event; a view shows what is below its {@link CacheView#historyEnd} only. */
    public long end() {
        return end;
    }

    /** The event at a position; null if it was evicted, or is not there yet. */
    public @Nullable HistoryEvent get(long position) {
        return position < start ? null : events.get(position);
    }

    /** Position of the first event that is held whose revision is above this one; {@link #end} if there is none. */
    public long firstAfter(long revision) {
        return firstAt(revision + 1);
    }

    /** Position of the first event that is held whose revision is this or above; {@link #end} if there is none. */
    public long firstAt(long revision) {
        for (Map.Entry<Long, HistoryEvent> event : events.entrySet()) {
            if (event.getValue().revision() >= revision) {
                return event.getKey();
            }
        }
        return end;
    }

    void append(HistoryEvent event) {
        events.put(event.position(), event);
        end = event.position() + 1;
    }

    void evictBelow(long position) {
        start = position;
        events.headMap(position).clear();
    }
}
