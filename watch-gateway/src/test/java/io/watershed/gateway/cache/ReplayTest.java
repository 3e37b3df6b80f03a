package io.watershed.gateway.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.gateway.cache.EtcdModel.Write;
import io.watershed.log.LogFailure;
import io.watershed.log.ResourceName;
import io.watershed.log.state.Resync;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ReplayTest {
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final CacheSettings SETTINGS =
            new CacheSettings(1 << 20, Duration.ofMinutes(5), Duration.ofSeconds(10));

    private final ScriptedLog log = new ScriptedLog();
    private final EtcdModel etcd = new EtcdModel(log, 100);

    private Replay open() throws LogFailure {
        return new Replay(log, SETTINGS, WINDOW, 1, 0, log);
    }

    private static void becomeLive(Replay replay) {
        assertThat(replay.unready()).isNull();
        replay.becomeLive();
    }

    @Test
    void anEmptyLogIsNotReady() throws Exception {
        Replay replay = open();
        assertThat(replay.unready()).isEqualTo(Replay.READING);
        replay.step();
        assertThat(replay.unready()).contains("no whole listing");
    }

    @Test
    void isReadyAtTheEndOfAWholeRelist() throws Exception {
        etcd.lineage().relistBegin().flush();
        Replay replay = open();
        replay.step();
        assertThat(replay.unready()).contains("a relist is running");
        etcd.relistEnd().flush();
        replay.step();
        becomeLive(replay);
        assertThat(replay.view().watermark()).isEqualTo(100);
    }

    @Test
    void isNotReadyInsideARevisionAndShowsNothingOfIt() throws Exception {
        etcd.start().write(Write.put("a", "x", "1")).flush();
        etcd.write(Write.put("a", "x", "2"), Write.put("a", "y", "2")).flush(1);
        Replay replay = open();
        replay.step();
        assertThat(replay.unready()).isEqualTo(Replay.READING);
        assertThat(replay.view().watermark()).isEqualTo(101);
        assertThat(replay.view().resource("configmaps").size()).isEqualTo(1);
        etcd.flush();
        replay.step();
        becomeLive(replay);
        assertThat(replay.view().resource("configmaps").size()).isEqualTo(2);
    }

    @Test
    void aRevisionThatComesInTwoPollsIsShownWhole() throws Exception {
        etcd.start().write(Write.put("a", "x", "1")).flush();
        Replay replay = open();
        replay.step();
        becomeLive(replay);
        // One poll brings the end of one revision and the first half of the next.
        etcd.write(Write.put("a", "x", "2"));
        etcd.write(Write.delete("a", "x"), Write.put("a", "y", "3"));
        etcd.flush(2);
        replay.step();
        CacheView half = replay.view();
        assertThat(half.watermark()).isEqualTo(102);
        assertThat(half.resource("configmaps").get("a", "x")).isNotNull();
        assertThat(half.resource("configmaps").get("a", "y")).isNull();
        assertThat(half.history().firstAt(103)).isEqualTo(half.historyEnd());
        etcd.flush();
        replay.step();
        CacheView whole = replay.view();
        assertThat(whole.watermark()).isEqualTo(103);
        assertThat(whole.resource("configmaps").get("a", "x")).isNull();
        assertThat(whole.resource("configmaps").get("a", "y")).isNotNull();
        assertThat(half.resource("configmaps").get("a", "x")).isNotNull();
    }

    @Test
    void appliesAThousandRecordsAtATime() throws Exception {
        etcd.start();
        for (int i = 0; i < 2_500; i++) {
            etcd.write(Write.put("a", "x", "" + i));
        }
        etcd.flush();
        Replay replay = open();
        replay.step();
        assertThat(replay.unready()).isEqualTo(Replay.READING);
        assertThat(replay.view().watermark()).isLessThan(1_200);
        replay.step();
        replay.step();
        becomeLive(replay);
        assertThat(replay.view().watermark()).isEqualTo(2_600);
    }

    @Test
    void takesTheEndAgainWhenHalfTheWindowHasPassed() throws Exception {
        etcd.start().flush();
        Replay replay = open();
        assertThat(log.endsTaken()).isEqualTo(1);
        log.advance(WINDOW.dividedBy(2).plusMillis(1));
        etcd.write(Write.put("a", "x", "1")).flush();
        log.pollSize(4);
        replay.step();
        assertThat(log.endsTaken()).isEqualTo(2);
        assertThat(replay.unready()).isEqualTo(Replay.READING);
        replay.step();
        becomeLive(replay);
        assertThat(log.endsTaken()).isEqualTo(2);
        assertThat(replay.view().watermark()).isEqualTo(101);
    }

    @Test
    void startsAgainWhenDeletesMayHaveGoneMeanwhile() throws Exception {
        etcd.start().flush();
        Replay replay = open();
        log.advance(Duration.ofHours(12).plusMillis(1));
        assertThatThrownBy(replay::step)
                .isInstanceOf(LogFailure.Discontinuity.class)
                .hasMessageContaining("12 h");
    }

    @Test
    void anOpenTransactionAtTheEndIsWaitedForAsLongAsItMayLast() throws Exception {
        etcd.start().flush();
        log.undecided(3);
        Replay replay = open();
        replay.step();
        assertThat(replay.unready()).isEqualTo(Replay.READING);
        log.advance(Duration.ofSeconds(65));
        replay.step();
        assertThat(replay.unready()).isEqualTo(Replay.READING);
        log.advance(Duration.ofMillis(1));
        replay.step();
        becomeLive(replay);
    }

    @Test
    void looksWhetherTheTopicIsTheSameEveryTenSecondsAndEveryThreeInSilence() throws Exception {
        etcd.start().flush();
        Replay replay = open();
        replay.step();
        for (int i = 0; i < 9; i++) {
            log.advance(Duration.ofSeconds(1));
            etcd.progress().flush();
            replay.step();
        }
        assertThat(log.topicChecks()).isZero();
        log.advance(Duration.ofSeconds(1));
        etcd.progress().flush();
        replay.step();
        assertThat(log.topicChecks()).isEqualTo(1);
        log.advance(Duration.ofMillis(3001));
        replay.step();
        assertThat(log.topicChecks()).isEqualTo(2);
        log.recreate();
        log.advance(Duration.ofSeconds(3));
        assertThatThrownBy(replay::step)
                .isInstanceOf(LogFailure.Discontinuity.class)
                .hasMessageContaining("deleted and created again");
    }

    @Test
    void aBrokerThatIsGoneIsNamedUntilItAnswers() throws Exception {
        etcd.start().flush();
        Replay replay = open();
        replay.step();
        becomeLive(replay);
        log.fail(new LogFailure.Unavailable("Kafka 127.0.0.1:1 does not answer", new Exception()));
        log.advance(Duration.ofMillis(3001));
        replay.step();
        assertThat(replay.unreachable()).contains("127.0.0.1:1");
        assertThat(replay.view().watermark()).isEqualTo(100);
        log.fail(null);
        log.advance(Duration.ofSeconds(3));
        replay.step();
        assertThat(replay.unreachable()).isNull();
    }

    @Test
    void aLiveReadingEndsAtAGap() throws Exception {
        etcd.start().flush();
        Replay replay = open();
        replay.step();
        becomeLive(replay);
        etcd.lose().progress().flush();
        assertThatThrownBy(replay::step).isInstanceOf(Resync.class);
    }

    @Test
    void aYoungGapWaitsForANewListing() throws Exception {
        etcd.start()
                .write(Write.put("a", "x", "1"))
                .lose()
                .write(Write.put("a", "y", "1"))
                .flush();
        Replay replay = open();
        replay.step();
        assertThat(replay.unready()).contains("no whole listing");
        etcd.relistBegin().relistEnd().flush();
        replay.step();
        becomeLive(replay);
        assertThat(replay.view().resource("configmaps").size()).isEqualTo(2);
    }

    @Test
    void customResourcesAreDescribedByTheirObjects() throws Exception {
        Write widget = new Write(new ResourceName("widgets.example.com", "a", "w"), "1", null);
        etcd.start().write(widget).flush();
        Replay replay = open();
        replay.step();
        assertThat(replay.view().resources())
                .filteredOn(type -> type.resource().equals("widgets.example.com"))
                .singleElement()
                .satisfies(type -> {
                    assertThat(type.kind()).isEqualTo("Widget");
                    assertThat(type.group()).isEqualTo("example.com");
                    assertThat(type.version()).isEqualTo("v1");
                    assertThat(type.namespaced()).isTrue();
                });
    }

    @Test
    void resourcesThatAreOffByDefaultAreThereWithTheirObjects() throws Exception {
        etcd.start()
                .write(new Write(new ResourceName("leasecandidates.coordination.k8s.io", "a", "x"), "1", null))
                .flush();
        Replay replay = open();
        assertThat(replay.view().resources()).noneMatch(type -> type.kind().equals("LeaseCandidate"));

        replay.step();

        assertThat(replay.view().resources())
                .filteredOn(type -> type.kind().equals("LeaseCandidate"))
                .singleElement()
                .satisfies(type -> assertThat(type.version()).isEqualTo("v1beta1"));
    }
}
