package io.watershed.log.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.log.AppendedRecord;
import io.watershed.log.LogFailure;
import io.watershed.log.codec.RecordCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
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
 * <p><em>Threads:</em> confined to one; {@link #wakeup()} from any.
 */
public final class LogReader implements AutoCloseable {
    private static final long CALL_SECONDS = 15;

    private final LogSettings settings;
    private final TopicPartition partition;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final Admin admin;
    private final TopicContract contract;
    private final Uuid topicId;

    private LogReader(
            LogSettings settings,
            TopicPartition partition,
            KafkaConsumer<byte[], byte[]> consumer,
            Admin admin,
            TopicContract contract,
            Uuid topicId) {
        this.settings = settings;
        this.partition = partition;
        this.consumer = consumer;
        this.admin = admin;
        this.contract = contract;
        this.topicId = topicId;
    }

    /** Assigns the partition and seeks to its beginning. An absent topic is Unavailable: the ingester creates it. */
    public static LogReader open(LogSettings settings) throws LogFailure {
        TopicContract contract = new TopicContract(settings);
        Uuid id;
        try {
            if (!contract.topics().contains(settings.topic())) {
                throw new LogFailure.Unavailable(
                        "topic " + settings.topic() + " does not exist at Kafka " + settings.bootstrapServers()
                                + ". Start an ingester, which creates it, or see kafka.topic.name");
            }
            id = contract.topicId();
        } catch (LogFailure e) {
            contract.close();
            throw e;
        }
        TopicPartition partition = new TopicPartition(settings.topic(), 0);
        KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                ClientProperties.consumer(settings), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
        return new LogReader(
                settings, partition, consumer, Admin.create(ClientProperties.admin(settings)), contract, id);
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
            return admin.listOffsets(Map.of(partition, OffsetSpec.latest()), new ListOffsetsOptions(isolation))
                    .partitionResult(partition)
                    .get(CALL_SECONDS, TimeUnit.SECONDS)
                    .offset();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                throw new LogFailure.Discontinuity("topic " + settings.topic() + " is gone", e);
            }
            throw ClientProperties.unavailable(settings, "reading the end of the log", e);
        } catch (TimeoutException e) {
            throw ClientProperties.unavailable(settings, "reading the end of the log", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ClientProperties.unavailable(settings, "reading the end of the log", e);
        }
    }

    /** The next records in offset order; empty when none came in time. */
    public List<AppendedRecord> poll(Duration atMost) throws LogFailure {
        List<AppendedRecord> records = new ArrayList<>();
        try {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(atMost)) {
                records.add(new AppendedRecord(record.offset(), record.timestamp(), decode(record)));
            }
        } catch (WakeupException e) {
            return records;
        } catch (OffsetOutOfRangeException e) {
            throw new LogFailure.Discontinuity(
                    "topic " + settings.topic() + " no longer holds offset " + safePosition()
                            + ": it was cut or made anew",
                    e);
        } catch (KafkaException e) {
            throw ClientProperties.unavailable(settings, "reading the log", e);
        }
        return records;
    }

    private io.watershed.log.LogRecord decode(ConsumerRecord<byte[], byte[]> record) throws LogFailure.Undecodable {
        Header header = record.headers().lastHeader(RecordCodec.HEADER);
        byte @Nullable [] headerBytes = header == null ? null : header.value();
        try {
            return RecordCodec.decode(record.key(), record.value(), headerBytes);
        } catch (LogFailure.Undecodable e) {
            String key = record.key() == null ? "none" : new String(record.key(), UTF_8);
            throw new LogFailure.Undecodable(
                    "offset " + record.offset() + " of topic " + settings.topic() + " (key " + key + ") can't be read: "
                            + e.getMessage(),
                    e);
        }
    }

    private String safePosition() {
        try {
            return Long.toString(consumer.position(partition, Duration.ofSeconds(1)));
        } catch (KafkaException e) {
            return "it stood at";
        }
    }

    /** Offset of the next record to come; steps over transaction markers. Compare this with a bound, never a record's offset. */
    public long position() throws LogFailure {
        try {
            return consumer.position(partition);
        } catch (KafkaException e) {
            throw ClientProperties.unavailable(settings, "asking for the position", e);
        }
    }

    /** Fails with Discontinuity when the topic is not the one that was opened. Every 10 s and after any partition error. */
    public void checkTopicId() throws LogFailure {
        Uuid now;
        try {
            now = contract.topicId();
        } catch (LogFailure.Unavailable e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                throw new LogFailure.Discontinuity("topic " + settings.topic() + " is gone", e);
            }
            throw e;
        }
        if (!now.equals(topicId)) {
            throw new LogFailure.Discontinuity("topic " + settings.topic() + " was deleted and created again");
        }
    }

    /** Ends a poll that waits. */
    public void wakeup() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(1)));
        admin.close(Duration.ofSeconds(1));
        contract.close();
    }

    @Override
    public String toString() {
        return "LogReader[" + Objects.toString(partition) + "]";
    }
}
