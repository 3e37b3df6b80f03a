package io.watershed.ingest.publish;

import io.watershed.log.AppendedRecord;
import io.watershed.log.Entry;
import io.watershed.log.Generation;
import io.watershed.log.LogFailure;
import java.time.Duration;
import java.util.List;

/** The log as the ingester uses it: {@link KafkaLog}, and a fake in tests. Confined to the ingester's thread. */
public interface Log {
    /** Fences every earlier writer. */
    Writer openWriter() throws LogFailure;

    /** From the beginning of the topic. */
    Reader openReader() throws LogFailure;

    /** Creates the topic if that is allowed, and refuses one that is not what it must be. */
    void requireContract() throws LogFailure;

    /** While publishing: fails only for what makes going on unsafe; other violations are counted. */
    void checkWhilePublishing() throws LogFailure;

    /** See {@link io.watershed.log.kafka.FencedWriter}. */
    interface Writer extends AutoCloseable {
        void resumeAt(Generation generation, long lastSequence, long lastOffset);

        long commit(List<Entry> entries) throws LogFailure;

        long lastOffset();

        boolean fits(Entry entry);

        @Override
        void close();
    }

    /** See {@link io.watershed.log.kafka.LogReader}. */
    interface Reader extends AutoCloseable {
        long endOffset() throws LogFailure;

        List<AppendedRecord> poll(Duration atMost) throws LogFailure;

        long position() throws LogFailure;

        @Override
        void close();
    }
}
