package io.watershed.log.kafka;

import io.watershed.log.Entry;
import io.watershed.log.Generation;
import io.watershed.log.LogFailure;
import io.watershed.log.LogRecord;
import io.watershed.log.codec.EncodedRecord;
import io.watershed.log.codec.RecordCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The one producer of a log. Opening it fences every earlier one; entries are committed in whole transactions, stamped with the
 * generation and the dense sequence.
 *
 * <p>Whatever goes wrong leaves in doubt whether the last commit happened: the writer is of no more use, and what the log holds is to be
 * read anew (log rule: any error but a clean abort is unknown). A broker that lost its tail shows in acknowledged offsets that do not
 * rise; an idempotent producer does not notice by itself.
 *
 * <p><em>Threads:</em> confined to one.
 */
public final class FencedWriter implements AutoCloseable {
    /** What a batch and its record need beside key, value and header. */
    private static final int OVERHEAD_BYTES = 1024;

    private final LogSettings settings;
    private final KafkaProducer<byte[], byte[]> producer;
    private final int largestRecord;
    private @Nullable Generation generation;
    private long lastSequence;
    private long lastOffset = -1;

    private FencedWriter(LogSettings settings, KafkaProducer<byte[], byte[]> producer, int largestRecord) {
        this.settings = settings;
        this.producer = producer;
        this.largestRecord = largestRecord;
    }

    /** Opens the producer and fences every earlier one: its open transaction is aborted. Blocks up to {@code deadline}. */
    public static FencedWriter open(LogSettings settings, Duration deadline) throws LogFailure {
        Properties properties = ClientProperties.producer(settings, "watershed-ingester-" + settings.topic());
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, deadline.toMillis());
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        try {
            producer.initTransactions();
        } catch (KafkaException e) {
            producer.close(Duration.ZERO);
            if (e instanceof org.apache.kafka.common.errors.TimeoutException) {
                throw new LogFailure.Unavailable(
                        "fencing earlier writers at Kafka " + settings.bootstrapServers() + " took longer than "
                                + deadline.toSeconds() + " s. Is a broker running there? If it is, look for a hanging"
                                + " transaction with bin/kafka transactions find-hanging",
                        e);
            }
            throw failure(settings, "fencing earlier writers", e);
        }
        int largest = Integer.parseInt(String.valueOf(properties.get(ProducerConfig.MAX_REQUEST_SIZE_CONFIG)));
        return new FencedWriter(settings, producer, largest - OVERHEAD_BYTES);
    }

    /** Where the log goes on. {@code ofLastRecord}: no record acknowledged from now on may have this offset or a lower one. */
    public void resumeAt(Generation ofRecords, long sequence, long ofLastRecord) {
        generation = ofRecords;
        lastSequence = sequence;
        lastOffset = ofLastRecord;
    }

    /** From now on records carry this generation. */
    public void startGeneration(Generation ofRecords) {
        generation = ofRecords;
    }

    /** Commits the entries as one transaction. Returns the sequence of the last one. */
    public long commit(List<Entry> entries) throws LogFailure {
        long sequence = lastSequence;
        long offset = lastOffset;
        try {
            producer.beginTransaction();
            List<Future<RecordMetadata>> acknowledged = new ArrayList<>(entries.size());
            for (Entry entry : entries) {
                acknowledged.add(producer.send(record(entry, ++sequence)));
            }
            producer.flush();
            for (Future<RecordMetadata> one : acknowledged) {
                long next = one.get().offset();
                if (next <= offset) {
                    producer.abortTransaction();
                    throw new LogFailure.InDoubt("the log was cut: offset " + next + " was acknowledged after " + offset
                            + ", so the broker lost records that it had acknowledged");
                }
                offset = next;
            }
            producer.commitTransaction();
        } catch (KafkaException e) {
            throw failure(settings, "committing " + entries.size() + " records", e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw failure(
                    settings,
                    "committing " + entries.size() + " records",
                    cause instanceof KafkaException kafka ? kafka : new KafkaException(cause));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LogFailure.InDoubt("interrupted in a commit", e);
        }
        lastSequence = sequence;
        lastOffset = offset;
        return sequence;
    }

    private ProducerRecord<byte[], byte[]> record(Entry entry, long sequence) {
        EncodedRecord encoded = RecordCodec.encode(
                new LogRecord(Objects.requireNonNull(generation, "resumeAt() was not called"), sequence, entry));
        return new ProducerRecord<>(
                settings.topic(),
                0,
                encoded.key(),
                encoded.value(),
                List.of(new RecordHeader(RecordCodec.HEADER, encoded.header())));
    }

    private static LogFailure failure(LogSettings settings, String what, KafkaException e) {
        Throwable cause = e;
        while (cause != null) {
            if (cause instanceof ProducerFencedException
                    || cause instanceof InvalidProducerEpochException
                    || cause instanceof InvalidPidMappingException) {
                return new LogFailure.Fenced("another ingester writes topic " + settings.topic() + " now", e);
            }
            if (cause instanceof TransactionalIdAuthorizationException) {
                return new LogFailure.Fenced(
                        "Kafka does not let this ingester use the transactional id watershed-ingester-"
                                + settings.topic() + ": grant it Write on that transactional id",
                        e);
            }
            cause = cause.getCause();
        }
        return new LogFailure.InDoubt(
                what + " at Kafka " + settings.bootstrapServers() + " failed: " + ClientProperties.reason(e)
                        + ". What the log holds is read anew",
                e);
    }

    /** Offset of the last record that was committed. */
    public long lastOffset() {
        return lastOffset;
    }

    /** Whether the entry's record fits the topic: the publisher asks before, and publishes an oversize stub instead. */
    public boolean fits(Entry entry) {
        Generation any = new Generation(Long.MAX_VALUE, "00000000");
        return RecordCodec.encode(new LogRecord(any, Long.MAX_VALUE, entry)).size() <= largestRecord;
    }

    /** Gives up at once: an open transaction is left to the next writer's fence. */
    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
