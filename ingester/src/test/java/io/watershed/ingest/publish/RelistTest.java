package io.watershed.ingest.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.catalogue.KeyPattern;
import io.watershed.catalogue.ResourceType;
import io.watershed.ingest.decode.ValueDecoder;
import io.watershed.ingest.etcd.EtcdFailure;
import io.watershed.log.Encoding;
import io.watershed.log.Entry;
import io.watershed.log.EtcdKey;
import io.watershed.log.LogFailure;
import io.watershed.log.ObjectRecord;
import io.watershed.log.ObjectValue;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RelistTest {
    private final IngestFixture ingest = new IngestFixture();

    /** A publisher that owes a relist because etcd compacted what came next; {@code meanwhile} happened before that. */
    private Publisher compactedAfter(Runnable meanwhile) throws Exception {
        Publisher publisher = ingest.start();
        meanwhile.run();
        ingest.etcd.compact();
        assertThat(publisher.step(publisher.resume())).isFalse();
        return publisher;
    }

    private List<Entry> snapshotsFrom(int first) {
        return ingest.log.entriesFrom(first).stream()
                .filter(entry -> entry instanceof Entry.Snapshot)
                .toList();
    }

    @Test
    void firstListPublishesEachKeyAndEndsWithItsCountAndHash() throws Exception {
        ingest.etcd.put("/a", "1");
        ingest.etcd.put("/b", "1");

        ingest.start();

        assertThat(IngestFixture.letters(ingest.log.entries())).isEqualTo("MBSSPEP");
        Entry.RelistEnd end = (Entry.RelistEnd) ingest.log.entries().get(5);
        assertThat(end.count()).isEqualTo(2);
        assertThat(end.revision()).isEqualTo(ingest.etcd.head().revision());
        ingest.assertLogEqualsEtcd();
    }

    @Test
    void emptyEtcdIsAWholeListingToo() throws Exception {
        ingest.start();

        ingest.assertLogEqualsEtcd();
    }

    @Test
    void compactionWhileDownPublishesWhatDiffersAndDeletesWhatIsGone() throws Exception {
        ingest.etcd.put("/a", "1");
        ingest.etcd.put("/b", "1");
        ingest.etcd.put("/c", "1");
        ingest.start();
        int before = ingest.log.records().size();
        ingest.etcd.put("/a", "2");
        ingest.etcd.delete("/b");
        ingest.etcd.put("/d", "1");
        ingest.etcd.compact();

        ingest.start();

        assertThat(snapshotsFrom(before))
                .hasSize(3)
                .noneMatch(entry -> ((Entry.Snapshot) entry).object().key().equals(EtcdKey.utf8("/c")));
        assertThat(ingest.relists("compacted")).isEqualTo(1);
        ingest.assertLogEqualsEtcd();
    }

    @Test
    void compactionOfAnIdleEtcdIsNoRelist() throws Exception {
        ingest.etcd.put("/a", "1");
        ingest.start();
        ingest.etcd.compact();

        ingest.start();

        assertThat(ingest.relists("compacted")).isZero();
    }

    @Test
    void keyThatWasDeletedAndMadeAnewWithTheSameValueIsPublished() throws Exception {
        ingest.etcd.put("/a", "1");
        Publisher publisher = compactedAfter(() -> {
            ingest.etcd.delete("/a");
            ingest.etcd.put("/a", "1");
        });
        ingest.follow(publisher);

        ingest.assertLogEqualsEtcd();
    }

    private static ResourceType flags(String kind, String pattern) {
        return ResourceType.document("flags.example.com", "v1", kind, "flags", KeyPattern.parse(pattern));
    }

    private List<String> placesFrom(int first) {
        return snapshotsFrom(first).stream()
                .map(entry -> ((Entry.Snapshot) entry).object())
                .map(object -> object.key() + " " + object.resource())
                .toList();
    }

    private int reconfigure(String fingerprint, ResourceType... documents) throws Exception {
        int before = ingest.log.records().size();
        ingest.configure(fingerprint, documents);
        ingest.etcd.put("/watched/other", fingerprint);
        ingest.start();
        ingest.assertLogEqualsEtcd();
        return before;
    }

    @Test
    void keysThatTheConfigurationPlacesElsewhereArePublishedAnewAndNoOthers() throws Exception {
        ingest.etcd.put("/flags/shop/a", "{}");
        ingest.etcd.put("/b", "{}");
        ingest.etcd.put("/watched/other", "1");
        ingest.start();

        int named = reconfigure("f2", flags("Flag", "/flags/{name}"));
        int inNamespaces = reconfigure("f3", flags("Flag", "/flags/{namespace}/{name}"));
        int ofAnotherKind = reconfigure("f4", flags("Toggle", "/flags/{namespace}/{name}"));
        int taken = reconfigure("f5");

        String resource = "ResourceName[resource=flags.flags.example.com, namespace=";
        assertThat(placesFrom(named).get(0)).isEqualTo("/flags/shop/a " + resource + "null, name=shop%2Fa]");
        assertThat(placesFrom(inNamespaces).get(0)).isEqualTo("/flags/shop/a " + resource + "shop, name=a]");
        assertThat(new String(
                        Objects.requireNonNull(((Entry.Snapshot)
                                                snapshotsFrom(ofAnotherKind).get(0))
                                        .object()
                                        .value())
                                .json(),
                        UTF_8))
                .startsWith("{\"kind\":\"Toggle\",");
        assertThat(placesFrom(taken).get(0))
                .isEqualTo("/flags/shop/a ResourceName[resource=keyvalues.watershed.io, namespace=null,"
                        + " name=%2Fflags%2Fshop%2Fa]");
        for (int first : List.of(named, inNamespaces, ofAnotherKind, taken)) {
            assertThat(placesFrom(first).stream().filter(place -> place.startsWith("/b ")))
                    .as("what stays where it was")
                    .isEmpty();
        }
        assertThat(ingest.relists("configuration")).isEqualTo(4);
    }

    @Test
    void anInterruptedChangeOfPlacesThatIsTakenBackLeavesNothingBehind() throws Exception {
        ingest.etcd.put("/flags/a", "{}");
        ingest.start();
        ingest.configure("f2", flags("Flag", "/flags/{name}"));
        ingest.etcd.put("/x", "1");
        Publisher interrupted = ingest.publisher(ingest.lead());
        ingest.log.fail(commit -> false, commit -> commit == 0);
        assertThatThrownBy(interrupted::relist).isInstanceOf(LogFailure.InDoubt.class);
        ingest.log.fail(commit -> false, commit -> false);
        int before = ingest.log.records().size();

        ingest.configure("f1");
        ingest.start();

        assertThat(placesFrom(before))
                .contains("/flags/a ResourceName[resource=keyvalues.watershed.io, namespace=null, name=%2Fflags%2Fa]");
        ingest.assertLogEqualsEtcd();
    }

    @Test
    void theEndOfARelistNamesTheConfiguredResources() throws Exception {
        ResourceType flags = flags("Flag", "/flags/{name}");
        ingest.configure("f1", flags);

        ingest.start();

        assertThat(ingest.log.entries())
                .filteredOn(entry -> entry instanceof Entry.RelistEnd)
                .singleElement()
                .satisfies(entry ->
                        assertThat(((Entry.RelistEnd) entry).documents()).containsExactly(flags));
    }

    @Test
    void relistIsPinnedAboveEveryRevisionThatAClientCanHold() throws Exception {
        ingest.etcd.put("/a", "1");
        ingest.start();
        ingest.identity = IngestFixture.identity("f2", 0);
        Publisher publisher = ingest.publisher(ingest.lead());

        assertThat(publisher.relist()).isFalse();
        assertThat(publisher.waiting()).contains("any write to etcd");
        assertThat(IngestFixture.letters(ingest.log.entries())).endsWith("MBP");

        long written = ingest.etcd.put("/b", "1");
        ingest.pass(Duration.ofSeconds(1));
        assertThat(publisher.relist()).isTrue();
        assertThat(ingest.log.entries().get(ingest.log.records().size() - 1))
                .isInstanceOfSatisfying(
                        Entry.RelistEnd.class, end -> assertThat(end.revision()).isEqualTo(written));
    }

    @Test
    void otherCodecOrScopeRepublishesNothingThatIsTheSame() throws Exception {
        ingest.etcd.put("/a", "1");
        ingest.start();
        int before = ingest.log.records().size();
        ingest.identity = IngestFixture.identity("f2", 0);
        ingest.etcd.put("/b", "1");

        ingest.start();

        assertThat(snapshotsFrom(before)).hasSize(1);
        assertThat(ingest.relists("configuration")).isEqualTo(1);
    }

    @Test
    void whatAnOlderCodecMadeIsPublishedAnew() throws Exception {
        ingest.etcd.put("/registry/configmaps/default/a", "{\"data\":{}}");
        ingest.etcd.put("/registry/configmaps/default/b", "{\"data\":{}}");
        ingest.start();
        ingest.log.alter(entry -> entry instanceof Entry.Snapshot snapshot
                        && snapshot.object().key().equals(EtcdKey.utf8("/registry/configmaps/default/a"))
                ? new Entry.Snapshot(byTheFirstCodec(snapshot.object()))
                : entry);
        int before = ingest.log.records().size();
        ingest.identity = IngestFixture.identity("f2", 0); // the codec is part of it
        ingest.etcd.put("/registry/configmaps/default/c", "{}");

        ingest.start();

        assertThat(snapshotsFrom(before))
                .extracting(entry -> ((Entry.Snapshot) entry).object())
                .filteredOn(object -> object.key().equals(EtcdKey.utf8("/registry/configmaps/default/a")))
                .singleElement()
                .satisfies(object -> assertThat(
                                Objects.requireNonNull(object.value()).codec())
                        .isEqualTo(ValueDecoder.CODEC));
        assertThat(snapshotsFrom(before)).hasSize(2);
        ingest.assertLogEqualsEtcd();
    }

    private static ObjectRecord byTheFirstCodec(ObjectRecord object) {
        ObjectValue value = Objects.requireNonNull(object.value());
        return new ObjectRecord(
                object.key(),
                object.version(),
                object.resource(),
                new ObjectValue(value.json(), ValueDecoder.CODEC - 1, null, Encoding.RAW));
    }

    @Test
    void progressGoesOnWhileAListIsLong() throws Exception {
        ingest.etcd.put("/a", "1");
        ingest.etcd.put("/b", "1");
        ingest.etcd.put("/c", "1");
        ingest.etcd.pages(1, () -> ingest.pass(Duration.ofSeconds(1)));
        Publisher publisher = ingest.publisher(ingest.lead());

        publisher.relist();

        assertThat(IngestFixture.letters(ingest.log.entries())).isEqualTo("MBSPSPSPE");
        assertThat(ingest.log.entries().get(3))
                .isInstanceOfSatisfying(
                        Entry.Progress.class,
                        progress -> assertThat(progress.revision())
                                .as("the watermark stands still")
                                .isZero());
    }

    @Test
    void successorNeitherRepublishesWhatWasListedNorForgetsToDeleteIt() throws Exception {
        ingest.etcd.put("/a", "1");
        ingest.etcd.put("/b", "1");
        ingest.etcd.put("/c", "1");
        ingest.etcd.pages(1, () -> {});
        Publisher publisher = ingest.publisher(ingest.lead());
        ingest.log.fail(commit -> commit == 3, commit -> false); // a, progress and b were published
        assertThatThrownBy(publisher::relist).isInstanceOf(LogFailure.InDoubt.class);
        ingest.log.fail(commit -> false, commit -> false);
        int before = ingest.log.records().size();
        ingest.etcd.delete("/b");

        ingest.start();

        assertThat(snapshotsFrom(before))
                .as("c, and the deletion of b; not a again")
                .extracting(entry -> ((Entry.Snapshot) entry).object().key().toString())
                .containsExactly("/c", "/b");
        ingest.assertLogEqualsEtcd();
    }

    @Test
    void listThatIsCompactedOnTheWayIsTakenAgain() throws Exception {
        ingest.etcd.put("/a", "1");
        ingest.etcd.put("/b", "1");
        Publisher publisher = ingest.publisher(ingest.lead());
        ingest.etcd.pages(1, () -> {
            if (ingest.etcd.lists() == 1) {
                ingest.etcd.put("/c", "1");
                ingest.etcd.compact();
            }
        });

        assertThatThrownBy(publisher::relist).isInstanceOf(EtcdFailure.Compacted.class);
        ingest.follow(publisher);

        ingest.assertLogEqualsEtcd();
    }

    @Test
    void deletionOfMuchHaltsBeforeTheFirstTombstone() throws Exception {
        for (int key = 0; key < 200; key++) {
            ingest.etcd.put("/k" + key, "1");
        }
        Publisher publisher = compactedAfter(() -> {
            for (int key = 0; key < 101; key++) {
                ingest.etcd.delete("/k" + key);
            }
        });

        assertThat(publisher.relist()).isFalse();

        assertThat(publisher.waiting()).contains("ingester.acceptDeletes=101");
        assertThat(ingest.log.entries())
                .noneMatch(entry -> entry instanceof Entry.Snapshot snapshot
                        && snapshot.object().isDelete());
        assertThat(ingest.relists("compacted")).isZero();
    }

    @Test
    void haltedRelistKeepsTheLeadAndDoesNotReadEtcdEachSecond() throws Exception {
        for (int key = 0; key < 200; key++) {
            ingest.etcd.put("/k" + key, "1");
        }
        Publisher publisher = compactedAfter(() -> {
            for (int key = 0; key < 101; key++) {
                ingest.etcd.delete("/k" + key);
            }
        });
        publisher.relist();
        int lists = ingest.etcd.lists();
        int before = ingest.log.records().size();

        for (int second = 0; second < 10; second++) {
            ingest.pass(Duration.ofSeconds(1));
            publisher.relist();
        }

        assertThat(ingest.etcd.lists()).isEqualTo(lists);
        assertThat(IngestFixture.letters(ingest.log.entriesFrom(before))).isEqualTo("PPPPPPPPPP");
    }

    @Test
    void deletionOfMuchGoesOnOnceItIsAccepted() throws Exception {
        for (int key = 0; key < 200; key++) {
            ingest.etcd.put("/k" + key, "1");
        }
        compactedAfter(() -> {
            for (int key = 0; key < 101; key++) {
                ingest.etcd.delete("/k" + key);
            }
        });
        ingest.identity = IngestFixture.identity("f1", 101);

        ingest.start();

        assertThat(ingest.relists("carried")).isEqualTo(1);
        ingest.assertLogEqualsEtcd();
    }

    @Test
    void keyThatLooksLikeAControlRecordIsRefusedAndCounted() throws Exception {
        ingest.etcd.put("!watershed/end", "x");
        ingest.etcd.put("/a", "1");

        ingest.start();

        assertThat(ingest.meters.counter("watershed_ingester_refused_keys").count())
                .isEqualTo(1);
        assertThat(((Entry.RelistEnd) ingest.log.entries().get(4)).count()).isEqualTo(1);
    }
}
