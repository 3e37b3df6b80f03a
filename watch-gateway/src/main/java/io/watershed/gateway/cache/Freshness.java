package io.watershed.gateway.cache;

import io.watershed.log.Entry;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * How old what is served may be: the age of the newest head of etcd that was reached. Progress records that merely keep coming while the
 * watermark stands still don't lower it.
 *
 * <p><em>Threads:</em> the feed writes, any reads the results.
 */
final class Freshness {
    private static final int MOST_AHEAD = 1000;

    private final Deque<Entry.Progress> ahead = new ArrayDeque<>();
    private volatile long reachedMillis = -1;
    private volatile @Nullable String address;

    void progress(Entry.Progress progress) {
        address = progress.address();
        if (ahead.size() == MOST_AHEAD) {
            ahead.removeFirst();
        }
        ahead.addLast(progress);
    }

    void lineage(Entry.Lineage lineage) {
        address = lineage.address();
    }

    void reached(long watermark) {
        while (!ahead.isEmpty() && ahead.peekFirst().head() <= watermark) {
            reachedMillis = Math.max(reachedMillis, ahead.removeFirst().timestampMillis());
        }
    }

    /** Null before a head was reached. */
    @Nullable
    Duration staleness(long nowMillis) {
        long reached = reachedMillis;
        return reached < 0 ? null : Duration.ofMillis(Math.max(0, nowMillis - reached));
    }

    @Nullable
    String address() {
        return address;
    }
}
