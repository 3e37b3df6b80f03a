package io.watershed.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A producer of somebody else's that leaves the end of a topic as no reader wants it: with records of a transaction that was aborted, or
 * of one that is open. A process of its own for the latter, so that it can be killed.
 */
final class AbandonedTransaction {
    static final String IS_OPEN = "transaction is open";
    private static final int RECORDS = 3;

    private AbandonedTransaction() {}

    /** Arguments: the broker and the topic. Opens a transaction, says so, and waits to be killed. */
    public static void main(String[] arguments) throws ExecutionException, InterruptedException {
        KafkaProducer<byte[], byte[]> producer = begin(arguments[0], arguments[1]);
        System.out.println(IS_OPEN);
        Thread.currentThread().join();
        producer.close();
    }

    /** The command that runs it. */
    static List<String> command(String bootstrapServers, String topic) {
        return List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                AbandonedTransaction.class.getName(),
                bootstrapServers,
                topic);
    }

    /** Leaves records that were aborted. */
    static void abort(String bootstrapServers, String topic) throws ExecutionException, InterruptedException {
        try (KafkaProducer<byte[], byte[]> producer = begin(bootstrapServers, topic)) {
            producer.abortTransaction();
        }
    }

    private static KafkaProducer<byte[], byte[]> begin(String bootstrapServers, String topic)
            throws ExecutionException, InterruptedException {
        KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers", bootstrapServers,
                        "transactional.id", "somebody-else",
                        "transaction.timeout.ms", "5000"),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
        producer.beginTransaction();
        for (int i = 0; i < RECORDS; i++) {
            producer.send(new ProducerRecord<>(topic, ("never committed " + i).getBytes(UTF_8), new byte[1]))
                    .get();
        }
        return producer;
    }
}
