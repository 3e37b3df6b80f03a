package io.watershed.gateway.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.gateway.cache.ObjectEntry;
import io.watershed.gateway.fanout.FanoutSettings.Undecodable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories, targets, starts, back-pressure, evictions and rebuilds of the cache: each watch is sent what a simple reading of
 * the history says, in order, each event once, none missing; or what it was sent is a beginning of that, and then it is told 410.
 */
class FanoutPropertyTest {
    private static final int RUNS = 150;
    private static final List<String> LABELS =
            List.of("", "app=x", "app in (x,y)", "app!=x", "app", "!app", "app=x,tier");
    private static final List<String> FIELDS =
            List.of("", "", "metadata.name=n1", "spec.nodeName=m1", "spec.nodeName=", "spec.nodeName!=m1");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void eachWatchIsSentWhatTheHistorySays(long seed) {
        for (long run = 0; run < RUNS; run++) {
            long runSeed = seed * 1_000_003 + run;
            try {
                new Scenario(new Random(runSeed)).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + runSeed, e);
            }
        }
    }

    /** One watch, and what is known of how it began. */
    private record Opened(RecordingSink sink, WatchTarget target, WatchStart start, long view, List<Line> state) {}

    private static final class Scenario {
        private final Random random;
        private final ScriptedCache cache = new ScriptedCache(10);
        private final FanoutHarness harness;
        private final List<Opened> watches = new ArrayList<>();
        private final boolean disturbed;

        Scenario(Random random) {
            this.random = random;
            this.disturbed = random.nextBoolean();
            this.harness = new FanoutHarness(cache, Undecodable.FAIL, random.nextBoolean() ? Bounds.USUAL : tiny());
        }

        /** So small that writes end after a few events, also inside revisions. */
        private Bounds tiny() {
            return new Bounds(
                    1 + random.nextInt(600),
                    1 + random.nextInt(600),
                    1 + random.nextInt(900),
                    1 + random.nextInt(900),
                    1 + random.nextInt(4),
                    1 + random.nextInt(4),
                    1 + random.nextInt(600),
                    1 + random.nextInt(3),
                    1 + random.nextInt(1000),
                    1 + random.nextInt(2));
        }

        void run() {
            int steps = 30 + random.nextInt(120);
            for (int step = 0; step < steps; step++) {
                step();
            }
            harness.publish();
            for (int i = 0; i < 1000 && !allRead(); i++) {
                watches.forEach(watch -> watch.sink().read());
                harness.loop.runAll();
            }
            harness.advance(Duration.ofSeconds(1));
            watches.forEach(this::check);
        }

        private boolean allRead() {
            int before =
                    watches.stream().mapToInt(watch -> watch.sink().writes()).sum();
            watches.forEach(watch -> watch.sink().read());
            harness.loop.runAll();
            return before
                    == watches.stream().mapToInt(watch -> watch.sink().writes()).sum();
        }

        private void step() {
            switch (random.nextInt(disturbed ? 14 : 12)) {
                case 0, 1, 2, 3 -> write();
                case 4 -> harness.fanout.published(cache.publish());
                case 5, 6 -> harness.loop.runOne();
                case 7 -> open();
                case 8, 9 -> {
                    if (!watches.isEmpty()) {
                        watches.get(random.nextInt(watches.size())).sink().read();
                    }
                }
                case 10 -> harness.advance(Duration.ofSeconds(random.nextInt(40)));
                case 11 -> harness.loop.runAll();
                case 12 -> cache.evictBelow(cache.memoryFloor() + random.nextInt(6));
                default -> replace();
            }
        }

        private void replace() {
            long newest = cache.view().watermark();
            long first = Math.max(cache.memoryFloor(), newest - random.nextInt(20));
            cache.replace(first, Math.max(first, newest - random.nextInt(3)), true);
            harness.fanout.replaced(cache.view());
        }

        private void write() {
            ScriptedCache.Write[] writes = new ScriptedCache.Write[1 + random.nextInt(random.nextInt(4) == 0 ? 5 : 1)];
            for (int i = 0; i < writes.length; i++) {
                writes[i] = randomWrite("n" + (i * 4 + random.nextInt(4)));
            }
            cache.write(writes);
        }

        private ScriptedCache.Write randomWrite(String name) {
            String resource = random.nextInt(5) == 0 ? "services" : "pods";
            String namespace = random.nextBoolean() ? "a" : "b";
            if (random.nextInt(4) == 0) {
                return ScriptedCache.Write.delete(resource, namespace, name);
            }
            List<String> labels = new ArrayList<>();
            for (String key : List.of("app", "tier", "node")) {
                if (random.nextInt(3) > 0) {
                    labels.add(key);
                    labels.add(List.of("x", "y", "m1").get(random.nextInt(3)));
                }
            }
            return ScriptedCache.Write.put(resource, namespace, name, labels.toArray(new String[0]))
                    .with("ä".repeat(random.nextInt(300)));
        }

        private void open() {
            WatchTarget target = FanoutHarness.target(
                    random.nextInt(5) == 0 ? "services" : "pods",
                    random.nextInt(3) == 0 ? "a" : null,
                    LABELS.get(random.nextInt(LABELS.size())),
                    FIELDS.get(random.nextInt(FIELDS.size())));
            long watermark = cache.view().watermark();
            boolean initial = random.nextInt(3) == 0;
            WatchStart start = initial
                    ? new WatchStart.InitialState(random.nextBoolean())
                    : new WatchStart.After(Math.max(8, watermark - random.nextInt(12) + random.nextInt(4)));
            RecordingSink sink = new RecordingSink();
            if (random.nextInt(3) > 0) {
                sink.taking(1 + random.nextInt(2000));
            }
            List<Line> state = initial ? state(target, watermark) : List.of();
            harness.open(start, target, random.nextBoolean(), sink);
            watches.add(new Opened(sink, target, start, watermark, state));
        }

        private List<Line> state(WatchTarget target, long watermark) {
            TreeMap<String, ObjectEntry> objects = new TreeMap<>();
            for (ScriptedCache.Change change : cache.changes()) {
                if (change.revision() <= watermark && target.isOf(change.resource())) {
                    ObjectEntry object = change.object();
                    if (object == null) {
                        objects.remove(String.valueOf(present(change.previous()).key()));
                    } else {
                        objects.put(String.valueOf(object.key()), object);
                    }
                }
            }
            return objects.values().stream()
                    .filter(object -> selects(target, object))
                    .map(object -> new Line(
                            "ADDED", object.name().name(), object.version().modRevision(), ""))
                    .toList();
        }

        private void check(Opened watch) {
            List<String> expected = new ArrayList<>();
            watch.state().forEach(line -> expected.add(line.toString()));
            long after = watch.start() instanceof WatchStart.After start ? first(watch.target(), start) : watch.view();
            for (ScriptedCache.Change change : cache.changes()) {
                if (change.revision() > after) {
                    String line = line(watch.target(), change);
                    if (line != null) {
                        expected.add(line);
                    }
                }
            }
            List<Line> received = watch.sink().events();
            List<String> events =
                    received.stream().filter(Line::isEvent).map(Line::toString).toList();
            if (watch.sink().isEnded()) {
                assertThat(disturbed || isTooOld(watch))
                        .as("only what is lost ends a watch")
                        .isTrue();
                assertThat(received.get(received.size() - 1).text()).contains("\"code\":410");
                assertThat(events)
                        .as("%s", watch)
                        .isEqualTo(expected.subList(0, Math.min(events.size(), expected.size())));
            } else {
                assertThat(events).as("%s", watch).isEqualTo(expected);
            }
            checkBookmarks(watch, received);
        }

        private static boolean isTooOld(Opened watch) {
            return watch.start() instanceof WatchStart.After start && start.resourceVersion() < 10;
        }

        /** A bookmark says that everything up to it was delivered, and nothing at or below it comes later. */
        private void checkBookmarks(Opened watch, List<Line> received) {
            boolean initial = watch.start() instanceof WatchStart.InitialState;
            int seen = 0;
            for (int i = 0; i < received.size(); i++) {
                Line line = received.get(i);
                seen += line.isEvent() ? 1 : 0;
                if (line.type().equals("BOOKMARK")) {
                    assertThat(seen)
                            .as("bookmark behind the initial state")
                            .isGreaterThanOrEqualTo(watch.state().size());
                    for (Line later : received.subList(i + 1, received.size())) {
                        if (later.isEvent()) {
                            assertThat(later.resourceVersion()).isGreaterThan(line.resourceVersion());
                        }
                    }
                    for (int earlier = initial ? watch.state().size() : 0; earlier < i; earlier++) {
                        assertThat(received.get(earlier).resourceVersion()).isLessThanOrEqualTo(line.resourceVersion());
                    }
                }
            }
        }

        /** What the history is read after. */
        private long first(WatchTarget target, WatchStart.After start) {
            long count = cache.changes().stream()
                    .filter(change -> change.revision() == start.resourceVersion() && line(target, change) != null)
                    .count();
            return count >= 2 ? start.resourceVersion() - 1 : start.resourceVersion();
        }

        private static @Nullable String line(WatchTarget target, ScriptedCache.Change change) {
            if (!target.isOf(change.resource())) {
                return null;
            }
            ObjectEntry object = change.object();
            ObjectEntry previous = change.previous();
            boolean is = object != null && selects(target, object);
            boolean was = previous != null && selects(target, previous);
            if (!is && !was) {
                return null;
            }
            String type = is ? (was ? "MODIFIED" : "ADDED") : "DELETED";
            ObjectEntry named = object != null ? object : present(previous);
            return type + " " + named.name().name() + "@" + change.revision();
        }

        private static ObjectEntry present(@Nullable ObjectEntry object) {
            return Objects.requireNonNull(object);
        }

        private static boolean selects(WatchTarget target, ObjectEntry object) {
            return (target.namespace() == null
                            || target.namespace().equals(object.name().namespace()))
                    && (target.name() == null
                            || target.name().equals(object.name().name()))
                    && target.labels().matches(object)
                    && target.fields().matches(object);
        }
    }
}
