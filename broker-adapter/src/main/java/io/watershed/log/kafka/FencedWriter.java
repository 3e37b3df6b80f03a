package io.watershed.log.kafka;

import io.watershed.log.Entry;
import io.watershed.log.Generation;
import io.watershed.log.LogFailure;
import io.watershed.log.LogRecord;
import io.watershed.log.codec.EncodedRecord;
import io.watershed.log.codec.RecordCodec;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidPidMappingException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The one producer of a log. Opening it fences every earlier one; entries are committed in whole transactions, stamped with the
 * generation and the dense sequence.
 *
 * <p>Whatever goes wrong leaves in doubt whether the last commit happened: the writer is of no more use, says so from then on, and what
 * the log holds is to be read anew (log rule: any error but a clean abort is unknown). A broker that lost its tail shows in acknowledged
 * offsets that do not rise; an idempotent producer does not notice by itself.
 *
 * <p><em>Threads:</em> confined to one.
 */
public final class FencedWriter implements AutoCloseable {
    /** What a batch and its record need beside key, value and header. */
    private static final int OVERHEAD_BYTES = 1024;
    /** What a request and an incompressible batch need beside the records. */
    private static final int MARGIN_BYTES = 64 << 10;
    /** A topic that takes less is refused by its contract. */
    private static final int LEAST_REQUEST_BYTES = 16 << 10;
    /** How many acknowledgements a giant revision may leave unread. */
    private static final int UNREAD = 10_000;

    private final LogSettings settings;
    private final KafkaProducer<byte[], byte[]> producer;
    private final int largestRecord;
    private @Nullable Generation generation;
    private long lastSequence;
    private long lastOffset = -1;
    private boolean broken;

    private FencedWriter(LogSettings settings, KafkaProducer<byte[], byte[]> producer, int largestRecord) {
        this.settings = settings;
        this.producer = producer;
        this.largestRecord = largestRecord;
    }

    /** Opens the producer and fences every earlier one: its open transaction is aborted. Blocks up to {@code deadline}. */
    public static FencedWriter open(LogSettings settings, Duration deadline) throws LogFailure {
        int largestRequest = Math.max(LEAST_REQUEST_BYTES, largestMessage(settings) - MARGIN_BYTES);
        KafkaProducer<byte[], byte[]> producer;
        try {
            producer = new KafkaProducer<>(
                    ClientProperties.producer(settings, transactionalId(settings), largestRequest),
                    new ByteArraySerializer(),
                    new ByteArraySerializer());
        } catch (KafkaException e) {
            throw ClientProperties.unavailable(settings, "opening a producer", e);
        }
        try {
            fence(settings, producer, deadline);
            return new FencedWriter(settings, producer, largestRequest - OVERHEAD_BYTES);
        } catch (LogFailure | RuntimeException e) {
            producer.close(Duration.ZERO);
            throw e;
        }
    }

    private static String transactionalId(LogSettings settings) {
        return "watershed-ingester-" + settings.topic();
    }

    /** What the topic takes now: what exceeds it would be refused by the broker again after every takeover. */
    private static int largestMessage(LogSettings settings) throws LogFailure {
        try (LogAdmin admin = new LogAdmin(settings)) {
            String bytes = admin.topicConfigs().get("max.message.bytes");
            return bytes == null
                    ? TopicRules.MAX_MESSAGE_BYTES
                    : Math.min(TopicRules.MAX_MESSAGE_BYTES, Integer.parseInt(bytes));
        }
    }

    private static void fence(LogSettings settings, KafkaProducer<byte[], byte[]> producer, Duration deadline)
            throws LogFailure {
        long end = System.nanoTime() + deadline.toNanos();
        while (true) {
            try {
                producer.initTransactions();
                return;
            } catch (TimeoutException e) {
                // One call blocks for less than the deadline; the same request is asked for again.
                if (System.nanoTime() - end >= 0) {
                    throw new LogFailure.Unavailable(
                            "fencing earlier writers of topic " + settings.topic() + " at Kafka "
                                    + settings.bootstrapServers() + " took longer than " + deadline.toSeconds()
                                    + " s. If a broker is running there, look for a transaction that hangs: bin/kafka"
                                    + " transactions --bootstrap-server " + settings.bootstrapServers()
                                    + " find-hanging --topic " + settings.topic() + ", and end it with abort",
                            e);
                }
            } catch (KafkaException | IllegalStateException e) {
                throw failure(settings, "fencing earlier writers", e);
            }
        }
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
        if (entries.isEmpty()) {
            throw new IllegalArgumentException("a transaction holds at least one record");
        }
        if (broken) {
            throw new LogFailure.InDoubt(
                    "this writer of topic " + settings.topic() + " has failed before; open another");
        }
        // Until the transaction is known to be whole, so that no way out of here leaves a writer that goes on.
        broken = true;
        String what = "committing " + entries.size() + " records";
        try {
            long offset = send(entries);
            producer.commitTransaction();
            lastSequence += entries.size();
            lastOffset = offset;
            broken = false;
            return lastSequence;
        } catch (KafkaException | IllegalStateException e) {
            throw failure(settings, what, e);
        } catch (ExecutionException e) {
            throw failure(settings, what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LogFailure.InDoubt("interrupted while " + what, e);
        }
    }

    /** Sends the entries in a transaction and waits for all; the last one's offset. */
    private long send(List<Entry> entries) throws LogFailure, ExecutionException, InterruptedException {
        Queue<Future<RecordMetadata>> unread = new ArrayDeque<>();
        long sequence = lastSequence;
        long offset = lastOffset;
        producer.beginTransaction();
        for (Entry entry : entries) {
            unread.add(producer.send(record(entry, ++sequence)));
            if (unread.size() > UNREAD) {
                offset = risen(offset, unread.remove());
            }
        }
        producer.flush();
        while (!unread.isEmpty()) {
            offset = risen(offset, unread.remove());
        }
        return offset;
    }

    private long risen(long before, Future<RecordMetadata> sent)
            throws LogFailure, ExecutionException, InterruptedException {
        long offset = sent.get().offset();
        if (offset > before) {
            return offset;
        }
        try {
            producer.abortTransaction();
        } catch (KafkaException | IllegalStateException e) {
            // The next writer's fence aborts it: what is to be said is the same.
            throw cut(before, offset, e);
        }
        throw cut(before, offset, null);
    }

    private LogFailure cut(long before, long offset, @Nullable Exception abort) {
        String message = "the end of topic " + settings.topic() + " was lost: offset " + offset
                + " was acknowledged after " + before + ", so Kafka " + settings.bootstrapServers()
                + " no longer has records that it acknowledged. What the log holds is read anew";
        return abort == null ? new LogFailure.InDoubt(message) : new LogFailure.InDoubt(message, abort);
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

    private static LogFailure failure(LogSettings settings, String what, Exception e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof ProducerFencedException
                    || cause instanceof InvalidProducerEpochException
                    || cause instanceof InvalidPidMappingException) {
                return new LogFailure.Fenced(
                        "another ingester writes topic " + settings.topic() + " at Kafka " + settings.bootstrapServers()
                                + " now, or Kafka has forgotten this one",
                        e);
            }
            if (cause instanceof TransactionalIdAuthorizationException) {
                return new LogFailure.Fenced(
                        "Kafka " + settings.bootstrapServers() + " does not let this ingester use the transactional id "
                                + transactionalId(settings) + ": grant it Write on that transactional id",
                        e);
            }
        }
        return new LogFailure.InDoubt(
                what + " in topic " + settings.topic() + " at Kafka " + settings.bootstrapServers() + " failed: "
                        + ClientProperties.reason(e) + ". What the log holds is read anew",
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
