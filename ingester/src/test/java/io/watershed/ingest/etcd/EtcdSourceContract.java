package io.watershed.ingest.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.watershed.log.EtcdKey;
import io.watershed.testkit.ChildProcess;
import io.watershed.testkit.EtcdProcess;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What the source promises of every version of etcd. Each test has prefixes of its own, and starts at the head. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EtcdSourceContract {
    private final String binary;
    private EtcdProcess etcd;
    private EtcdWriter writer;

    @SuppressWarnings("NullAway.Init") // JUnit starts them before any test
    EtcdSourceContract(String binary) {
        this.binary = binary;
    }

    @BeforeAll
    void start() {
        etcd = EtcdProcess.start(binary);
        writer = new EtcdWriter(etcd);
    }

    @AfterAll
    void stop() {
        writer.close();
        etcd.close();
    }

    private static EtcdSource connect(EtcdProcess etcd, List<String> prefixes, List<String> exclude) {
        return EtcdSource.connect(
                new EtcdSettings(
                        List.of(URI.create(etcd.endpoint())),
                        prefixes.stream().map(EtcdKey::utf8).toList(),
                        exclude.stream().map(EtcdKey::utf8).toList(),
                        null,
                        null),
                new SimpleMeterRegistry());
    }

    private EtcdSource source(String... prefixes) {
        return connect(etcd, List.of(prefixes), List.of());
    }

    private static List<String> keys(String prefix, int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> String.format("%s%05d", prefix, i))
                .toList();
    }

    @Test
    void listsAllRangesAtOneRevisionAndInOrder() throws EtcdFailure {
        writer.putTogether(keys("/l2/", 0, 1300), 10, 0);
        long revision = writer.putTogether(keys("/l1/", 0, 700), 10, 0);
        try (EtcdSource source = source("/l2/", "/l1/")) {
            List<EtcdValue> listed = new ArrayList<>();
            List<Integer> pages = new ArrayList<>();
            long pinned = source.list(0, page -> {
                // Who writes meanwhile does not show in the list.
                writer.put("/l1/a" + pages.size());
                writer.put("/l2/a" + pages.size());
                pages.add(page.size());
                listed.addAll(page);
            });
            assertThat(pinned).isEqualTo(revision);
            assertThat(pages).hasSizeGreaterThan(2);
            assertThat(listed.stream().map(value -> value.key().toString()))
                    .containsExactlyElementsOf(
                            Stream.concat(keys("/l1/", 0, 700).stream(), keys("/l2/", 0, 1300).stream())
                                    .toList());
        }
    }

    @Test
    void listsWhatWasThereAtAnEarlierRevision() throws EtcdFailure {
        writer.put("/old/a");
        long revision = writer.put("/old/b");
        writer.delete("/old/a");
        writer.put("/old/c");
        try (EtcdSource source = source("/old/")) {
            List<EtcdValue> listed = new ArrayList<>();
            assertThat(source.list(revision, listed::addAll)).isEqualTo(revision);
            assertThat(listed.stream().map(value -> value.key().toString())).containsExactly("/old/a", "/old/b");
            assertThat(listed.get(1).modRevision()).isEqualTo(revision);
            assertThat(listed.get(1).createRevision()).isEqualTo(revision);
            assertThat(listed.get(1).version()).isEqualTo(1);
        }
    }

    @Test
    void readsTheHeadAndTheClustersIdentity() throws EtcdFailure {
        long revision = writer.put("/head/a");
        try (EtcdSource source = source("/another/")) {
            Head head = source.head();
            assertThat(head.revision()).isGreaterThanOrEqualTo(revision);
            assertThat(head.clusterId()).matches("[0-9a-f]+");
            assertThat(source.head().clusterId()).isEqualTo(head.clusterId());
        }
    }

    @Test
    void releasesATransactionOverTwoRangesAsOneRevision() throws EtcdFailure {
        long before = writer.put("/elsewhere/a");
        List<RevisionEvents> read;
        List<Long> revisions = new ArrayList<>();
        try (EtcdSource source = source("/t1/", "/t2/");
                RevisionStream stream = source.stream(before + 1)) {
            for (int i = 0; i < 20; i++) {
                revisions.add(writer.putTogether(List.of("/t2/a", "/t1/b", "/t1/a", "/t3/a"), 10, 0));
            }
            read = Reading.upTo(stream, revisions.get(19));
        }
        assertThat(Events.text(read))
                .containsExactlyElementsOf(revisions.stream()
                        .map(revision -> revision + ": put /t1/a, put /t1/b, put /t2/a")
                        .toList());
    }

    @Test
    void isNotHeldUpByAnIdleRange() throws EtcdFailure {
        long before = writer.put("/elsewhere/a");
        try (EtcdSource source = source("/busy/", "/idle/");
                RevisionStream stream = source.stream(before + 1)) {
            long busy = writer.put("/busy/a");
            assertThat(Events.text(Reading.upTo(stream, busy))).containsExactly(busy + ": put /busy/a");
            long foreign = writer.put("/elsewhere/a");
            assertThat(Reading.upTo(stream, foreign)).isEmpty();
            long idle = writer.delete("/busy/a");
            assertThat(Events.text(Reading.upTo(stream, idle))).containsExactly(idle + ": delete /busy/a");
        }
    }

    @Test
    void readsABacklogLargerThanAMessage() throws EtcdFailure {
        long before = writer.put("/elsewhere/a");
        List<Long> revisions = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            revisions.add(writer.putTogether(keys("/large/" + i, 0, 12), 100_000, 0));
        }
        try (EtcdSource source = source("/large/");
                RevisionStream stream = source.stream(before + 1)) {
            List<RevisionEvents> read = Reading.upTo(stream, revisions.get(3));
            assertThat(read.stream().map(RevisionEvents::revision)).containsExactlyElementsOf(revisions);
            assertThat(read)
                    .allSatisfy(revision -> assertThat(revision.events()).hasSize(12));
        }
    }

    @Test
    void readsTheEndOfALeaseAsOneRevision() throws EtcdFailure {
        long lease = writer.grant();
        long last = 0;
        for (int i = 0; i < 20_000; i += 5000) {
            last = writer.putTogether(keys("/lease/", i, i + 5000), 10, lease);
        }
        try (EtcdSource source = source("/lease/");
                RevisionStream stream = source.stream(last + 1)) {
            writer.revoke(lease);
            List<RevisionEvents> read = Reading.upTo(stream, last + 1);
            assertThat(read).hasSize(1);
            assertThat(read.get(0).events()).hasSize(20_000).allMatch(event -> event instanceof EtcdEvent.Delete);
        }
    }

    @Test
    void leavesOutWhatIsExcludedAndCountsItAsProgress() throws EtcdFailure {
        long before = writer.put("/elsewhere/a");
        try (EtcdSource source = connect(etcd, List.of("/x/"), List.of("/x/secrets/"));
                RevisionStream stream = source.stream(before + 1)) {
            long mixed = writer.putTogether(List.of("/x/secrets/a", "/x/a"), 10, 0);
            long excluded = writer.put("/x/secrets/b");
            assertThat(Events.text(Reading.upTo(stream, excluded))).containsExactly(mixed + ": put /x/a");
            List<EtcdValue> listed = new ArrayList<>();
            source.list(0, listed::addAll);
            assertThat(listed.stream().map(value -> value.key().toString())).containsExactly("/x/a");
        }
    }

    @Test
    void readsTheWholeKeyspaceWithAnyBytesInKeys() throws EtcdFailure {
        long before = writer.put("/elsewhere/a");
        try (EtcdSource source = connect(etcd, List.of(""), List.of("/"));
                RevisionStream stream = source.stream(before + 1)) {
            long first = writer.put(ByteString.copyFrom(new byte[] {0}));
            long second = writer.put(ByteString.copyFrom(new byte[] {(byte) 0xff, 'x'}));
            assertThat(Events.text(Reading.upTo(stream, second)))
                    .containsExactly(first + ": put \\x00", second + ": put \\xffx");
        }
    }

    @Test
    void readsARevisionAgainWhenAskedFromIt() throws EtcdFailure {
        List<String> keys = List.of("/again/a", "/again/b", "/again/c");
        long revision = writer.putTogether(keys, 10, 0);
        long next = writer.put("/again/a");
        try (EtcdSource source = source("/again/");
                RevisionStream stream = source.stream(revision)) {
            assertThat(Events.text(Reading.upTo(stream, next)))
                    .containsExactly(revision + ": put /again/a, put /again/b, put /again/c", next + ": put /again/a");
        }
    }

    @Test
    void saysThatWhatComesNextIsCompacted() throws EtcdFailure {
        try (EtcdProcess own = EtcdProcess.start(binary);
                EtcdWriter ownWriter = new EtcdWriter(own);
                EtcdSource source = connect(own, List.of("/c/"), List.of())) {
            long first = ownWriter.put("/c/a");
            ownWriter.put("/c/b");
            long compacted = ownWriter.put("/c/c");
            ownWriter.compact(compacted);
            try (RevisionStream stream = source.stream(first)) {
                assertThat(Reading.end(stream))
                        .isInstanceOfSatisfying(
                                EtcdFailure.Compacted.class,
                                failure -> assertThat(failure.compactRevision()).isEqualTo(compacted));
            }
            assertThatThrownBy(() -> source.list(first, page -> {})).isInstanceOf(EtcdFailure.Compacted.class);
            try (RevisionStream stream = source.stream(compacted + 1)) {
                long next = ownWriter.put("/c/a");
                assertThat(Events.text(Reading.upTo(stream, next))).containsExactly(next + ": put /c/a");
            }
        }
    }

    @Test
    void isNotDisturbedByACompactionOfWhatItHasRead() throws EtcdFailure {
        try (EtcdProcess own = EtcdProcess.start(binary);
                EtcdWriter ownWriter = new EtcdWriter(own);
                EtcdSource source = connect(own, List.of("/quiet/"), List.of())) {
            long first = ownWriter.put("/quiet/a");
            try (RevisionStream stream = source.stream(first)) {
                long head = 0;
                for (int i = 0; i < 100; i++) {
                    head = ownWriter.put("/busy/a");
                }
                assertThat(Reading.upTo(stream, head)).hasSize(1);
                ownWriter.compact(head);
                long next = ownWriter.put("/quiet/a");
                assertThat(Events.text(Reading.upTo(stream, next))).containsExactly(next + ": put /quiet/a");
            }
            // A quiet prefix of a busy etcd is not behind: progress has carried it beyond what is compacted.
            try (RevisionStream stream = source.stream(head(source) + 1)) {
                long next = ownWriter.put("/quiet/b");
                assertThat(Events.text(Reading.upTo(stream, next))).containsExactly(next + ": put /quiet/b");
            }
        }
    }

    private static long head(EtcdSource source) throws EtcdFailure {
        return source.head().revision();
    }

    @Test
    void goesOnAfterEtcdWasKilledAndStartedAgain() throws EtcdFailure {
        try (EtcdProcess own = EtcdProcess.start(binary);
                EtcdSource source = connect(own, List.of("/k1/", "/k2/"), List.of())) {
            long read;
            try (EtcdWriter ownWriter = new EtcdWriter(own);
                    RevisionStream stream = source.stream(1)) {
                read = ownWriter.putTogether(List.of("/k1/a", "/k2/a"), 10, 0);
                assertThat(Reading.upTo(stream, read)).hasSize(1);
                own.kill();
                assertThat(Reading.end(stream))
                        .isInstanceOf(EtcdFailure.Unavailable.class)
                        .hasMessageContaining(own.endpoint());
            }
            assertThatThrownBy(source::head)
                    .isInstanceOf(EtcdFailure.Unavailable.class)
                    .hasMessageContaining(own.endpoint())
                    .hasMessageContaining("etcd.endpoints");
            own.run();
            try (EtcdWriter ownWriter = new EtcdWriter(own)) {
                long missed = ownWriter.put("/k2/b");
                try (RevisionStream stream = again(source, read + 1)) {
                    assertThat(Events.text(Reading.upTo(stream, missed))).containsExactly(missed + ": put /k2/b");
                }
            }
        }
    }

    /** As whoever uses it does: once more until it answers. */
    private static RevisionStream again(EtcdSource source, long fromRevision) {
        return Awaitility.await()
                .atMost(ChildProcess.DEADLINE)
                .ignoreException(EtcdFailure.Unavailable.class)
                .until(() -> source.stream(fromRevision), stream -> true);
    }
}
