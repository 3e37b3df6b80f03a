package io.watershed.ingest.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.log.Entry;
import io.watershed.log.LogFailure;
import java.util.List;
import org.junit.jupiter.api.Test;

class TakeoverTest {
    private final IngestFixture ingest = new IngestFixture();

    @Test
    void firstLeaderOwesAFirstRelistInTheTransactionOfItsLineage() throws Exception {
        ingest.etcd.put("/a", "1");

        Lead lead = ingest.lead();

        assertThat(IngestFixture.letters(ingest.log.entries())).isEqualTo("MB");
        assertThat(ingest.log.transactions()).containsExactly(2);
        assertThat(lead.debt()).isEqualTo(new Lead.Debt(0, "first"));
        assertThat(ingest.log.entries().get(0))
                .isEqualTo(new Entry.Lineage(
                        0, 1, null, "c1", 0, "takeover", List.of(""), "f1", "test", "http://ingester"));
    }

    @Test
    void restartGoesOnWhereTheLogEndsWithoutARelist() throws Exception {
        ingest.etcd.put("/a", "1");
        ingest.start();
        ingest.etcd.put("/a", "2");
        int before = ingest.log.records().size();

        ingest.start();

        assertThat(IngestFixture.letters(ingest.log.entriesFrom(before))).isEqualTo("MDP");
        ingest.assertLogEqualsEtcd();
    }

    @Test
    void restartAfterDeathInsideAFirstRelistRelistsAgainAsAFirst() throws Exception {
        ingest.etcd.put("/a", "1");
        ingest.etcd.put("/b", "1");
        Publisher publisher = ingest.publisher(ingest.lead());
        ingest.etcd.pages(1, () -> {});
        ingest.log.fail(commit -> commit == 1, commit -> false);
        assertThatThrownBy(publisher::relist).isInstanceOf(LogFailure.InDoubt.class);

        ingest.log.fail(commit -> false, commit -> false);
        Lead lead = ingest.lead();

        assertThat(lead.debt()).isEqualTo(new Lead.Debt(0, "first"));
        assertThat(lead.table().size())
                .as("what the first has published counts")
                .isEqualTo(1);
    }

    @Test
    void openRelistIsCarriedOverAndStillMustExceedWhatItsBeginSays() throws Exception {
        ingest.etcd.put("/a", "1");
        Publisher publisher = ingest.start();
        long watermark = ingest.etcd.head().revision();
        ingest.etcd.put("/a", "2");
        ingest.etcd.put("/a", "3");
        ingest.etcd.compact();
        publisher.step(publisher.resume());

        assertThat(ingest.lead().debt()).isEqualTo(new Lead.Debt(watermark, "carried"));
    }

    @Test
    void otherFingerprintMakesARelistDue() throws Exception {
        ingest.etcd.put("/a", "1");
        ingest.start();

        ingest.identity = IngestFixture.identity("f2", 0);

        assertThat(ingest.lead().debt())
                .isEqualTo(new Lead.Debt(ingest.etcd.head().revision(), "configuration"));
    }

    @Test
    void lossInTheYoungLogOwesARelistAboveThePresentHead() throws Exception {
        ingest.etcd.put("/a", "1");
        ingest.start();
        ingest.etcd.put("/a", "2");
        ingest.start();
        ingest.etcd.put("/a", "3");
        // The broker forgot a record inside the window: no compaction does that.
        int lost = IngestFixture.letters(ingest.log.entries()).lastIndexOf('D');
        ingest.log.records().remove(lost);

        assertThat(ingest.lead().debt())
                .isEqualTo(new Lead.Debt(ingest.etcd.head().revision(), "damaged"));
    }

    @Test
    void anotherEtcdHaltsAndTheTopicStaysAsItIs() throws Exception {
        ingest.etcd.put("/a", "1");
        ingest.start();
        int before = ingest.log.records().size();

        ingest.etcd.become("c2");

        assertThatThrownBy(ingest::lead)
                .isInstanceOf(Halted.class)
                .hasMessageContaining("cluster c1")
                .hasMessageContaining("cluster c2");
        assertThat(ingest.log.records()).hasSize(before);
    }

    @Test
    void anotherEtcdDoesNotFenceTheLeaderThatIsRight() throws Exception {
        ingest.etcd.put("/a", "1");
        Publisher leader = ingest.start();
        ingest.etcd.become("c2");
        assertThatThrownBy(ingest::lead).isInstanceOf(Halted.class);

        ingest.etcd.become("c1");
        ingest.etcd.put("/a", "2");
        ingest.follow(leader);

        ingest.assertLogEqualsEtcd();
    }

    @Test
    void whatAnotherLeaderPublishesWhileTheLogIsReadIsNotTakenForAnotherEtcd() throws Exception {
        ingest.etcd.put("/a", "1");
        Publisher leader = ingest.start();
        ingest.log.beforeReading(() -> {
            ingest.etcd.put("/a", "2");
            assertThatCode(() -> ingest.follow(leader)).doesNotThrowAnyException();
        });

        Lead lead = ingest.lead();

        assertThat(lead.watermark()).isEqualTo(ingest.etcd.head().revision());
        assertThat(lead.debt()).isNull();
    }

    @Test
    void etcdBehindTheLogHaltsNamingBothRevisions() throws Exception {
        ingest.etcd.put("/a", "1");
        ingest.etcd.put("/a", "2");
        ingest.start();
        FakeEtcd younger = new FakeEtcd();
        younger.put("/a", "1");

        Takeover takeover = new Takeover(
                younger,
                ingest.log,
                Leadership.alone(),
                ingest.identity,
                ingest.catalogue,
                IngestFixture.WINDOW,
                ingest.clock,
                new java.util.Random(1));

        assertThatThrownBy(takeover::run)
                .isInstanceOf(Halted.class)
                .hasMessageContaining("up to revision 3")
                .hasMessageContaining("at revision 2");
    }

    @Test
    void withoutTheLeadNothingIsWritten() {
        Takeover takeover = new Takeover(
                ingest.etcd,
                ingest.log,
                () -> false,
                ingest.identity,
                ingest.catalogue,
                IngestFixture.WINDOW,
                ingest.clock,
                new java.util.Random(1));

        assertThatThrownBy(takeover::run).isInstanceOf(LogFailure.InDoubt.class);
        assertThat(ingest.log.records()).isEmpty();
    }

    @Test
    void takeoverFencesTheLeaderBefore() throws Exception {
        ingest.etcd.put("/a", "1");
        Publisher deposed = ingest.start();
        ingest.start();
        ingest.etcd.put("/a", "2");

        assertThatThrownBy(() -> ingest.follow(deposed)).isInstanceOf(LogFailure.Fenced.class);
    }
}
