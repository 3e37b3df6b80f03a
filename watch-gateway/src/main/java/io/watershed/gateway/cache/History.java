package io.watershed.gateway.cache;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Every event of every resource in order, as far back as memory goes. Watches are positions in it.
 *
 * <p>Events lie in blocks that are written once; a small directory of the blocks is replaced when one is added or dropped. An event is
 * written before {@code end} is, so who has read {@code end} sees the event.
 *
 * <p><em>Threads:</em> the feed writes, any reads. A position that was evicted meanwhile reads as null.
 */
public final class History {
    private static final int BLOCK = 1024;
    /** Beside the JSON: the event, its object's key, names and labels, its slot. */
    private static final long EVENT_BYTES = 512;

    /** Blocks from the one with number {@code first} on. */
    private static final class Directory {
        private final long first;
        private final @Nullable HistoryEvent[][] blocks;

        Directory(long first, @Nullable HistoryEvent[][] blocks) {
            this.first = first;
            this.blocks = blocks;
        }
    }

    private volatile Directory directory;
    private volatile long start;
    private volatile long end;
    private volatile long evictedRevision;
    private volatile long bytes;

    /** {@code start}: the first position. */
    public History(long start) {
        this.start = start;
        this.end = start;
        this.directory = new Directory(start / BLOCK, new @Nullable HistoryEvent[][] {new HistoryEvent[BLOCK]});
    }

    /** The oldest position held. */
    public long start() {
        return start;
    }

    /** The position that the next event will have. */
    public long end() {
        return end;
    }

    /**
     * The newest revision of which an event was evicted; 0 when none was. Written before {@link #start()} is, so who asks after a search
     * knows what the search may have missed, though the view that tells of the eviction is published later.
     */
    public long evictedRevision() {
        return evictedRevision;
    }

    /** Null when the position is not held: evicted, or not there yet. */
    public @Nullable HistoryEvent get(long position) {
        if (position < start || position >= end) {
            return null;
        }
        Directory now = directory;
        long block = position / BLOCK - now.first;
        return block < 0 || block >= now.blocks.length ? null : now.blocks[(int) block][(int) (position % BLOCK)];
    }

    /** Position of the first event held that comes after the revision; {@link #end()} if there is none. */
    public long firstAfter(long revision) {
        return firstAt(revision + 1);
    }

    /** Position of the first event held that does not come before the revision; {@link #end()} if there is none. */
    public long firstAt(long revision) {
        long low = start;
        long high = end;
        while (low < high) {
            long middle = (low + high) >>> 1;
            HistoryEvent event = get(middle);
            if (event == null || event.revision() < revision) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The newest event at or before a time, and before a position; null if none is held. */
    public @Nullable HistoryEvent lastBy(long timeMillis, long before) {
        long low = start;
        long high = before;
        HistoryEvent found = null;
        while (low < high) {
            long middle = (low + high) >>> 1;
            HistoryEvent event = get(middle);
            if (event != null && event.timeMillis() > timeMillis) {
                high = middle;
            } else {
                found = event; // null where it was evicted meanwhile: what is held lies behind it
                low = middle + 1;
            }
        }
        return found;
    }

    /** Appends an event, which must have the position {@link #end()}. Feed only. */
    public void add(HistoryEvent event) {
        long position = end;
        if (event.position() != position) {
            throw new IllegalArgumentException(
                    "position " + event.position() + " does not follow, " + position + " does");
        }
        Directory now = directory;
        int block = (int) (position / BLOCK - now.first);
        if (block == now.blocks.length) {
            @Nullable HistoryEvent[][] longer = Arrays.copyOf(now.blocks, block + 1);
            longer[block] = new HistoryEvent[BLOCK];
            now = new Directory(now.first, longer);
            directory = now;
        }
        now.blocks[block][(int) (position % BLOCK)] = event;
        long total = bytes;
        bytes = total + bytes(event);
        end = position + 1;
    }

    /** Forgets what lies before the position. Feed only. */
    public void evictTo(long position) {
        HistoryEvent newest = get(position - 1);
        if (newest != null) {
            evictedRevision = newest.revision();
        }
        long from = start;
        long left = bytes;
        start = position;
        Directory now = directory;
        for (long gone = from; gone < position; gone++) {
            @Nullable HistoryEvent[] block = now.blocks[(int) (gone / BLOCK - now.first)];
            HistoryEvent event = block[(int) (gone % BLOCK)];
            if (event != null) {
                left -= bytes(event);
            }
            // A block is dropped when all of it is out, which may be much later than this event.
            block[(int) (gone % BLOCK)] = null;
        }
        bytes = left;
        int dropped = (int) Math.min(position / BLOCK - now.first, now.blocks.length - 1L);
        if (dropped > 0) {
            directory = new Directory(now.first + dropped, Arrays.copyOfRange(now.blocks, dropped, now.blocks.length));
        }
    }

    /** About how much memory the events take at the most: objects before and after, and the frame that is made of them. */
    long bytes() {
        return bytes;
    }

    private static long bytes(HistoryEvent event) {
        long before = length(event.previous());
        long after = length(event.object());
        return EVENT_BYTES + before + after + Math.max(before, after);
    }

    private static long length(@Nullable ObjectEntry object) {
        return object == null ? 0 : object.json().length;
    }
}
