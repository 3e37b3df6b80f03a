package io.watershed.ingest.etcd;

import java.util.concurrent.TimeUnit;

/**
 * Finds a stream that does not move though etcd's head is known to be ahead: its member lags, is cut off, stuck, or does not report
 * progress. Only time in which somebody waited for the stream in vain counts, so neither a long catch-up nor a consumer that was busy
 * elsewhere looks like silence. Pure.
 *
 * <p><em>Threads:</em> confined to its owner.
 */
final class ProgressWatchdog {
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long NO_PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(5);

    private long released;
    private long expected;
    private long starvedNanos;

    ProgressWatchdog(long released) {
        this.released = released;
    }

    /** A linearizable read saw this head. The first one beyond the release stays the one to be reached. */
    void head(long revision) {
        if (!isBehind()) {
            expected = revision;
            starvedNanos = 0;
        }
    }

    /** The stream has released everything up to here. */
    void released(long upTo) {
        if (upTo > released) {
            released = upTo;
            starvedNanos = 0;
        }
    }

    /** Somebody waited so long, and nothing came. */
    void starved(long nanos) {
        if (isBehind()) {
            starvedNanos += nanos;
        }
    }

    /** Whether the head is known to be beyond what was released. */
    boolean isBehind() {
        return expected > released;
    }

    /** The head that is to be reached. */
    long expected() {
        return expected;
    }

    boolean isSilent() {
        return starvedNanos > SILENCE_NANOS;
    }

    /** Sooner than silence: an etcd that can't be asked for progress and has reported none needs another flag, not patience (S5). */
    boolean lacksProgress() {
        return starvedNanos > NO_PROGRESS_NANOS;
    }
}
