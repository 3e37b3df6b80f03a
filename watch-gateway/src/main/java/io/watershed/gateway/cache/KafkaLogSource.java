package io.watershed.gateway.cache;

import io.watershed.log.AppendedRecord;
import io.watershed.log.LogFailure;
import io.watershed.log.kafka.LogReader;
import io.watershed.log.kafka.LogSettings;
import java.time.Duration;
import java.util.List;

/** {@link LogSource} in Kafka. */
final class KafkaLogSource implements LogSource {
    private final LogSettings settings;

    KafkaLogSource(LogSettings settings) {
        this.settings = settings;
    }

    @Override
    public Reader open() throws LogFailure {
        LogReader reader = LogReader.open(settings);
        return new Reader() {
            @Override
            public long endOffset() throws LogFailure {
                return reader.endOffset();
            }

            @Override
            public long stableOffset() throws LogFailure {
                return reader.stableOffset();
            }

            @Override
            public long position() throws LogFailure {
                return reader.position();
            }

            @Override
            public List<AppendedRecord> poll(Duration atMost) throws LogFailure {
                return reader.poll(atMost);
            }

            @Override
            public void checkTopicId() throws LogFailure {
                reader.checkTopicId();
            }

            @Override
            public void close() {
                reader.close();
            }
        };
    }
}
