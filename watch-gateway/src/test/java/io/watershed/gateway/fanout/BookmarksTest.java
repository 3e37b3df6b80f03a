package io.watershed.gateway.fanout;

import static io.watershed.gateway.fanout.FanoutHarness.pods;
import static io.watershed.gateway.fanout.ScriptedCache.Write.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BookmarksTest {
    private static final Duration INTERVAL = Duration.ofSeconds(FanoutHarness.BOOKMARK_SECONDS);

    private final FanoutHarness harness = new FanoutHarness();
    private final ScriptedCache cache = harness.cache;

    @Test
    void goesToWatchesThatAllowItOncePerInterval() {
        RecordingSink with = harness.after(10, pods());
        RecordingSink without = harness.open(new WatchStart.After(10), pods(), false, new RecordingSink());
        harness.loop.runAll();
        cache.progress(17);
        harness.publish();
        for (int second = 0; second < 90; second++) {
            harness.advance(Duration.ofSeconds(1));
        }

        assertThat(with.lines())
                .hasSize(3)
                .allMatch(
                        line -> line.equals("{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\","
                                + "\"metadata\":{\"resourceVersion\":\"17\"}}}"));
        assertThat(without.lines()).isEmpty();
    }

    @Test
    void comesWithinTheFirstInterval() {
        List<RecordingSink> sinks = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            sinks.add(harness.after(10, pods()));
        }
        harness.loop.runAll();
        harness.advance(INTERVAL);

        assertThat(sinks).allSatisfy(sink -> assertThat(sink.summary()).containsExactly("BOOKMARK@10"));
    }

    @Test
    void followsWhatItSpeaksOf() {
        RecordingSink sink = harness.after(10, pods("app=x", ""));
        harness.loop.runAll();
        cache.write(put("pods", "a", "x", "app", "x"));
        cache.write(put("pods", "a", "y"));
        harness.fanout.published(cache.publish());
        harness.dispatcher.tick(harness.nowNanos() + INTERVAL.toNanos());
        harness.loop.runAll();
        harness.advance(INTERVAL.multipliedBy(2));

        assertThat(sink.summary()).containsExactly("BOOKMARK@10", "ADDED x@11", "BOOKMARK@12");
    }

    @Test
    void isNotSentBeforeTheEndOfTheInitialState() {
        cache.write(put("pods", "a", "x").with("x".repeat(70_000)), put("pods", "a", "y"));
        harness.publish();
        RecordingSink sink =
                harness.open(new WatchStart.InitialState(true), pods(), true, new RecordingSink().taking(1));
        harness.loop.runAll();
        harness.advance(INTERVAL);
        harness.advance(INTERVAL);
        assertThat(sink.summary()).containsExactly("ADDED x@11");

        sink.read();
        harness.loop.runAll();

        assertThat(sink.summary()).containsExactly("ADDED x@11", "ADDED y@11", "BOOKMARK@11");
    }

    @Test
    void waitsForAClientThatDoesNotRead() {
        RecordingSink slow = harness.open(new WatchStart.After(10), pods(), true, new RecordingSink().taking(1));
        harness.loop.runAll();
        cache.write(put("pods", "a", "x"));
        harness.publish();
        cache.write(put("pods", "a", "x"));
        harness.publish();
        harness.advance(INTERVAL);
        harness.advance(INTERVAL);
        assertThat(slow.summary()).containsExactly("ADDED x@11");

        slow.read();
        harness.loop.runAll();
        slow.read();
        harness.advance(Duration.ofSeconds(1));

        assertThat(slow.summary()).containsExactly("ADDED x@11", "MODIFIED x@12", "BOOKMARK@12");
    }

    @Test
    void standsBeforeTheCleanEndAtTheDeadline() {
        RecordingSink with = harness.after(10, pods());
        RecordingSink without = harness.open(new WatchStart.After(10), pods(), false, new RecordingSink());
        harness.loop.runAll();
        cache.progress(12);
        harness.publish();
        harness.advance(Duration.ofHours(1));

        assertThat(with.summary()).containsExactly("BOOKMARK@12");
        assertThat(with.isEnded()).isTrue();
        assertThat(without.lines()).isEmpty();
        assertThat(without.isEnded()).isTrue();
        assertThat(harness.count("watershed.gateway.watches.ended", "reason", "deadline"))
                .isEqualTo(2);
        assertThat(harness.dispatcher.watchers()).isZero();
    }

    @Test
    void aDrainEndsAllWatchesSpreadOverItsTime() {
        List<RecordingSink> sinks = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            sinks.add(harness.after(10, pods()));
        }
        harness.loop.runAll();
        harness.dispatcher.drain(
                harness.nowNanos(), harness.nowNanos() + Duration.ofSeconds(10).toNanos());
        RecordingSink late = harness.after(10, pods());
        List<Integer> open = new ArrayList<>();
        for (int second = 1; second <= 10; second++) {
            harness.advance(Duration.ofSeconds(1));
            open.add(harness.dispatcher.watchers());
        }

        assertThat(open).containsExactly(91, 81, 71, 61, 51, 41, 31, 21, 11, 0);
        assertThat(sinks).allSatisfy(sink -> {
            assertThat(sink.summary()).containsExactly("BOOKMARK@10");
            assertThat(sink.isEnded()).isTrue();
        });
        assertThat(late.isEnded()).isTrue();
        assertThat(harness.count("watershed.gateway.watches.ended", "reason", "drain"))
                .isEqualTo(101);
    }

    @Test
    void aLastWriteComesBeforeTheLastBookmark() {
        RecordingSink slow = harness.open(new WatchStart.After(10), pods(), true, new RecordingSink().taking(1));
        harness.loop.runAll();
        cache.write(put("pods", "a", "x"));
        harness.publish();
        cache.write(put("pods", "a", "x"));
        harness.publish();
        harness.advance(Duration.ofHours(1));

        assertThat(slow.summary()).containsExactly("ADDED x@11", "BOOKMARK@11");
        assertThat(slow.isEnded()).isTrue();
    }
}
