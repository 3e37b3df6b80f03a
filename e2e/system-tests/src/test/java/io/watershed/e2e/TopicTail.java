package io.watershed.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** What has been committed to a topic, as a plain Kafka consumer sees it: none of our code reads here. */
final class TopicTail implements AutoCloseable {
    /**
     * One record.
     *
     * @param key its bytes as Latin-1, so that any bytes compare
     * @param value null for a delete
     * @param header what stands in {@code watershed}
     */
    record Line(long offset, String key, @Nullable String value, String header) {
        /** The value of {@code name=…} in the header; empty when there is none. */
        String field(String name) {
            return (" " + header + " ").replaceFirst("^(?:.* " + name + "=(\\S+) .*|.*)$", "$1");
        }

        boolean isControl() {
            return key.startsWith("!watershed/");
        }
    }

    private final TopicPartition partition;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<Line> lines = new ArrayList<>();

    private TopicTail(String bootstrapServers, String topic) {
        partition = new TopicPartition(topic, 0);
        consumer = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers", bootstrapServers,
                        "isolation.level", "read_committed",
                        "allow.auto.create.topics", "false",
                        "enable.auto.commit", "false"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        consumer.assign(List.of(partition));
        consumer.seekToBeginning(List.of(partition));
    }

    static TopicTail of(Cluster cluster) {
        return new TopicTail(cluster.broker().bootstrapServers(), "watershed");
    }

    /** Everything so far, in order. */
    List<Line> lines() {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
            lines.add(new Line(
                    record.offset(),
                    new String(record.key(), ISO_8859_1),
                    record.value() == null ? null : new String(record.value(), UTF_8),
                    new String(record.headers().lastHeader("watershed").value(), UTF_8)));
        }
        return List.copyOf(lines);
    }

    /** Everything up to the end that there is now. */
    List<Line> all() {
        long end =
                Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
        Awaitility.await("the end of the topic")
                .atMost(HttpWatch.DEADLINE)
                .pollDelay(Duration.ZERO)
                .until(() -> {
                    lines();
                    return consumer.position(partition) >= end;
                });
        return List.copyOf(lines);
    }

    /** Everything up to a line for which this holds, and perhaps more. */
    List<Line> await(String what, Predicate<Line> wanted) {
        return Awaitility.await(what)
                .atMost(HttpWatch.DEADLINE)
                .pollDelay(Duration.ZERO)
                .until(this::lines, found -> found.stream().anyMatch(wanted));
    }

    /** Key to revision of what is not deleted, by the last record of each key. */
    static Map<String, Long> state(List<Line> lines) {
        Map<String, Long> state = new TreeMap<>();
        for (Line line : lines) {
            if (line.value() == null) {
                state.remove(line.key());
            } else if (!line.isControl()) {
                state.put(line.key(), Long.parseLong(line.field("r")));
            }
        }
        return state;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
