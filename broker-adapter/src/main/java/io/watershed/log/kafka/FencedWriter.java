package io.watershed.log.kafka;

import io.watershed.log.Entry;
import io.watershed.log.Generation;
import io.watershed.log.LogFailure;
import java.time.Duration;
import java.util.List;

/** Skeleton: the transactional writer of log.md §3.3. Confined to one thread. */
public final class FencedWriter implements AutoCloseable {
    /** Opens the producer and fences every earlier one (initTransactions). Blocks up to {@code deadline}. */
    public static FencedWriter open(LogSettings settings, Duration deadline) throws LogFailure {
        throw new UnsupportedOperationException();
    }

    /** Where the log goes on. {@code lastOffset}: no record acknowledged from now on may have this offset or a lower one. */
    public void resumeAt(Generation generation, long lastSequence, long lastOffset) {
        throw new UnsupportedOperationException();
    }

    /** From now on records carry this generation. */
    public void startGeneration(Generation generation) {
        throw new UnsupportedOperationException();
    }

    /** Commits the entries as one transaction. Returns the sequence of the last one. The offset of the last one: {@link #lastOffset()}. */
    public long commit(List<Entry> entries) throws LogFailure {
        throw new UnsupportedOperationException();
    }

    public long lastOffset() {
        throw new UnsupportedOperationException();
    }

    /** Whether the entry's record fits the topic: the publisher asks before, and publishes an oversize stub instead. */
    public boolean fits(Entry entry) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
