package io.watershed.ingest.publish;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.watershed.log.AppendedRecord;
import io.watershed.log.Entry;
import io.watershed.log.Generation;
import io.watershed.log.LogFailure;
import io.watershed.log.kafka.FencedWriter;
import io.watershed.log.kafka.LogReader;
import io.watershed.log.kafka.LogSettings;
import io.watershed.log.kafka.TopicContract;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link Log} in Kafka. */
public final class KafkaLog implements Log, AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(KafkaLog.class);
    private static final Duration FENCE_DEADLINE = Duration.ofSeconds(60);
    private static final long CONTRACT_MILLIS = 60_000;

    private final LogSettings settings;
    private final InstantSource clock;
    private final KafkaWait wait;
    private final MultiGauge violations;
    private @Nullable TopicContract contract;
    private @Nullable Uuid topicId;
    private long contractMillis;

    public KafkaLog(LogSettings settings, KafkaWait wait, MeterRegistry meters, InstantSource clock) {
        this.settings = settings;
        this.wait = wait;
        this.clock = clock;
        this.violations =
                MultiGauge.builder("watershed_topic_contract_violations").register(meters);
    }

    @Override
    public void requireContract() throws LogFailure {
        TopicContract topic = contract();
        topic.createIfAbsent();
        report(topic.violations());
        topic.require();
        topicId = topic.topicId();
        contractMillis = clock.millis();
    }

    @Override
    public void checkWhilePublishing() throws LogFailure {
        wait.during("a look at topic " + settings.topic() + " at Kafka " + settings.bootstrapServers(), () -> {
            checkContract();
            return true;
        });
    }

    private void checkContract() throws LogFailure {
        TopicContract topic = contract();
        if (!topic.topicId().equals(topicId)) {
            throw new LogFailure.InDoubt("topic " + settings.topic() + " was deleted and created again");
        }
        if (clock.millis() - contractMillis < CONTRACT_MILLIS) {
            return;
        }
        contractMillis = clock.millis();
        List<TopicContract.Violation> found = topic.violations();
        report(found);
        for (TopicContract.Violation violation : found) {
            LOGGER.atWarn()
                    .addKeyValue("config", violation.config())
                    .addKeyValue("is", violation.actual())
                    .addKeyValue("mustBe", violation.required())
                    .addKeyValue("remedy", violation.repair())
                    .log("the topic is not what it must be");
        }
        if (found.stream().anyMatch(TopicContract.Violation::stopsWriter)) {
            topic.require();
        }
    }

    private void report(List<TopicContract.Violation> found) {
        violations.register(
                found.stream()
                        .map(violation -> MultiGauge.Row.of(Tags.of("config", violation.config()), 1))
                        .toList(),
                true);
    }

    private TopicContract contract() {
        TopicContract open = contract;
        if (open == null) {
            open = new TopicContract(settings);
            contract = open;
        }
        return open;
    }

    @Override
    public Writer openWriter() throws LogFailure {
        FencedWriter writer = FencedWriter.open(settings, FENCE_DEADLINE);
        return new Writer() {
            @Override
            public void resumeAt(Generation generation, long lastSequence, long lastOffset) {
                writer.resumeAt(generation, lastSequence, lastOffset);
            }

            @Override
            public long commit(List<Entry> entries) throws LogFailure {
                return wait.during(
                        "a commit to topic " + settings.topic() + " at Kafka " + settings.bootstrapServers(),
                        () -> writer.commit(entries));
            }

            @Override
            public long lastOffset() {
                return writer.lastOffset();
            }

            @Override
            public boolean fits(Entry entry) {
                return writer.fits(entry);
            }

            @Override
            public void close() {
                writer.close();
            }
        };
    }

    @Override
    public Reader openReader() throws LogFailure {
        LogReader reader = LogReader.open(settings);
        return new Reader() {
            @Override
            public long endOffset() throws LogFailure {
                return reader.endOffset();
            }

            @Override
            public List<AppendedRecord> poll(Duration atMost) throws LogFailure {
                return reader.poll(atMost);
            }

            @Override
            public long position() throws LogFailure {
                return reader.position();
            }

            @Override
            public void close() {
                reader.close();
            }
        };
    }

    @Override
    public void close() {
        TopicContract open = contract;
        if (open != null) {
            open.close();
            contract = null;
        }
    }
}
