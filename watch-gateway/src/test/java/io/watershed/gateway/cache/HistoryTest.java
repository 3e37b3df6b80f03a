package io.watershed.gateway.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.log.EtcdKey;
import io.watershed.log.KeyVersion;
import io.watershed.log.ResourceName;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class HistoryTest {
    private static final int BLOCK = 1024;

    private static ObjectEntry object(long revision, int bytes) {
        return new ObjectEntry(
                EtcdKey.utf8("/registry/configmaps/a/x"),
                new ResourceName("configmaps", "a", "x"),
                new KeyVersion(1, revision, 1, 0, 0),
                new byte[bytes],
                null,
                Map.of(),
                Map.of());
    }

    private static void add(History history, long revision, @Nullable ObjectEntry previous) {
        history.add(new HistoryEvent(
                history.end(), revision, revision * 1000, true, "configmaps", object(revision, 10), previous));
    }

    @Test
    void findsTheEventsOfRevisionsAfterAnyEviction() {
        for (long seed = 1; seed <= 50; seed++) {
            Random random = new Random(seed);
            long start = random.nextInt(3000);
            History history = new History(start);
            List<HistoryEvent> model = new ArrayList<>();
            long revision = 100;
            for (int i = 0; i < 4000; i++) {
                revision += random.nextInt(3);
                add(history, revision, null);
                model.add(Objects.requireNonNull(history.get(history.end() - 1)));
                if (random.nextInt(400) == 0) {
                    int gone = random.nextInt(model.size() + 1);
                    history.evictTo(history.start() + gone);
                    model.subList(0, gone).clear();
                }
            }
            check(history, model, revision, "seed " + seed);
        }
    }

    private static void check(History history, List<HistoryEvent> model, long newest, String seed) {
        assertThat(history.end() - history.start()).as(seed).isEqualTo(model.size());
        assertThat(history.get(history.start() - 1)).as(seed).isNull();
        assertThat(history.get(history.end())).as(seed).isNull();
        for (int i = 0; i < model.size(); i++) {
            assertThat(history.get(history.start() + i)).as(seed).isSameAs(model.get(i));
            assertThat(model.get(i).position()).as(seed).isEqualTo(history.start() + i);
        }
        for (long revision = 95; revision <= newest + 1; revision += 7) {
            long from = revision;
            long at = history.start()
                    + model.stream().filter(event -> event.revision() < from).count();
            long after = history.start()
                    + model.stream().filter(event -> event.revision() <= from).count();
            assertThat(history.firstAt(revision)).as(seed).isEqualTo(at);
            assertThat(history.firstAfter(revision)).as(seed).isEqualTo(after);
        }
    }

    @Test
    void tellsTheNewestRevisionThatLostAnEvent() {
        History history = new History(0);
        assertThat(history.evictedRevision()).isZero();
        add(history, 5, null);
        add(history, 7, null);
        add(history, 7, null);
        history.evictTo(1);
        assertThat(history.evictedRevision()).isEqualTo(5);
        history.evictTo(2);
        assertThat(history.evictedRevision()).isEqualTo(7);
    }

    @Test
    void countsTheBytesOfWhatItHolds() {
        History history = new History(0);
        add(history, 5, null);
        long one = history.bytes();
        assertThat(one).isGreaterThanOrEqualTo(2 * 10);
        add(history, 6, object(5, 1000));
        assertThat(history.bytes()).isGreaterThanOrEqualTo(one + 2 * 1000);
        history.evictTo(1);
        history.evictTo(2);
        assertThat(history.bytes()).isZero();
    }

    @Test
    void takesNoEventOutOfItsPlace() {
        History history = new History(3);
        HistoryEvent event = new HistoryEvent(4, 9, 9000, true, "configmaps", object(9, 1), null);
        assertThatThrownBy(() -> history.add(event)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void letsGoOfEvictedEventsOfABlockThatIsStillUsed() {
        History history = new History(0);
        List<WeakReference<HistoryEvent>> evicted = new ArrayList<>();
        for (int i = 0; i < BLOCK / 2; i++) {
            add(history, i + 1, null);
            evicted.add(new WeakReference<>(history.get(i)));
        }
        add(history, BLOCK, null);
        history.evictTo(BLOCK / 2);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            System.gc();
            return evicted.stream().allMatch(reference -> reference.refersTo(null));
        });
        assertThat(history.get(history.end() - 1)).isNotNull();
    }

    @Test
    void readersSeeEachEventOrNoneWhileTheFeedAddsAndEvicts() throws InterruptedException {
        History history = new History(0);
        long events = 100_000;
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Thread reader = new Thread(() -> readAlong(history, events));
            reader.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
            reader.start();
            readers.add(reader);
        }
        for (long revision = 1; revision <= events; revision++) {
            add(history, revision, null);
            if (history.end() - history.start() > 3000) {
                history.evictTo(history.end() - 2000);
            }
        }
        for (Thread reader : readers) {
            reader.join();
        }
        assertThat(failure.get()).isNull();
    }

    /** Every event once and in order, or the news that it was evicted. Here a position and the next revision are the same number. */
    private static void readAlong(History history, long events) {
        long position = 0;
        while (position < events) {
            long end = history.end();
            while (position < end) {
                HistoryEvent event = history.get(position);
                if (event == null) {
                    assertThat(history.evictedRevision()).isGreaterThan(position);
                    position = history.firstAfter(history.evictedRevision());
                } else {
                    assertThat(event.position()).isEqualTo(position);
                    assertThat(event.revision()).isEqualTo(position + 1);
                    position++;
                }
            }
        }
    }
}
