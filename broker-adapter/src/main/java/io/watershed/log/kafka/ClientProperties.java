package io.watershed.log.kafka;

import io.watershed.log.LogFailure;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;

/** Properties of the three clients: what the operator passes on, then what the log's safety and speed rest on. */
final class ClientProperties {
    /** What may not be passed on: the log would no longer be what it promises. */
    private static final Set<String> OURS = Set.of(
            CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
            ProducerConfig.TRANSACTIONAL_ID_CONFIG,
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            ProducerConfig.ACKS_CONFIG,
            ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
            ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
            ProducerConfig.MAX_BLOCK_MS_CONFIG,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            ConsumerConfig.GROUP_ID_CONFIG,
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG);

    private ClientProperties() {}

    /** Refuses what may not be passed on. */
    static void check(Map<String, String> passedOn) {
        for (String name : passedOn.keySet()) {
            if (OURS.contains(name)) {
                throw new IllegalArgumentException("kafka.properties." + name
                        + " can't be set: what the log promises rests on the value that Watershed gives it. Remove it");
            }
        }
    }

    private static Properties common(LogSettings settings) {
        Properties properties = new Properties();
        properties.putAll(settings.clientProperties());
        properties.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrapServers());
        return properties;
    }

    static Properties admin(LogSettings settings) {
        Properties properties = common(settings);
        properties.putIfAbsent("default.api.timeout.ms", 10_000);
        properties.putIfAbsent("request.timeout.ms", 5_000);
        return properties;
    }

    static Properties consumer(LogSettings settings) {
        Properties properties = common(settings);
        properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        properties.putIfAbsent(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 500);
        properties.putIfAbsent(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 16 << 20);
        properties.putIfAbsent(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 64 << 20);
        properties.putIfAbsent(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 50_000);
        properties.putIfAbsent(ConsumerConfig.RECEIVE_BUFFER_CONFIG, -1);
        properties.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 15_000);
        properties.putIfAbsent(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
        return properties;
    }

    /**
     * @param maxRequestSize bytes of the largest request, so of the largest record
     */
    static Properties producer(LogSettings settings, String transactionalId, int maxRequestSize) {
        Properties properties = common(settings);
        properties.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
        properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 5);
        properties.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 0);
        properties.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, 1 << 20);
        properties.putIfAbsent(ProducerConfig.BUFFER_MEMORY_CONFIG, 128L << 20);
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, maxRequestSize);
        properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
        properties.putIfAbsent(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
        properties.putIfAbsent(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
        properties.putIfAbsent(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 45_000);
        properties.putIfAbsent(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, 60_000);
        properties.putIfAbsent(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 5);
        properties.putIfAbsent(ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG, 100);
        return properties;
    }

    /** A client's own failure, with the place and the remedy. */
    static LogFailure.Unavailable unavailable(LogSettings settings, String what, Exception cause) {
        return new LogFailure.Unavailable(
                what + " at Kafka " + settings.bootstrapServers() + " failed: " + reason(cause)
                        + ". Is a broker running there? See kafka.bootstrapServers",
                cause);
    }

    static String reason(Throwable cause) {
        boolean wraps = cause instanceof KafkaException || cause instanceof ExecutionException;
        Throwable inner = wraps && cause.getCause() != null ? cause.getCause() : cause;
        String message = inner.getMessage();
        return message == null ? inner.getClass().getSimpleName() : message;
    }
}
