package io.watershed.gateway.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.gateway.cache.EtcdModel.Write;
import io.watershed.log.LogFailure;
import io.watershed.log.state.Resync;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ImageWindowTest {
    private static final Duration WINDOW = Duration.ofMinutes(5);
    private static final long GONE = -1;
    private static final long NOT_HELD = -2;

    private final ScriptedLog log = new ScriptedLog();
    private final EtcdModel etcd = new EtcdModel(log, 100);

    /** A reading of the log at revision 101, and the window that each of its views is added to. */
    private final class Reading {
        private final Replay replay;
        private final ImageWindow images;
        private CacheView now;

        Reading(long historyBytes, long imageBytes) throws LogFailure, Resync {
            etcd.start().write(Write.put("a", "x", "1")).flush();
            CacheSettings settings = new CacheSettings(historyBytes, WINDOW, Duration.ofSeconds(10));
            this.images = new ImageWindow(WINDOW, imageBytes);
            this.replay = new Replay(log, settings, Duration.ofHours(1), 1, 0, log);
            replay.step();
            assertThat(replay.unready()).isNull();
            replay.becomeLive();
            this.now = replay.view();
            images.add(now, log.millis());
        }

        /** What was written meanwhile, as one batch. */
        CacheView step() throws LogFailure, Resync {
            etcd.flush();
            replay.step();
            now = replay.view();
            images.add(now, log.millis());
            return now;
        }

        @Nullable
        CacheView at(long revision) {
            return images.at(revision, now);
        }

        /** The revision of object x in the image at a revision. */
        long x(long revision) {
            CacheView view = at(revision);
            if (view == null) {
                return NOT_HELD;
            }
            assertThat(view.watermark()).isEqualTo(revision);
            ObjectEntry x = view.resource("configmaps").get("a", "x");
            return x == null ? GONE : x.version().modRevision();
        }
    }

    @Test
    void revisionsInsideABatchAreExactToo() throws Exception {
        Reading reading = new Reading(1 << 20, 1 << 20);
        etcd.write(Write.put("a", "x", "2")).write(Write.put("a", "y", "1")).write(Write.delete("a", "x"));
        assertThat(reading.step().watermark()).isEqualTo(104);
        assertThat(reading.x(101)).isEqualTo(101);
        assertThat(reading.x(102)).isEqualTo(102);
        assertThat(reading.x(103)).isEqualTo(102);
        assertThat(reading.x(104)).isEqualTo(GONE);
        assertThat(reading.at(103)).as("is made once").isSameAs(reading.at(103));
    }

    @Test
    void theRevisionOfAMomentIsTheNewestThatWasWrittenByThen() throws Exception {
        long begun = log.millis();
        Reading reading = new Reading(1 << 20, 1 << 20);
        log.advance(Duration.ofSeconds(10));
        etcd.write(Write.put("a", "x", "2"));
        reading.step();
        log.advance(Duration.ofSeconds(10));
        etcd.write(Write.put("a", "x", "3")).write(Write.put("a", "y", "1"));
        reading.step();

        assertThat(reading.images.by(begun - 1, reading.now)).isNull();
        assertThat(reading.images.by(begun, reading.now)).isEqualTo(new Moment(101, begun));
        assertThat(reading.images.by(begun + 9_999, reading.now)).isEqualTo(new Moment(101, begun));
        assertThat(reading.images.by(begun + 10_000, reading.now)).isEqualTo(new Moment(102, begun + 10_000));
        assertThat(reading.images.by(begun + 19_999, reading.now)).isEqualTo(new Moment(102, begun + 10_000));
        assertThat(reading.images.by(begun + 20_000, reading.now)).isEqualTo(new Moment(104, begun + 20_000));
        assertThat(reading.images.by(Long.MAX_VALUE, reading.now)).isEqualTo(new Moment(104, begun + 20_000));
    }

    @Test
    void timeDoesNotStepBackWhereTheBrokersClockDoes() throws Exception {
        long begun = log.millis();
        Reading reading = new Reading(1 << 20, 1 << 20);
        log.advance(Duration.ofSeconds(-5));
        etcd.write(Write.put("a", "x", "2"));
        reading.step();

        assertThat(reading.images.by(begun, reading.now)).isEqualTo(new Moment(102, begun));
        assertThat(reading.images.by(begun - 1, reading.now)).isNull();
    }

    @Test
    void theFutureAndWhatIsBelowTheFloorAreNotHeld() throws Exception {
        Reading reading = new Reading(1 << 20, 1 << 20);
        assertThat(reading.x(reading.now.watermark() + 1)).isEqualTo(NOT_HELD);
        assertThat(reading.x(reading.now.floor() - 1)).isEqualTo(NOT_HELD);
    }

    @Test
    void whatARelistHasChangedIsNotTakenForTheStateBefore() throws Exception {
        Reading reading = new Reading(1 << 20, 1 << 20);
        // No event tells of this delete, and the relist ends inside the batch.
        etcd.writeUnseen(Write.delete("a", "x")).relistBegin().relistEnd();
        etcd.write(Write.put("a", "y", "1"));
        assertThat(reading.step().floor()).isEqualTo(102);
        assertThat(reading.x(102)).isEqualTo(NOT_HELD);
        assertThat(reading.x(101)).isEqualTo(NOT_HELD);
        assertThat(reading.x(103)).isEqualTo(GONE);
    }

    @Test
    void imagesGoWhenTheWindowHasPassed() throws Exception {
        Reading reading = new Reading(1 << 20, 1 << 20);
        log.advance(WINDOW);
        etcd.write(Write.put("a", "x", "2"));
        reading.step();
        assertThat(reading.x(101)).as("it was the newest until just now").isEqualTo(101);
        log.advance(WINDOW.minusMillis(1));
        etcd.write(Write.put("a", "x", "3"));
        reading.step();
        assertThat(reading.x(101)).isEqualTo(101);
        log.advance(Duration.ofMillis(1));
        etcd.write(Write.put("a", "x", "4"));
        reading.step();
        assertThat(reading.x(101)).isEqualTo(NOT_HELD);
        assertThat(reading.images.oldest()).isEqualTo(102);
        assertThat(reading.x(102)).isEqualTo(102);
    }

    @Test
    void imagesGoWithTheHistorySinceThem() throws Exception {
        Reading reading = new Reading(10_000, 1 << 20);
        for (int i = 0; i < 200; i++) {
            log.advance(Duration.ofMillis(300));
            etcd.write(Write.put("a", "x", "text " + i));
            reading.step();
        }
        assertThat(reading.now.memoryFloor()).isGreaterThan(101);
        assertThat(reading.x(101)).isEqualTo(NOT_HELD);
        assertThat(reading.images.size()).isBetween(2, 30);
        for (long revision = reading.images.oldest(); revision <= reading.now.watermark(); revision++) {
            assertThat(reading.x(revision)).isEqualTo(revision);
        }
    }

    @Test
    void fewImagesAreKeptOfManyBatches() throws Exception {
        Reading reading = new Reading(1 << 20, 1 << 20);
        for (int i = 0; i < 500; i++) {
            etcd.write(Write.put("a", "x", "text " + i));
            reading.step();
        }
        assertThat(reading.images.size()).isLessThanOrEqualTo(3);
        assertThat(reading.x(300)).isEqualTo(300);
    }

    @Test
    void imagesAreBoundedByTheChangesSinceThem() throws Exception {
        Reading reading = new Reading(1 << 28, 0);
        for (int i = 0; i < 11; i++) {
            for (int k = 0; k < 1_000; k++) {
                etcd.write(Write.put("a", "x", ""));
            }
            reading.step();
        }
        long newest = reading.now.watermark();
        assertThat(reading.x(101)).isEqualTo(NOT_HELD);
        assertThat(reading.x(newest - 9_000)).isEqualTo(newest - 9_000);
    }

    @Test
    void noImageOfAnotherReadingIsShown() throws Exception {
        Reading reading = new Reading(1 << 20, 1 << 20);
        CacheView now = reading.now;
        CacheView other = new CacheView(
                now.watermark() + 1,
                now.timeMillis(),
                now.floor(),
                now.memoryFloor(),
                now.generation(),
                new History(now.historyEnd()),
                now.historyEnd(),
                now.epoch() + 1,
                Images.NONE);
        reading.now = other;
        assertThat(reading.x(now.watermark())).isEqualTo(NOT_HELD);
        reading.images.clear();
        reading.images.add(other, log.millis());
        assertThat(reading.x(now.watermark())).isEqualTo(NOT_HELD);
        assertThat(reading.at(other.watermark())).isSameAs(other);
    }
}
