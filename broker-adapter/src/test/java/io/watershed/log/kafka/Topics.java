package io.watershed.log.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.log.AppendedRecord;
import io.watershed.log.Entry;
import io.watershed.log.EtcdKey;
import io.watershed.log.Generation;
import io.watershed.log.KeyVersion;
import io.watershed.log.LogFailure;
import io.watershed.log.ObjectRecord;
import io.watershed.log.ObjectValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;

/** What the tests write, and what they do to a topic behind the writer's and the reader's back. */
final class Topics {
    static final Generation GENERATION = new Generation(1, "5f0c9a12");
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private Topics() {}

    static LogSettings created(LogSettings settings) throws LogFailure {
        try (TopicContract contract = new TopicContract(settings)) {
            contract.createIfAbsent();
            contract.require();
        }
        return settings;
    }

    static FencedWriter writer(LogSettings settings) throws LogFailure {
        FencedWriter writer = FencedWriter.open(settings, PATIENCE);
        writer.resumeAt(GENERATION, 0, -1);
        return writer;
    }

    static Entry change(String key, long revision) {
        return change(key, revision, new byte[0]);
    }

    /** A put whose value carries {@code payload}, as it is, in a JSON string. */
    static Entry change(String key, long revision, byte[] payload) {
        byte[] prefix = ("{\"kind\":\"KeyValue\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" + revision
                        + "\",\"name\":\"")
                .getBytes(UTF_8);
        byte[] suffix = "\"}}".getBytes(UTF_8);
        byte[] json = new byte[prefix.length + payload.length + suffix.length];
        System.arraycopy(prefix, 0, json, 0, prefix.length);
        System.arraycopy(payload, 0, json, prefix.length, payload.length);
        System.arraycopy(suffix, 0, json, prefix.length + payload.length, suffix.length);
        return new Entry.Change(
                new ObjectRecord(
                        EtcdKey.utf8(key),
                        new KeyVersion(revision, revision, 1, 0, 7),
                        null,
                        new ObjectValue(json, 1, null, null)),
                0,
                1);
    }

    static Entry progress(long revision) {
        return new Entry.Progress(revision, revision, 1_700_000_000_000L, null);
    }

    /** All committed records up to the end of now. */
    static List<AppendedRecord> readAll(LogSettings settings) throws LogFailure {
        try (LogReader reader = LogReader.open(settings)) {
            return readTo(reader, reader.endOffset());
        }
    }

    /** The end behind the marker of the last commit, which is answered before its marker stands in the log. */
    static long awaitMarker(LogSettings settings, FencedWriter writer) throws LogFailure {
        try (LogReader reader = LogReader.open(settings)) {
            return Awaitility.await("marker")
                    .atMost(PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .until(reader::endOffset, end -> end > writer.lastOffset() + 1);
        }
    }

    static List<AppendedRecord> readTo(LogReader reader, long bound) throws LogFailure {
        List<AppendedRecord> records = new ArrayList<>();
        Awaitility.await("position " + bound)
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .until(() -> {
                    records.addAll(reader.poll(Duration.ofMillis(200)));
                    return reader.position() >= bound;
                });
        return records;
    }

    static List<Long> revisions(List<AppendedRecord> records) {
        return records.stream()
                .map(appended -> appended.record().entry().revision())
                .toList();
    }

    static List<Long> sequences(List<AppendedRecord> records) {
        return records.stream().map(appended -> appended.record().sequence()).toList();
    }

    static Admin admin(LogSettings settings) {
        return Admin.create(Map.of("bootstrap.servers", settings.bootstrapServers()));
    }

    static <T> T done(KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static void create(LogSettings settings, Map<String, String> configs) {
        create(settings, 1, configs);
    }

    static void create(LogSettings settings, int partitions, Map<String, String> configs) {
        try (Admin admin = admin(settings)) {
            done(admin.createTopics(List.of(new NewTopic(settings.topic(), partitions, (short) 1).configs(configs)))
                    .all());
            awaitTopic(admin, settings, true);
        }
    }

    static void delete(LogSettings settings) {
        try (Admin admin = admin(settings)) {
            done(admin.deleteTopics(List.of(settings.topic())).all());
            awaitTopic(admin, settings, false);
        }
    }

    private static void awaitTopic(Admin admin, LogSettings settings, boolean exists) {
        Awaitility.await("topic " + settings.topic() + " exists: " + exists)
                .atMost(PATIENCE)
                .until(() -> done(admin.listTopics().names()).contains(settings.topic()) == exists);
    }

    /** A producer of no one's, or, with the properties, one that takes the writer's place. */
    static KafkaProducer<byte[], byte[]> producer(LogSettings settings, Map<String, Object> properties) {
        Map<String, Object> all = new java.util.HashMap<>(properties);
        all.put("bootstrap.servers", settings.bootstrapServers());
        return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** The writer's own transactional id. */
    static Map<String, Object> transactional(LogSettings settings) {
        return Map.of("transactional.id", "watershed-ingester-" + settings.topic());
    }
}
