package io.watershed.log.state;

import io.watershed.log.AppendedRecord;
import io.watershed.log.Generation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Skeleton: see the package. */
public final class LogState<V> {
    /** Whether the log holds a whole listing of its source. */
    public enum Phase {
        /** No relist has begun yet, or a part of the log is missing that compaction did not take. */
        LOST,
        /** A relist was begun and has not ended. */
        OPEN,
        WHOLE
    }

    public LogState(StateStore<V> store, Duration window) {
        throw new UnsupportedOperationException();
    }

    /** Applies the next committed record. {@code nowMillis}: the reader's clock, to judge the age of gaps by. */
    public void apply(AppendedRecord next, long nowMillis) throws Resync {
        throw new UnsupportedOperationException();
    }

    /** The reader is Ready: from now on any break of continuity is a {@link Resync}; the floor is clamped to the watermark (V4). */
    public void becomeLive() {
        throw new UnsupportedOperationException();
    }

    public Phase phase() {
        throw new UnsupportedOperationException();
    }

    /** W. */
    public long watermark() {
        throw new UnsupportedOperationException();
    }

    /** F. */
    public long floor() {
        throw new UnsupportedOperationException();
    }

    public boolean isValid(long revision) {
        throw new UnsupportedOperationException();
    }

    /** What the last open relist must be pinned above. */
    public long least() {
        throw new UnsupportedOperationException();
    }

    public long lastSequence() {
        throw new UnsupportedOperationException();
    }

    /** Of the last record read; null before the first. */
    public @Nullable Generation generation() {
        throw new UnsupportedOperationException();
    }

    /** Of what is served: the generation of the last publish. */
    public @Nullable Generation servedGeneration() {
        throw new UnsupportedOperationException();
    }

    /** For the ingester's comparison at takeover (S7, L3): moves S records whose E has not come into the store. Ends this state's use as a reader. */
    public void settlePending() {
        throw new UnsupportedOperationException();
    }
}
