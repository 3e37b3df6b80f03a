package io.watershed.gateway.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.gateway.cache.EtcdModel.Write;
import io.watershed.log.Encoding;
import io.watershed.log.EtcdKey;
import io.watershed.log.ObjectRecord;
import io.watershed.log.ObjectValue;
import io.watershed.log.ResourceName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the cache shows is what etcd held, whatever was written and however the log was cut into polls. */
final class CacheModelTest {
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final int SEEDS = 60;
    private static final int STEPS = 120;
    private static final List<String> RESOURCES = List.of("configmaps", "widgets.example.com");

    private static final class Episode {
        private final long seed;
        private final Random random;
        private final ScriptedLog log = new ScriptedLog();
        private final EtcdModel etcd = new EtcdModel(log, 100);
        private final ImageWindow images;
        private final Replay replay;
        private @Nullable CacheView view;
        private int exact;

        Episode(long seed) throws Exception {
            this.seed = seed;
            this.random = new Random(seed);
            etcd.start().flush();
            for (int i = random.nextInt(40); i > 0; i--) {
                writeSomething();
            }
            etcd.progress().flush();
            long historyBytes = seed % 2 == 0 ? 20_000 : 1 << 20;
            CacheSettings settings = new CacheSettings(historyBytes, Duration.ofSeconds(3), Duration.ofSeconds(10));
            this.images = new ImageWindow(settings.imageWindow(), historyBytes);
            this.replay = new Replay(log, settings, WINDOW, 1, 0, log);
        }

        void run() throws Exception {
            while (replay.unready() != null) {
                replay.step();
            }
            replay.becomeLive();
            look();
            for (int i = 0; i < STEPS; i++) {
                act();
                log.advance(Duration.ofMillis(random.nextInt(300)));
                log.pollSize(1 + random.nextInt(6));
                etcd.flush(random.nextInt(etcd.unwritten() + 1));
                replay.step();
                look();
            }
        }

        private void act() {
            if (random.nextInt(40) == 0) {
                etcd.writeUnseen(transaction())
                        .writeUnseen(transaction())
                        .relistBegin()
                        .relistEnd();
            } else if (random.nextInt(6) == 0) {
                etcd.progress();
            } else {
                writeSomething();
            }
        }

        private void writeSomething() {
            etcd.write(transaction());
        }

        private Write[] transaction() {
            Map<EtcdKey, Write> writes = new LinkedHashMap<>();
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                ResourceName name = new ResourceName(
                        RESOURCES.get(random.nextInt(2)), random.nextBoolean() ? "a" : "b", "n" + random.nextInt(12));
                Encoding encoding = random.nextInt(8) == 0 ? Encoding.RAW : null;
                Write put = new Write(name, "t" + random.nextInt(1000), encoding);
                boolean delete = etcd.holds(put) && random.nextInt(3) == 0;
                writes.put(put.key(), delete ? new Write(name, null, null) : put);
            }
            return writes.values().toArray(Write[]::new);
        }

        private void look() {
            CacheView next = replay.view();
            CacheView before = view;
            if (before == null || next.watermark() != before.watermark()) {
                images.add(next, log.millis());
            }
            view = next;
            replay.takeRelisted();
            check(next, next.watermark());
            checkHistory(next);
            for (long revision = Math.max(next.floor(), images.oldest()); revision <= next.watermark(); revision++) {
                check(held(images.at(revision, next), place(revision)), revision);
                exact++;
            }
            assertThat(images.at(next.floor() - 1, next)).isNull();
            assertThat(images.at(next.watermark() + 1, next)).isNull();
        }

        private String place(long revision) {
            return "seed " + seed + ", revision " + revision;
        }

        private void check(CacheView shown, long revision) {
            assertThat(shown.watermark()).isEqualTo(revision);
            Map<EtcdKey, ObjectRecord> expected = etcd.state(revision);
            for (String resource : RESOURCES) {
                List<String> objects = new ArrayList<>();
                List<String> undecodable = new ArrayList<>();
                expected.values().forEach(object -> {
                    ObjectValue value = object.value();
                    if (value != null
                            && object.resource() != null
                            && object.resource().resource().equals(resource)) {
                        objects.add(new String(value.json(), UTF_8));
                        if (value.encoding() != null) {
                            undecodable.add(new String(value.json(), UTF_8));
                        }
                    }
                });
                ResourceView of = shown.resource(resource);
                assertThat(texts(of.objects(null, null))).as(place(revision)).isEqualTo(objects);
                assertThat(texts(of.undecodable())).as(place(revision)).isEqualTo(undecodable);
                assertThat(of.size()).isEqualTo(objects.size());
            }
        }

        private void checkHistory(CacheView shown) {
            History history = shown.history();
            assertThat(shown.historyEnd()).isEqualTo(history.end());
            for (long at = history.start(); at < history.end(); at++) {
                HistoryEvent event = held(history.get(at), place(at));
                HistoryEvent next = history.get(at + 1);
                ObjectEntry object = event.object() == null ? event.previous() : event.object();
                EtcdKey key = held(object, place(event.revision())).key();
                assertThat(json(event.object())).as(place(event.revision())).isEqualTo(json(event.revision(), key));
                assertThat(json(event.previous()))
                        .as(place(event.revision()))
                        .isEqualTo(json(event.revision() - 1, key));
                assertThat(event.lastOfRevision()).isEqualTo(next == null || next.revision() > event.revision());
                assertThat(event.revision()).isLessThanOrEqualTo(shown.watermark());
            }
            // From the memory floor on everything is there. Not so at the floor: events below a relist, or of before
            // the start.
            long held = shown.memoryFloor();
            if (held > shown.floor()) {
                long events = 0;
                for (long revision = held; revision <= shown.watermark(); revision++) {
                    events += changes(revision);
                }
                assertThat(history.end() - history.firstAt(held))
                        .as(place(held))
                        .isEqualTo(events);
            }
            assertThat(history.evictedRevision()).isLessThan(Math.max(held, 1));
        }

        private long changes(long revision) {
            Map<EtcdKey, ObjectRecord> before = etcd.state(revision - 1);
            Map<EtcdKey, ObjectRecord> after = etcd.state(revision);
            return after.entrySet().stream()
                            .filter(entry -> !entry.getValue().equals(before.get(entry.getKey())))
                            .count()
                    + before.keySet().stream()
                            .filter(key -> !after.containsKey(key))
                            .count();
        }

        private @Nullable String json(long revision, EtcdKey key) {
            ObjectRecord object = etcd.state(revision).get(key);
            return object == null || object.value() == null
                    ? null
                    : new String(object.value().json(), UTF_8);
        }

        private @Nullable String json(@Nullable ObjectEntry object) {
            return object == null ? null : new String(object.json(), UTF_8);
        }
    }

    private static <T> T held(@Nullable T thing, String place) {
        assertThat(thing).as(place).isNotNull();
        return Objects.requireNonNull(thing);
    }

    private static List<String> texts(Iterator<ObjectEntry> objects) {
        List<String> texts = new ArrayList<>();
        objects.forEachRemaining(object -> texts.add(new String(object.json(), UTF_8)));
        return texts;
    }

    @Test
    void showsEveryRevisionWholeAndNothingElse() throws Exception {
        int exact = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Episode episode = new Episode(seed);
            try {
                episode.run();
            } catch (Exception e) {
                throw new AssertionError("seed " + seed, e);
            }
            exact += episode.exact;
        }
        assertThat(exact).as("exact reads that were possible").isGreaterThan(SEEDS * STEPS);
    }
}
