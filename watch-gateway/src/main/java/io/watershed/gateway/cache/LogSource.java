package io.watershed.gateway.cache;

import io.watershed.log.AppendedRecord;
import io.watershed.log.LogFailure;
import java.time.Duration;
import java.util.List;

/** A log to read from its beginning: Kafka's, and a fake in tests. Each reader is confined to the feed thread. */
interface LogSource {
    Reader open() throws LogFailure;

    /** See {@link io.watershed.log.kafka.LogReader}. */
    interface Reader extends AutoCloseable {
        long endOffset() throws LogFailure;

        long stableOffset() throws LogFailure;

        long position() throws LogFailure;

        List<AppendedRecord> poll(Duration atMost) throws LogFailure;

        void checkTopicId() throws LogFailure;

        @Override
        void close();
    }
}
