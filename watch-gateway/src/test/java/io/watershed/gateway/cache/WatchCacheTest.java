package io.watershed.gateway.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.watershed.gateway.cache.EtcdModel.Write;
import io.watershed.log.LogFailure;
import io.watershed.log.kafka.TopicContract;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class WatchCacheTest {
    private static final CacheSettings SETTINGS =
            new CacheSettings(1 << 20, Duration.ofMinutes(5), Duration.ofSeconds(10));

    private final ScriptedLog log = new ScriptedLog();
    private final EtcdModel etcd = new EtcdModel(log, 100);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private @Nullable WatchCache started;

    private void start() {
        WatchCache cache = WatchCache.start(log, log, SETTINGS, Duration.ofHours(1), meters, log);
        started = cache;
        cache.addListener(new CacheListener() {
            @Override
            public void published(CacheView view) {
                heard.add("published " + view.watermark());
            }

            @Override
            public void relisted(CacheView view) {
                heard.add("relisted " + view.watermark());
            }

            @Override
            public void replaced(CacheView view) {
                heard.add("replaced " + view.watermark());
            }
        });
    }

    private WatchCache cache() {
        return Objects.requireNonNull(started);
    }

    @AfterEach
    void close() {
        cache().close();
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(5))
                .until(condition);
    }

    private void awaitRevision(long revision) {
        await(() -> cache().view().watermark() == revision);
    }

    private boolean says(String text) {
        return cache().health().reasons().stream().anyMatch(reason -> reason.contains(text));
    }

    @Test
    void servesWhatTheLogSaysAndFollowsIt() {
        start();
        etcd.start().write(Write.put("a", "x", "1")).progress().flush();
        await(() -> cache().health().ready());
        assertThat(cache().view().watermark()).isEqualTo(101);
        assertThat(cache().health().staleness()).isZero();
        assertThat(cache().health().barrierAddress()).isEqualTo("http://127.0.0.1:1");
        etcd.write(Write.put("a", "y", "1")).flush();
        awaitRevision(102);
        assertThat(cache().view().resource("configmaps").size()).isEqualTo(2);
        assertThat(Objects.requireNonNull(cache().at(101))
                        .resource("configmaps")
                        .size())
                .isEqualTo(1);
        assertThat(cache().at(103)).isNull();
    }

    @Test
    void isNotReadyAtFirstWhileTheLogIsStaleAndStaysReadyLater() {
        etcd.start().write(Write.put("a", "x", "1")).flush();
        log.advance(Duration.ofSeconds(11));
        start();
        await(() -> says("gateway.stalenessLimit"));
        assertThat(cache().health().caughtUp()).isFalse();
        etcd.progress().flush();
        await(() -> cache().health().ready());
        log.advance(Duration.ofMinutes(10));
        etcd.write(Write.put("a", "x", "2")).flush();
        awaitRevision(102);
        assertThat(cache().health().ready()).isTrue();
        assertThat(cache().health().staleness()).isGreaterThanOrEqualTo(Duration.ofMinutes(10));
        assertThat(cache().health().conditions())
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith("stale: ")
                .contains("gateway.stalenessLimit, 10.0 s");
        etcd.progress().flush();
        await(() -> cache().health().conditions().isEmpty());
    }

    @Test
    void servesATopicThatIsNotWhatItMustBeAndSaysSo() {
        log.violate(List.of(new TopicContract.Violation("cleanup.policy", "delete", "compact", true, "the command")));
        start();
        etcd.start().flush();
        await(() -> cache().health().ready());
        await(() -> cache().health()
                .conditions()
                .contains("the topic's cleanup.policy is delete, must be compact: the command"));
    }

    @Test
    void waitsForABrokerAndNamesIt() {
        log.fail(new LogFailure.Unavailable("Kafka 127.0.0.1:1 does not answer", new Exception()));
        start();
        await(() -> says("127.0.0.1:1"));
        assertThat(cache().health().caughtUp()).isFalse();
        assertThat(cache().health().logReachable()).isFalse();
        assertThat(cache().health().staleness()).isNull();
        log.fail(null);
        etcd.start().flush();
        await(() -> cache().health().ready());
        assertThat(cache().health().logReachable()).isTrue();
    }

    @Test
    void servesOnWithoutItsBrokerAndSaysHowStaleItIs() {
        start();
        etcd.start().flush();
        await(() -> cache().health().ready());
        log.fail(new LogFailure.Unavailable("Kafka 127.0.0.1:1 does not answer", new Exception()));
        log.advance(Duration.ofSeconds(20));
        await(() -> says("127.0.0.1:1"));
        assertThat(cache().health().caughtUp()).isTrue();
        assertThat(cache().health().logReachable()).isFalse();
        assertThat(cache().health().staleness()).isGreaterThanOrEqualTo(Duration.ofSeconds(20));
        assertThat(cache().view().watermark()).isEqualTo(100);
        log.fail(null);
        log.advance(Duration.ofSeconds(4));
        await(() -> cache().health().ready());
        assertThat(log.opened()).as("no new reading was needed").isEqualTo(1);
    }

    @Test
    void aRecordThatCantBeReadIsNamedAndNotSkipped() {
        etcd.start().flush();
        log.failPolls(new LogFailure.Undecodable("offset 17 of topic watershed: no header"));
        start();
        await(() -> says("offset 17"));
        assertThat(cache().health().ready()).isFalse();
        assertThat(cache().health().caughtUp()).isFalse();
    }

    @Test
    void aRecordThatCantBeReadLaterLeavesWhatIsServed() {
        start();
        etcd.start().flush();
        await(() -> cache().health().ready());
        log.failPolls(new LogFailure.Undecodable("offset 17 of topic watershed: no header"));
        await(() -> says("offset 17"));
        assertThat(cache().health().caughtUp()).isTrue();
        assertThat(cache().view().watermark()).isEqualTo(100);
    }

    @Test
    void readsTheLogAnewAfterABreakBesideWhatIsServed() {
        start();
        etcd.start().write(Write.put("a", "x", "1")).progress().flush();
        await(() -> cache().health().ready());
        CacheView before = cache().view();
        // A young gap: the second reading waits for a whole listing, and the first one is served on.
        etcd.write(Write.put("a", "y", "1"))
                .lose()
                .write(Write.put("a", "z", "1"))
                .flush();
        await(() -> log.opened() == 2 && says("read anew"));
        assertThat(meters.get("watershed_gateway_log_readings_ended")
                        .tag("reason", "sequence_gap")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(cache().view().resource("configmaps").get("a", "z")).isNull();
        assertThat(cache().health().caughtUp()).isTrue();
        assertThat(cache().view().epoch()).isEqualTo(before.epoch());
        etcd.relistBegin().relistEnd().progress().flush();
        await(() -> cache().health().ready());
        CacheView after = cache().view();
        assertThat(after.resource("configmaps").size()).isEqualTo(3);
        assertThat(after.epoch()).isNotEqualTo(before.epoch());
        assertThat(after.history().start()).isGreaterThanOrEqualTo(before.historyEnd());
        await(() -> heard.contains("replaced " + after.watermark()));
        assertThat(cache().at(101)).isNull();
    }

    @Test
    void raisesAnAlarmWhenAnEventWasLost() {
        start();
        etcd.start().write(Write.put("a", "x", "1")).flush();
        awaitRevision(101);
        etcd.writeUnseen(Write.put("a", "x", "2"))
                .write(Write.put("a", "x", "3"))
                .flush();
        await(() -> says("was lost"));
        assertThat(meters.get("watershed_gateway_log_readings_ended")
                        .tag("reason", "misfit")
                        .counter()
                        .count())
                .isEqualTo(1);
        // The second reading takes the later state, and refuses watches from before it.
        awaitRevision(103);
        await(() -> cache().health().ready());
        assertThat(cache().view().floor()).isEqualTo(103);
    }

    @Test
    void followsATopicThatWasMadeAnew() {
        start();
        etcd.start().write(Write.put("a", "x", "1")).progress().flush();
        await(() -> cache().health().ready());
        log.recreate();
        etcd.newGeneration(2);
        etcd.start().flush();
        log.advance(Duration.ofSeconds(11));
        etcd.progress().flush();
        await(() -> Objects.requireNonNull(cache().view().generation()).number() == 2);
        await(() -> cache().health().ready());
        await(() -> heard.contains("replaced 101"));
    }

    @Test
    void tellsOfTheEndOfARelist() {
        start();
        etcd.start().write(Write.put("a", "x", "1")).flush();
        await(() -> cache().health().ready());
        awaitRevision(101);
        etcd.writeUnseen(Write.delete("a", "x")).relistBegin().relistEnd().flush();
        awaitRevision(102);
        await(() -> heard.contains("relisted 102"));
        assertThat(cache().view().floor()).isEqualTo(102);
        assertThat(cache().view().resource("configmaps").size()).isZero();
        etcd.write(Write.put("a", "y", "1")).flush();
        await(() -> heard.contains("published 103"));
        assertThat(heard.stream().filter(said -> said.startsWith("relisted"))).hasSize(1);
    }

    @Test
    void callsBackWhoWaitsForARevisionOnceItIsThere() {
        start();
        AtomicInteger calls = new AtomicInteger();
        cache().whenAt(102, view -> calls.addAndGet((int) view.watermark()));
        AtomicInteger givenUp = new AtomicInteger();
        cache().whenAt(102, view -> givenUp.incrementAndGet()).cancel();
        etcd.start().write(Write.put("a", "x", "1")).flush();
        awaitRevision(101);
        assertThat(calls.get()).isZero();
        etcd.write(Write.put("a", "x", "2")).flush();
        await(() -> calls.get() == 102);
        cache().whenAt(50, view -> calls.addAndGet(1000));
        assertThat(calls.get()).as("at once").isEqualTo(1102);
        etcd.write(Write.put("a", "x", "3")).flush();
        awaitRevision(103);
        assertThat(calls.get()).isEqualTo(1102);
        assertThat(givenUp.get()).isZero();
        assertThat(meters.get("watershed_gateway_waiting_requests").gauge().value())
                .isZero();
    }

    @Test
    void aListenerThatFailsStopsNobody() {
        start();
        cache().addListener(new CacheListener() {
            @Override
            public void published(CacheView view) {
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void relisted(CacheView view) {}

            @Override
            public void replaced(CacheView view) {}
        });
        AtomicInteger calls = new AtomicInteger();
        cache().whenAt(101, view -> {
            throw new IllegalStateException("on purpose");
        });
        cache().whenAt(101, view -> calls.incrementAndGet());
        etcd.start().write(Write.put("a", "x", "1")).flush();
        await(() -> calls.get() == 1);
        etcd.write(Write.put("a", "x", "2")).flush();
        await(() -> heard.contains("published 102"));
        assertThat(log.opened()).isEqualTo(1);
    }

    @Test
    void measuresWhatItHolds() {
        start();
        etcd.start()
                .write(Write.put("a", "x", "1"), Write.put("a", "y", "1"))
                .progress()
                .flush();
        await(() -> cache().health().ready());
        awaitRevision(101);
        assertThat(meters.get("watershed_gateway_objects")
                        .tag("resource", "configmaps")
                        .gauge()
                        .value())
                .isEqualTo(2);
        assertThat(meters.get("watershed_gateway_revision").gauge().value()).isEqualTo(101);
        assertThat(meters.get("watershed_gateway_history_events").gauge().value())
                .isEqualTo(2);
        assertThat(meters.get("watershed_gateway_history_bytes").gauge().value())
                .isPositive();
        assertThat(meters.get("watershed_gateway_staleness_seconds").gauge().value())
                .isZero();
        assertThat(meters.get("watershed_gateway_bootstrap_seconds").gauge().value())
                .isZero();
    }
}
