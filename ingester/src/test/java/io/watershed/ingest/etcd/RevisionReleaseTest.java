package io.watershed.ingest.etcd;

import static io.watershed.ingest.etcd.Events.delete;
import static io.watershed.ingest.etcd.Events.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.log.EtcdKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RevisionReleaseTest {
    private static final int HEAD = 30;
    private static final int RUNS = 2000;

    /** What is tested, and a wrong one that the test must find. */
    private interface Rule {
        void events(int range, List<EtcdEvent> events);

        void progress(int range, long revision);

        Released release();
    }

    private static Rule ours(int ranges) {
        RevisionRelease release = new RevisionRelease(ranges, Events.everything(), 0);
        return new Rule() {
            @Override
            public void events(int range, List<EtcdEvent> events) {
                release.events(range, events);
            }

            @Override
            public void progress(int range, long revision) {
                release.progress(range, revision);
            }

            @Override
            public Released release() {
                return release.release();
            }
        };
    }

    /** Releases what the first range has passed. */
    private static Rule early() {
        RevisionRelease release = new RevisionRelease(1, Events.everything(), 0);
        return new Rule() {
            @Override
            public void events(int range, List<EtcdEvent> events) {
                release.events(0, events);
            }

            @Override
            public void progress(int range, long revision) {
                release.progress(0, revision);
            }

            @Override
            public Released release() {
                return release.release();
            }
        };
    }

    @Test
    void releasesRandomHistoriesWhole() {
        for (int seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            int ranges = 1 + random.nextInt(3);
            assertThat(run(random, ranges, ours(ranges)))
                    .as("seed %d, %d ranges", seed, ranges)
                    .isEmpty();
        }
    }

    @Test
    void catchesARuleThatReleasesWhatOnlyOneRangeHasPassed() {
        long caught = 0;
        for (int seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            int ranges = 1 + random.nextInt(3);
            caught += run(random, ranges, early()).isEmpty() ? 0 : 1;
        }
        assertThat(caught).isGreaterThan(RUNS / 3);
    }

    /** Lets ranges advance at random until all revisions are released; what was released otherwise than it was written. */
    private static List<String> run(Random random, int ranges, Rule rule) {
        List<List<EtcdEvent>> truth = history(random, ranges);
        int[] read = new int[ranges];
        TreeMap<Long, List<EtcdEvent>> released = new TreeMap<>();
        List<String> wrong = new ArrayList<>();
        long upTo = 0;
        while (upTo < HEAD) {
            advance(random, random.nextInt(ranges), truth, read, rule);
            Released now = rule.release();
            for (RevisionEvents revision : now.revisions()) {
                if (revision.revision() <= upTo || released.put(revision.revision(), revision.events()) != null) {
                    wrong.add(revision.revision() + " was released twice");
                }
            }
            upTo = now.upTo();
        }
        for (long revision = 1; revision <= HEAD; revision++) {
            List<EtcdEvent> expected = truth.get((int) revision);
            List<EtcdEvent> actual = released.getOrDefault(revision, List.of());
            if (!expected.equals(actual)) {
                wrong.add("revision " + revision + " released as " + actual + ", is " + expected);
            }
        }
        return wrong;
    }

    private static void advance(Random random, int range, List<List<EtcdEvent>> truth, int[] read, Rule rule) {
        if (read[range] == HEAD) {
            return;
        }
        int to = Math.min(HEAD, read[range] + 1 + random.nextInt(4));
        List<EtcdEvent> events = new ArrayList<>();
        for (int revision = read[range] + 1; revision <= to; revision++) {
            truth.get(revision).stream()
                    .filter(event -> event.key().startsWith(prefix(range)))
                    .forEach(events::add);
        }
        rule.events(range, events);
        read[range] = to;
        if (to == HEAD || random.nextBoolean()) {
            rule.progress(range, to);
        }
    }

    private static List<List<EtcdEvent>> history(Random random, int ranges) {
        List<List<EtcdEvent>> truth = new ArrayList<>();
        truth.add(List.of());
        for (long revision = 1; revision <= HEAD; revision++) {
            List<EtcdEvent> events = new ArrayList<>();
            for (int range = 0; range < ranges; range++) {
                for (int key = 0; key < 2; key++) {
                    if (random.nextInt(10) < 3) {
                        events.add(delete(prefix(range) + "" + key, revision));
                    }
                }
            }
            truth.add(events);
        }
        return truth;
    }

    private static EtcdKey prefix(int range) {
        return EtcdKey.utf8("/" + range + "/");
    }

    @Test
    void holdsATransactionUntilEveryRangeHasPassedIt() {
        RevisionRelease release = new RevisionRelease(2, Events.everything(), 6);
        release.events(1, List.of(put("/b", 7)));
        assertThat(release.release().revisions()).isEmpty();
        assertThat(release.isWaiting()).isTrue();
        release.events(0, List.of(put("/a", 7)));
        Released released = release.release();
        assertThat(Events.text(released.revisions())).containsExactly("7: put /a, put /b");
        assertThat(released.upTo()).isEqualTo(7);
        assertThat(release.waitingBytes()).isZero();
    }

    @Test
    void takesTheProgressOfAnIdleRangeForItsPassing() {
        RevisionRelease release = new RevisionRelease(2, Events.everything(), 6);
        release.events(0, List.of(put("/a", 7), put("/a", 8)));
        release.progress(1, 7);
        assertThat(Events.text(release.release().revisions())).containsExactly("7: put /a");
        release.progressOfAll(9);
        Released released = release.release();
        assertThat(Events.text(released.revisions())).containsExactly("8: put /a");
        assertThat(released.upTo()).isEqualTo(9);
    }

    @Test
    void neverGoesBack() {
        RevisionRelease release = new RevisionRelease(1, Events.everything(), 6);
        release.events(0, List.of(put("/a", 5), put("/a", 6)));
        release.progress(0, 3);
        Released released = release.release();
        assertThat(released.revisions()).isEmpty();
        assertThat(released.upTo()).isEqualTo(6);
        assertThat(release.dropped()).isEqualTo(2);
    }

    @Test
    void takesAnEventThatComesTwiceForOne() {
        RevisionRelease release = new RevisionRelease(2, Events.everything(), 6);
        release.events(0, List.of(put("/a", 7)));
        release.events(0, List.of(put("/a", 7)));
        release.progressOfAll(7);
        assertThat(Events.text(release.release().revisions())).containsExactly("7: put /a");
        assertThat(release.waitingBytes()).isZero();
    }

    @Test
    void sortsTheEventsOfARevisionByUnsignedBytes() {
        RevisionRelease release = new RevisionRelease(1, Events.everything(), 6);
        release.events(0, List.of(put("/ü", 7), delete("/b", 7), put("/a/x", 7), put("/a", 7)));
        assertThat(Events.text(release.release().revisions()))
                .containsExactly("7: put /a, put /a/x, delete /b, put /\\xc3\\xbc");
    }

    @Test
    void countsWhatIsLeftOutAsProgressOnly() {
        KeyFilter filter =
                new KeyFilter(List.of(EtcdKey.utf8("/a/"), EtcdKey.utf8("/c/")), List.of(EtcdKey.utf8("/a/secrets/")));
        RevisionRelease release = new RevisionRelease(1, filter, 6);
        release.events(0, List.of(put("/a/secrets/x", 7), put("/a/b", 7), put("/b/x", 7), put("/c/x", 7)));
        release.events(0, List.of(put("/a/secrets/x", 8)));
        Released released = release.release();
        assertThat(Events.text(released.revisions())).containsExactly("7: put /a/b, put /c/x");
        assertThat(released.upTo()).isEqualTo(8);
    }
}
