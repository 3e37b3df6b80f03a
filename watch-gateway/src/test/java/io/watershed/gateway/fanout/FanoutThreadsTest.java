package io.watershed.gateway.fanout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.watershed.gateway.cache.CacheFixture;
import io.watershed.gateway.cache.CacheView;
import io.watershed.gateway.cache.History;
import io.watershed.gateway.cache.ObjectEntry;
import io.watershed.gateway.fanout.FanoutSettings.Undecodable;
import io.watershed.log.EtcdKey;
import io.watershed.log.Generation;
import io.watershed.log.KeyVersion;
import io.watershed.log.ResourceName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One thread that writes and evicts history, and two loops that serve it meanwhile. */
class FanoutThreadsTest {
    private static final int REVISIONS = 4_000;
    private static final int HELD = 1_000;
    private static final int WATCHES = 30;
    private static final Generation GENERATION = Generation.parse("1-00000000");

    private final History history = CacheFixture.history(0);
    private volatile CacheView view = CacheFixture.view(0, 0, 0, GENERATION, history, 1, Map.of());
    private final Fanout fanout = new Fanout(
            () -> view,
            new FanoutSettings(Duration.ofSeconds(30), Undecodable.FAIL),
            new SimpleMeterRegistry(),
            System::nanoTime);
    private final List<Loop> loops = List.of(new Loop(), new Loop());

    /** A loop and its watches, which open one by one at the newest revision but some. */
    private final class Loop {
        final ExecutorService thread = Executors.newSingleThreadExecutor();
        final LoopDispatcher dispatcher = fanout.dispatcher(thread);
        final List<RecordingSink> sinks = new ArrayList<>();
        final List<Long> starts = new ArrayList<>();
        final CompletableFuture<Void> finished = new CompletableFuture<>();

        /** How many watches are open, so that the writer does not run away from them. */
        volatile int opened;

        /** Opens a watch, lets every third client read, and comes again until the last revision is out. */
        void live() {
            long watermark = view.watermark();
            if (sinks.size() < WATCHES && watermark > (long) sinks.size() * REVISIONS / WATCHES) {
                long start = Math.max(0, watermark - (sinks.size() * 37L) % (HELD + 200));
                RecordingSink sink = new RecordingSink().taking(sinks.size() % 2 == 0 ? Integer.MAX_VALUE : 20_000);
                sink.watcher = dispatcher.open(
                        new WatchOrder(
                                FanoutHarness.pods(), new WatchStart.After(start), true, Long.MAX_VALUE, "Pod", "v1"),
                        sink);
                sinks.add(sink);
                starts.add(start);
                opened = sinks.size();
            }
            for (int i = (int) (watermark % 3); i < sinks.size(); i += 3) {
                sinks.get(i).read();
            }
            if (watermark < REVISIONS || sinks.size() < WATCHES) {
                thread.execute(this::live);
            } else {
                thread.execute(this::finish);
            }
        }

        /** Everyone reads until nothing is left to come. */
        private void finish() {
            sinks.forEach(RecordingSink::read);
            if (sinks.stream().allMatch(sink -> sink.isEnded() || newest(sink) == REVISIONS)) {
                finished.complete(null);
            } else {
                thread.execute(this::finish);
            }
        }
    }

    private static long newest(RecordingSink sink) {
        List<String> lines = sink.lines();
        return lines.isEmpty() ? 0 : Line.parse(lines.get(lines.size() - 1)).resourceVersion();
    }

    @AfterEach
    void stop() {
        loops.forEach(loop -> loop.thread.shutdownNow());
    }

    @Test
    void nothingIsSkippedWhileHistoryIsWrittenAndEvicted()
            throws InterruptedException, ExecutionException, TimeoutException {
        loops.forEach(loop -> loop.thread.execute(loop::live));
        ObjectEntry previous = null;
        for (long revision = 1; revision <= REVISIONS; revision++) {
            ObjectEntry object = object(revision);
            CacheFixture.append(history, revision, true, "pods", object, previous);
            previous = object;
            if (history.end() - history.start() > HELD) {
                CacheFixture.evictBelow(history, history.end() - HELD + 100);
            }
            if (revision % 3 == 0 || revision == REVISIONS) {
                long memoryFloor = history.evictedRevision() + 1;
                view = CacheFixture.view(revision, 0, memoryFloor, GENERATION, history, 1, Map.of());
                fanout.published(view);
            }
            while (loops.stream().anyMatch(loop -> isAhead(loop))) {
                Thread.onSpinWait();
            }
        }
        for (Loop loop : loops) {
            loop.finished.get(60, TimeUnit.SECONDS);
            for (int i = 0; i < WATCHES; i++) {
                check(loop.sinks.get(i), loop.starts.get(i));
            }
        }
    }

    private boolean isAhead(Loop loop) {
        return loop.opened < view.watermark() * WATCHES / REVISIONS - 2;
    }

    private static void check(RecordingSink sink, long start) {
        List<Line> lines = sink.events();
        List<Long> revisions =
                lines.stream().filter(Line::isEvent).map(Line::resourceVersion).toList();
        assertThat(revisions)
                .isEqualTo(LongStream.rangeClosed(start + 1, start + revisions.size())
                        .boxed()
                        .toList());
        if (sink.isEnded()) {
            assertThat(lines.get(lines.size() - 1).text()).contains("\"code\":410");
        } else {
            assertThat(start + revisions.size()).isEqualTo(REVISIONS);
        }
    }

    private static ObjectEntry object(long revision) {
        String json =
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" + revision + "\"}}";
        return CacheFixture.object(
                EtcdKey.utf8("/registry/pods/a/x"),
                new ResourceName("pods", "a", "x"),
                new KeyVersion(1, revision, revision, 0, 0),
                json.getBytes(UTF_8),
                null,
                Map.of(),
                Map.of());
    }
}
