package io.watershed.ingest.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.ingest.etcd.EtcdFailure;
import io.watershed.ingest.etcd.Released;
import io.watershed.ingest.etcd.RevisionStream;
import io.watershed.log.Encoding;
import io.watershed.log.Entry;
import io.watershed.log.LogFailure;
import io.watershed.log.ObjectValue;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PublisherTest {
    private final IngestFixture ingest = new IngestFixture();

    private Entry.Change change(int record) {
        return (Entry.Change) ingest.log.entries().get(record);
    }

    @Test
    void transactionIsPublishedAsOneRevisionInKeyOrder() throws Exception {
        Publisher publisher = ingest.start();
        int before = ingest.log.records().size();
        Map<String, @Nullable String> operations = new LinkedHashMap<>();
        operations.put("/c", "1");
        operations.put("/a", "1");
        operations.put("/b", "1");
        ingest.etcd.transaction(operations);

        ingest.follow(publisher);

        assertThat(IngestFixture.letters(ingest.log.entriesFrom(before))).isEqualTo("DDDP");
        assertThat(change(before).object().key()).hasToString("/a");
        assertThat(change(before + 2).place()).isEqualTo(2);
        assertThat(change(before + 2).count()).isEqualTo(3);
        assertThat(ingest.log.transactions().get(ingest.log.transactions().size() - 1))
                .isEqualTo(4);
    }

    @Test
    void deleteCarriesTheObjectsLifeAndTheNextVersion() throws Exception {
        Publisher publisher = ingest.start();
        long created = ingest.etcd.put("/a", "1");
        ingest.etcd.put("/a", "2");
        long deleted = ingest.etcd.delete("/a");
        ingest.follow(publisher);

        int last = IngestFixture.letters(ingest.log.entries()).lastIndexOf('D');
        assertThat(change(last).object().isDelete()).isTrue();
        assertThat(change(last).object().version().createRevision()).isEqualTo(created);
        assertThat(change(last).object().version().version()).isEqualTo(3);
        assertThat(change(last).revision()).isEqualTo(deleted);
        assertThat(Objects.requireNonNull(change(last).object().resource()).name())
                .isEqualTo("%2Fa");
    }

    @Test
    void emptyValueIsAPutAndNoTombstone() throws Exception {
        Publisher publisher = ingest.start();
        ingest.etcd.put("/flags/e", "");
        ingest.follow(publisher);

        int last = IngestFixture.letters(ingest.log.entries()).lastIndexOf('D');
        assertThat(change(last).object().value()).isNotNull();
        ingest.assertLogEqualsEtcd();
    }

    @Test
    void tombstoneIsNeverTheLastRecordOfATransaction() throws Exception {
        ingest.etcd.put("/a", "1");
        Publisher publisher = ingest.start();
        ingest.etcd.delete("/a");
        RevisionStream stream = publisher.resume();

        publisher.step(stream); // within the second of the last progress record

        assertThat(IngestFixture.letters(ingest.log.entries())).endsWith("DP");
    }

    @Test
    void nothingButProgressIsWrittenWhileNothingHappensAndOnlyEachSecond() throws Exception {
        Publisher publisher = ingest.start();
        int before = ingest.log.records().size();
        RevisionStream stream = publisher.resume();

        for (int tenth = 0; tenth < 30; tenth++) {
            ingest.pass(Duration.ofMillis(100));
            publisher.step(stream);
        }

        assertThat(IngestFixture.letters(ingest.log.entriesFrom(before))).isEqualTo("PPP");
    }

    @Test
    void progressThatCameBetweenTwoRecordsStandsInTheNext() throws Exception {
        Publisher publisher = ingest.start();
        publisher.resume().close();
        long head = ingest.etcd.put("/left/out", "1");
        Deque<Released> script = new ArrayDeque<>(List.of(new Released(List.of(), head)));
        RevisionStream withoutThatKey = new RevisionStream() {
            @Override
            public @Nullable Released next(Duration atMost) {
                return script.poll();
            }

            @Override
            public void requestProgress() {}

            @Override
            public void close() {}
        };

        publisher.step(withoutThatKey); // within the second of the last progress record
        ingest.pass(Duration.ofSeconds(1));
        publisher.step(withoutThatKey);

        Entry last = ingest.log.entries().get(ingest.log.records().size() - 1);
        assertThat(last)
                .isInstanceOfSatisfying(
                        Entry.Progress.class,
                        progress -> assertThat(progress.revision()).isEqualTo(head));
    }

    @Test
    void barrierGetsItsProgressRecordWithoutWaitingForTheSecond() throws Exception {
        Publisher publisher = ingest.start();
        RevisionStream stream = publisher.resume();
        long head = ingest.etcd.put("/a", "1");
        ingest.pass(Duration.ofMillis(100));
        ingest.demand.ask(head, 5);

        publisher.step(stream);

        Entry last = ingest.log.entries().get(ingest.log.records().size() - 1);
        assertThat(last).isEqualTo(new Entry.Progress(head, head, 5, "http://ingester"));
    }

    @Test
    void lostEventPublishesNothingOfItsRevisionAndOwesARelist() throws Exception {
        ingest.etcd.put("/a", "1");
        Publisher publisher = ingest.start();
        ingest.etcd.lose("/a");
        ingest.etcd.put("/a", "2");
        ingest.etcd.put("/b", "1");
        ingest.etcd.put("/a", "3");
        int before = ingest.log.records().size();

        assertThat(publisher.step(publisher.resume())).isFalse();

        assertThat(IngestFixture.letters(ingest.log.entriesFrom(before)))
                .as("b, which is sound, then the debt")
                .isEqualTo("DB");
        assertThat(publisher.owesRelist()).isTrue();
        ingest.follow(publisher);
        assertThat(ingest.relists("integrity")).isEqualTo(1);
        ingest.assertLogEqualsEtcd();
    }

    @Test
    void deleteOfAKeyThatTheLogLacksOwesARelist() throws Exception {
        Publisher publisher = ingest.start();
        ingest.etcd.lose("/a");
        ingest.etcd.put("/a", "1");
        ingest.etcd.delete("/a");

        assertThat(publisher.step(publisher.resume())).isFalse();
    }

    @Test
    void backlogGoesIntoSeveralTransactionsOfWholeRevisions() throws Exception {
        Publisher publisher = ingest.start();
        Map<String, @Nullable String> operations = new LinkedHashMap<>();
        for (int key = 0; key < 2000; key++) {
            operations.put("/k" + key, "1");
        }
        for (int revision = 0; revision < 6; revision++) {
            ingest.etcd.transaction(operations);
        }
        int before = ingest.log.transactions().size();

        ingest.follow(publisher);

        assertThat(ingest.log
                        .transactions()
                        .subList(before, ingest.log.transactions().size()))
                .allSatisfy(size -> assertThat(size).isLessThanOrEqualTo(4001))
                .hasSize(3);
        ingest.assertLogEqualsEtcd();
    }

    @Test
    void revisionLargerThanABatchIsATransactionOfItsOwn() throws Exception {
        Publisher publisher = ingest.start();
        Map<String, @Nullable String> operations = new LinkedHashMap<>();
        for (int key = 0; key < 6000; key++) {
            operations.put("/k" + key, "1");
        }
        ingest.etcd.put("/before", "1");
        ingest.etcd.transaction(operations);
        ingest.etcd.put("/after", "1");

        ingest.follow(publisher);

        assertThat(ingest.log.transactions()).contains(6000);
        ingest.assertLogEqualsEtcd();
    }

    @Test
    void valueThatNoRecordHoldsIsPublishedAsAStub() throws Exception {
        Publisher publisher = ingest.start();
        ingest.log.largestValue(10_000);
        ingest.etcd.put("/registry/configmaps/default/big", "{\"data\":{\"x\":\"" + "y".repeat(20_000) + "\"}}");
        ingest.etcd.put("/registry/configmaps/default/small", "{}");

        ingest.follow(publisher);

        int last = IngestFixture.letters(ingest.log.entries()).lastIndexOf('D');
        ObjectValue stub = Objects.requireNonNull(change(last - 1).object().value());
        assertThat(stub.encoding()).isEqualTo(Encoding.OVERSIZE);
        assertThat(new String(stub.json(), java.nio.charset.StandardCharsets.UTF_8))
                .contains("\"bytes\":20017")
                .contains("\"name\":\"big\"");
        assertThat(Objects.requireNonNull(change(last).object().value()).encoding())
                .isNull();
        ingest.assertLogEqualsEtcd();
    }

    @Test
    void commitThatHappenedThoughNobodyWasToldIsNotRepeated() throws Exception {
        Publisher publisher = ingest.start();
        ingest.etcd.put("/a", "1");
        ingest.log.fail(commit -> false, commit -> commit == 0);
        assertThatThrownBy(() -> ingest.follow(publisher)).isInstanceOf(LogFailure.InDoubt.class);
        ingest.log.fail(commit -> false, commit -> false);

        ingest.start();

        assertThat(IngestFixture.letters(ingest.log.entries())).containsOnlyOnce("D");
        ingest.assertLogEqualsEtcd();
    }

    @Test
    void etcdThatGoesAwayIsAskedAgainWhereTheLogEnds() throws Exception {
        Publisher publisher = ingest.start();
        RevisionStream stream = publisher.resume();
        ingest.etcd.put("/a", "1");
        ingest.etcd.down(true);
        assertThatThrownBy(() -> publisher.step(stream)).isInstanceOf(EtcdFailure.Unavailable.class);

        ingest.etcd.down(false);
        ingest.follow(publisher);

        ingest.assertLogEqualsEtcd();
    }

    @Test
    void streamIsNotOpenedToAnotherEtcd() throws Exception {
        Publisher publisher = ingest.start();
        ingest.etcd.become("c2");

        assertThatThrownBy(publisher::resume).isInstanceOf(Halted.class);
    }
}
