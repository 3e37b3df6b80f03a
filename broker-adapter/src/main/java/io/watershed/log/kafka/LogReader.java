package io.watershed.log.kafka;

import io.watershed.log.AppendedRecord;
import io.watershed.log.LogFailure;
import java.time.Duration;
import java.util.List;

/** Skeleton: the reader of log.md §3.7 and §3.4. Confined to one thread; {@link #wakeup()} from any. */
public final class LogReader implements AutoCloseable {
    /** Assigns the partition and seeks to its beginning. */
    public static LogReader open(LogSettings settings) throws LogFailure {
        throw new UnsupportedOperationException();
    }

    /** The high watermark now (read uncommitted): what "read to the end" means, taken once. */
    public long endOffset() throws LogFailure {
        throw new UnsupportedOperationException();
    }

    /** The next records in offset order; empty when none came in time. */
    public List<AppendedRecord> poll(Duration atMost) throws LogFailure {
        throw new UnsupportedOperationException();
    }

    /** Offset of the next record to come; steps over transaction markers. Compare this with a bound, never a record's offset. */
    public long position() throws LogFailure {
        throw new UnsupportedOperationException();
    }

    /** Fails with Discontinuity when the topic is not the one that was opened. Every 10 s and after any partition error. */
    public void checkTopicId() throws LogFailure {
        throw new UnsupportedOperationException();
    }

    public void wakeup() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
