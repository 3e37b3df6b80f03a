package io.watershed.gateway.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.watershed.log.Entry;
import io.watershed.log.EtcdKey;
import io.watershed.log.Generation;
import io.watershed.log.KeyVersion;
import io.watershed.log.ListHash;
import io.watershed.log.LogFailure;
import io.watershed.log.ObjectRecord;
import io.watershed.log.ObjectValue;
import io.watershed.log.ResourceName;
import io.watershed.log.ValueHash;
import io.watershed.log.kafka.FencedWriter;
import io.watershed.log.kafka.LogSettings;
import io.watershed.log.kafka.TopicContract;
import io.watershed.testkit.BrokerProcess;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The cache over a real broker. */
final class WatchCacheIT {
    private static final Generation GENERATION = Generation.parse("1-0000000a");
    private static final AtomicInteger TOPICS = new AtomicInteger();
    private static final CacheSettings SETTINGS =
            new CacheSettings(1 << 20, Duration.ofMinutes(5), Duration.ofMinutes(5));

    private static @Nullable BrokerProcess running;

    @BeforeAll
    static void start() {
        running = BrokerProcess.start();
    }

    @AfterAll
    static void stop() {
        broker().close();
    }

    private static BrokerProcess broker() {
        return Objects.requireNonNull(running);
    }

    private final LogSettings settings = new LogSettings(
            broker().bootstrapServers(),
            "cache-" + TOPICS.incrementAndGet(),
            Duration.ofHours(1),
            true,
            true,
            Map.of());

    private void createTopic() throws LogFailure {
        try (TopicContract contract = new TopicContract(settings)) {
            contract.createIfAbsent();
        }
    }

    private FencedWriter writer(Generation generation, long lastSequence, long lastOffset) throws LogFailure {
        FencedWriter writer = FencedWriter.open(settings, Duration.ofSeconds(60));
        writer.resumeAt(generation, lastSequence, lastOffset);
        return writer;
    }

    private WatchCache open() {
        return WatchCache.start(settings, SETTINGS, new SimpleMeterRegistry(), InstantSource.system());
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(condition);
    }

    private static Entry put(String name, long revision) {
        byte[] json = ("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" + revision
                        + "\",\"name\":\"" + name + "\",\"namespace\":\"a\"}}")
                .getBytes(UTF_8);
        KeyVersion version = new KeyVersion(revision, revision, 1, 0, ValueHash.of(json));
        return new Entry.Change(
                new ObjectRecord(
                        EtcdKey.utf8("/registry/configmaps/a/" + name),
                        version,
                        new ResourceName("configmaps", "a", name),
                        new ObjectValue(json, 1, null, null)),
                0,
                1);
    }

    private static List<Entry> emptyListing(long revision) {
        return List.of(
                new Entry.Lineage(
                        revision, 1, null, "cdf818194e3a8c32", 0, "start", List.of(""), "f1", "ingester-1", null),
                new Entry.RelistBegin(0, "first"),
                new Entry.RelistEnd(revision, 0, new ListHash().hash(), "f1"),
                progress(revision));
    }

    private static Entry progress(long revision) {
        return new Entry.Progress(revision, revision, InstantSource.system().millis(), null);
    }

    private static int size(WatchCache cache) {
        return cache.view().resource("configmaps").size();
    }

    @Test
    void waitsForItsTopicThenFollowsIt() throws LogFailure {
        try (WatchCache cache = open()) {
            await(() -> String.join("", cache.health().reasons()).contains("does not exist"));
            createTopic();
            try (FencedWriter writer = writer(GENERATION, 0, -1)) {
                writer.commit(emptyListing(10));
                await(() -> cache.health().ready());
                writer.commit(List.of(put("x", 11), put("y", 12)));
                await(() -> cache.view().watermark() == 12);
                assertThat(size(cache)).isEqualTo(2);
                assertThat(Objects.requireNonNull(cache.at(11))
                                .resource("configmaps")
                                .size())
                        .isEqualTo(1);
            }
        }
        // Another gateway, or the same one after a restart, has the same and resumes the same revisions.
        try (WatchCache cache = open()) {
            await(() -> cache.health().ready());
            assertThat(cache.view().watermark()).isEqualTo(12);
            assertThat(cache.view().memoryFloor()).isLessThanOrEqualTo(10);
            assertThat(size(cache)).isEqualTo(2);
        }
    }

    @Test
    void readsATopicThatWasMadeAnew() throws Exception {
        createTopic();
        try (WatchCache cache = open()) {
            try (FencedWriter writer = writer(GENERATION, 0, -1)) {
                writer.commit(emptyListing(10));
                writer.commit(List.of(put("x", 11)));
            }
            await(() -> cache.health().ready() && size(cache) == 1);
            long epoch = cache.view().epoch();
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", settings.bootstrapServers()))) {
                admin.deleteTopics(List.of(settings.topic())).all().get();
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> !admin.listTopics().names().get().contains(settings.topic()));
            }
            createTopic();
            Generation other = Generation.parse("1-0000000b");
            try (FencedWriter writer = writer(other, 0, -1)) {
                writer.commit(emptyListing(20));
                await(() -> other.equals(cache.view().generation()));
                await(() -> cache.health().ready());
                assertThat(size(cache)).isZero();
                assertThat(cache.view().epoch()).isNotEqualTo(epoch);
            }
        }
    }

    @Test
    void goesOnWhereItWasWhenTheBrokerComesBack() throws Exception {
        createTopic();
        try (WatchCache cache = open()) {
            long sequence;
            long offset;
            try (FencedWriter writer = writer(GENERATION, 0, -1)) {
                writer.commit(emptyListing(10));
                await(() -> cache.health().ready());
                sequence = 4;
                offset = writer.lastOffset();
            }
            long epoch = cache.view().epoch();
            broker().kill();
            await(() -> !cache.health().logReachable());
            assertThat(cache.health().ready()).isFalse();
            assertThat(String.join("", cache.health().reasons())).contains(settings.bootstrapServers());
            assertThat(cache.view().watermark()).isEqualTo(10);
            broker().run();
            try (FencedWriter writer = writer(GENERATION, sequence, offset)) {
                writer.commit(List.of(put("x", 11)));
                await(() -> cache.health().ready() && cache.view().watermark() == 11);
                assertThat(cache.view().epoch()).isEqualTo(epoch);
            }
        }
    }
}
