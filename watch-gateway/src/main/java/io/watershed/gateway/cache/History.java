package io.watershed.gateway.cache;

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
    private static final long EVENT_BYTES = 256;

    /** Blocks from the one with number {@code first} on. */
    private static final class Directory {
        private final long first;
        private final HistoryEvent[][] blocks;

        Directory(long first, HistoryEvent[][] blocks) {
            this.first = first;
            this.blocks = blocks;
        }
    }

    private volatile Directory directory;
    private volatile long start;
    private volatile long end;
    private volatile long evictedRevision;
    private long bytes;

    /** {@code start}: the first position. */
    public History(long start) {
        this.start = start;
        this.end = start;
        this.directory = new Directory(start / BLOCK, new HistoryEvent[][] {new HistoryEvent[BLOCK]});
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
            HistoryEvent[][] longer = java.util.Arrays.copyOf(now.blocks, block + 1);
            longer[block] = new HistoryEvent[BLOCK];
            now = new Directory(now.first, longer);
            directory = now;
        }
        now.blocks[block][(int) (position % BLOCK)] = event;
        bytes += bytes(event);
        end = position + 1;
    }

    /** Forgets what lies before the position. Feed only. */
    public void evictTo(long position) {
        HistoryEvent newest = get(position - 1);
        if (newest != null) {
            evictedRevision = newest.revision();
        }
        for (long gone = start; gone < position; gone++) {
            HistoryEvent event = get(gone);
            if (event != null) {
                bytes -= bytes(event);
            }
        }
        start = position;
        Directory now = directory;
        int dropped = (int) Math.min(position / BLOCK - now.first, now.blocks.length - 1L);
        if (dropped > 0) {
            directory = new Directory(
                    now.first + dropped, java.util.Arrays.copyOfRange(now.blocks, dropped, now.blocks.length));
        }
    }

    /** About how much memory the events take: an object and the frame that is made of it. Feed only. */
    long bytes() {
        return bytes;
    }

    private static long bytes(HistoryEvent event) {
        ObjectEntry object = event.object() == null ? event.previous() : event.object();
        return EVENT_BYTES + (object == null ? 0 : 2L * object.json().length);
    }
}
