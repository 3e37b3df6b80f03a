package io.watershed.log.kafka;

import io.watershed.log.AppendedRecord;
import io.watershed.log.LogFailure;
import io.watershed.log.LogRecord;
import io.watershed.log.codec.RecordCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log from its beginning: committed records only, no group, no resets.
 *
 * <p>"To the end" is a bound taken once with {@link #endOffset()} and compared with {@link #position()}: transaction markers take
 * offsets that no record has. A client does not notice by itself that a topic was deleted and created again: {@link #checkTopicId()}.
 *
 * <p><em>Threads:</em> confined to one; {@link #wakeup()} from any. <em>Errors:</em> after {@link LogFailure.Discontinuity} or
 * {@link LogFailure.Undecodable} every further poll fails with the same, so that no record can be skipped; open another reader.
 */
public final class LogReader implements AutoCloseable {
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final LogSettings settings;
    private final TopicPartition partition;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final LogAdmin admin;
    private final Uuid topicId;
    private @Nullable LogFailure broken;

    private LogReader(
            LogSettings settings,
            TopicPartition partition,
            KafkaConsumer<byte[], byte[]> consumer,
            LogAdmin admin,
            Uuid topicId) {
        this.settings = settings;
        this.partition = partition;
        this.consumer = consumer;
        this.admin = admin;
        this.topicId = topicId;
    }

    /** Assigns the partition and seeks to its beginning. An absent topic is Unavailable: the ingester creates it. */
    public static LogReader open(LogSettings settings) throws LogFailure {
        TopicPartition partition = new TopicPartition(settings.topic(), 0);
        LogAdmin admin = new LogAdmin(settings);
        try {
            if (!admin.topicExists()) {
                throw new LogFailure.Unavailable(
                        "topic " + settings.topic() + " does not exist at Kafka " + settings.bootstrapServers()
                                + ". Start an ingester, which creates it, or see kafka.topic.name");
            }
            Uuid topicId = admin.describe().topicId();
            return new LogReader(settings, partition, consumer(settings, partition), admin, topicId);
        } catch (LogFailure | RuntimeException e) {
            admin.close();
            throw e;
        }
    }

    private static KafkaConsumer<byte[], byte[]> consumer(LogSettings settings, TopicPartition partition)
            throws LogFailure {
        try {
            KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                    ClientProperties.consumer(settings), new ByteArrayDeserializer(), new ByteArrayDeserializer());
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            return consumer;
        } catch (KafkaException e) {
            throw ClientProperties.unavailable(settings, "opening a consumer", e);
        }
    }

    /** The high watermark now, open transactions included: what "read to the end" means, taken once. */
    public long endOffset() throws LogFailure {
        return offset(IsolationLevel.READ_UNCOMMITTED);
    }

    /** Up to here everything is decided: the end for a reader of committed records while a transaction is open. */
    public long stableOffset() throws LogFailure {
        return offset(IsolationLevel.READ_COMMITTED);
    }

    private long offset(IsolationLevel isolation) throws LogFailure {
        try {
            return admin.offset(OffsetSpec.latest(), isolation);
        } catch (LogFailure.Unavailable e) {
            throw LogAdmin.isUnknownTopic(e) ? gone(e) : e;
        }
    }

    private LogFailure gone(LogFailure cause) {
        return new LogFailure.Discontinuity(
                "topic " + settings.topic() + " no longer exists at Kafka " + settings.bootstrapServers(), cause);
    }

    /** The next records in offset order; empty when none came in time. */
    public List<AppendedRecord> poll(Duration atMost) throws LogFailure {
        if (broken != null) {
            throw broken;
        }
        List<AppendedRecord> records = new ArrayList<>();
        try {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(atMost)) {
                records.add(new AppendedRecord(record.offset(), record.timestamp(), decode(record)));
            }
            return records;
        } catch (WakeupException e) {
            return records;
        } catch (OffsetOutOfRangeException e) {
            // Also what Kafka throws for a log that was truncated behind the reader.
            LogFailure.Discontinuity failure = new LogFailure.Discontinuity(
                    "topic " + settings.topic()
                            + " no longer holds the place that was read to: it was cut or made anew ("
                            + ClientProperties.reason(e) + ")",
                    e);
            broken = failure;
            throw failure;
        } catch (LogFailure.Undecodable e) {
            broken = e;
            throw e;
        } catch (KafkaException e) {
            throw ClientProperties.unavailable(settings, "reading topic " + settings.topic(), e);
        }
    }

    private LogRecord decode(ConsumerRecord<byte[], byte[]> record) throws LogFailure.Undecodable {
        Header header = record.headers().lastHeader(RecordCodec.HEADER);
        byte @Nullable [] headerBytes = header == null ? null : header.value();
        try {
            return RecordCodec.decode(record.key(), record.value(), headerBytes);
        } catch (LogFailure.Undecodable e) {
            throw new LogFailure.Undecodable(
                    "offset " + record.offset() + " of topic " + settings.topic() + ": " + e.getMessage(), e);
        }
    }

    /** Offset of the next record to come; steps over transaction markers. Compare this with a bound, never a record's offset. */
    public long position() throws LogFailure {
        try {
            return consumer.position(partition);
        } catch (KafkaException e) {
            throw ClientProperties.unavailable(settings, "asking for the place in topic " + settings.topic(), e);
        }
    }

    /** Fails with Discontinuity when the topic is not the one that was opened. Every 10 s and after any partition error. */
    public void checkTopicId() throws LogFailure {
        Uuid now;
        try {
            now = admin.describe().topicId();
        } catch (LogFailure.Unavailable e) {
            throw LogAdmin.isUnknownTopic(e) ? gone(e) : e;
        }
        if (!now.equals(topicId)) {
            throw new LogFailure.Discontinuity("topic " + settings.topic() + " at Kafka " + settings.bootstrapServers()
                    + " was deleted and created again: its id was " + topicId + " and is " + now);
        }
    }

    /** Ends a poll that waits. */
    public void wakeup() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(CLOSE));
        admin.close();
    }

    @Override
    public String toString() {
        return "LogReader[" + partition + "]";
    }
}
