package io.watershed.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.log.Entry;
import io.watershed.log.EtcdKey;
import io.watershed.log.LogFailure;
import io.watershed.testkit.BrokerProcess;
import io.watershed.testkit.EtcdProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The ingester as a process between a real etcd and a real broker; each test has a prefix and a topic of its own. */
class IngesterIT {
    private static BrokerProcess broker;
    private static EtcdProcess etcd;
    private static EtcdClient client;

    @BeforeAll
    static void start() {
        broker = BrokerProcess.start();
        etcd = EtcdProcess.start();
        client = new EtcdClient(etcd);
    }

    @AfterAll
    static void stop() {
        client.close();
        etcd.close();
        broker.close();
    }

    private static IngesterProcess ingester(String name, String... flags) {
        List<String> all = new ArrayList<>(List.of(flags));
        all.add("--etcd-prefixes=/" + name + "/");
        return IngesterProcess.start(etcd.endpoint(), broker, name, all.toArray(new String[0]));
    }

    private static Set<String> keys(List<Entry.Snapshot> snapshots) {
        return snapshots.stream()
                .map(snapshot -> snapshot.object().key().toString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void publishesWhatEtcdHoldsThenFollowsItAndGoesOnAfterARestart() throws Exception {
        client.put("/follow/a", "1");
        client.put("/follow/b", "{\"x\":1.10}");
        try (IngesterProcess ingester = ingester("follow").awaitReady();
                TopicTail tail = TopicTail.of(broker, "follow")) {
            long together = client.putTogether(List.of("/follow/d", "/follow/a", "/follow/c", "/follow/b"), "2");
            long deleted = client.delete("/follow/a");
            tail.awaitRevision(deleted);

            tail.assertHolds(client.list("/follow/"));
            assertThat(tail.entries(Entry.Change.class))
                    .extracting(
                            change -> change.object().key().toString(),
                            Entry.Change::revision,
                            Entry.Change::place,
                            Entry.Change::count)
                    .containsExactly(
                            org.assertj.core.groups.Tuple.tuple("/follow/a", together, 0, 4),
                            org.assertj.core.groups.Tuple.tuple("/follow/b", together, 1, 4),
                            org.assertj.core.groups.Tuple.tuple("/follow/c", together, 2, 4),
                            org.assertj.core.groups.Tuple.tuple("/follow/d", together, 3, 4),
                            org.assertj.core.groups.Tuple.tuple("/follow/a", deleted, 0, 1));
            assertThat(ingester.process().terminate()).isZero();

            client.delete("/follow/b");
            long written = client.put("/follow/e", "1");
            try (IngesterProcess next = ingester("follow").awaitReady()) {
                tail.awaitRevision(written);
                tail.assertHolds(client.list("/follow/"));
                assertThat(tail.entries(Entry.RelistBegin.class))
                        .as("the first start's only")
                        .hasSize(1);
                next.process().kill();
            }
        }
    }

    @Test
    void compactionWhileDownIsRelistedWithItsDeletes() throws Exception {
        client.put("/compacted/a", "1");
        client.put("/compacted/b", "1");
        client.put("/compacted/c", "1");
        try (IngesterProcess ingester = ingester("compacted").awaitReady()) {
            ingester.process().kill();
        }
        client.put("/compacted/a", "2");
        client.delete("/compacted/b");
        client.compact(client.put("/compacted/d", "1"));

        try (IngesterProcess ingester = ingester("compacted").awaitReady();
                TopicTail tail = TopicTail.of(broker, "compacted")) {
            tail.await("second end", () -> tail.entries(Entry.RelistEnd.class).size() == 2);

            tail.assertHolds(client.list("/compacted/"));
            List<Entry.Snapshot> all = tail.entries(Entry.Snapshot.class);
            assertThat(keys(all.subList(3, all.size())))
                    .as("nothing about c, which is unchanged")
                    .containsExactly("/compacted/a", "/compacted/b", "/compacted/d");
            assertThat(ingester.get("/metrics").body())
                    .contains("watershed_ingester_relists_total{reason=\"compacted\"} 1.0");
        }
    }

    @Test
    void deathInsideARelistNeitherRepublishesNorForgets() throws Exception {
        int count = 20_000;
        for (int from = 0; from < count; from += 5000) {
            List<String> keys = new ArrayList<>();
            for (int key = from; key < from + 5000; key++) {
                keys.add("/half/" + key);
            }
            client.putTogether(keys, "x".repeat(100));
        }
        IngesterProcess first = ingester("half");
        // There is no topic before its takeover; of the list's records some stand in it at the kill, and some do not.
        first.process().await("the topic", () -> {
            try (TopicTail tail = TopicTail.of(broker, "half")) {
                tail.await(
                        "a part of the list",
                        () -> !tail.entries(Entry.Snapshot.class).isEmpty());
                return true;
            } catch (LogFailure.Unavailable e) {
                return false;
            }
        });
        first.process().kill();
        first.close();
        for (int key = 0; key < count; key += 200) {
            client.delete("/half/" + key);
        }

        try (IngesterProcess second = ingester("half").awaitReady();
                TopicTail tail = TopicTail.of(broker, "half")) {
            tail.awaitRevision(client.put("/half/last", "1"));

            tail.assertHolds(client.list("/half/"));
            assertThat(second.process().isAlive()).isTrue();
            Map<EtcdKey, Integer> published = new HashMap<>();
            tail.entries(Entry.Snapshot.class).stream()
                    .filter(snapshot -> !snapshot.object().isDelete())
                    .forEach(snapshot -> published.merge(snapshot.object().key(), 1, Integer::sum));
            assertThat(published.values()).as("each key once").containsOnly(1);
        }
    }

    @Test
    void anotherEtcdHaltsTheIngesterAndTheTopicStaysAsItIs() throws Exception {
        client.put("/lineage/a", "1");
        try (IngesterProcess ingester = ingester("lineage").awaitReady()) {
            ingester.process().kill();
        }
        try (EtcdProcess other = EtcdProcess.start();
                TopicTail tail = TopicTail.of(broker, "lineage")) {
            tail.await("the end", () -> !tail.entries(Entry.RelistEnd.class).isEmpty());
            int before = tail.entries(Entry.Lineage.class).size();
            try (IngesterProcess ingester =
                    IngesterProcess.start(other.endpoint(), broker, "lineage", "--etcd-prefixes=/lineage/")) {
                ingester.process()
                        .await("the halt", () -> ingester.process().output().contains("is not the history"));

                assertThat(ingester.get("/livez").statusCode()).isEqualTo(200);
                assertThat(ingester.get("/readyz").statusCode()).isEqualTo(500);
                assertThat(ingester.get("/readyz").body()).contains("etcd.endpoints", "kafka.topic.name");
                assertThat(ingester.get("/barrier").statusCode()).isEqualTo(503);
            }
            try (IngesterProcess right = ingester("lineage").awaitReady()) {
                tail.awaitRevision(client.put("/lineage/a", "2"));
                assertThat(tail.entries(Entry.Lineage.class))
                        .as("only the right one has led")
                        .hasSize(before + 1);
                assertThat(right.get("/readyz").body()).isEqualTo("ok");
            }
        }
    }

    @Test
    void barrierAnswersWithWhatWasWrittenBeforeAndProgressFollows() throws Exception {
        try (IngesterProcess ingester = ingester("barrier").awaitReady();
                TopicTail tail = TopicTail.of(broker, "barrier")) {
            long elsewhere = client.put("/elsewhere", "1");

            String answer = ingester.get("/barrier").body();

            long revision = Long.parseLong(answer.replaceAll(".*\"revision\":(\\d+).*\\s*", "$1"));
            assertThat(revision).isGreaterThanOrEqualTo(elsewhere);
            assertThat(answer)
                    .matches("\\{\"revision\":\\d+,\"generation\":\"1-[0-9a-f]{8}\",\"clusterId\":\"\\w+\"}\\s*");
            tail.awaitRevision(revision);
        }
    }

    @Test
    void valuesOfAnySizeThatEtcdTakesAndKeysOfAnyBytesArrive() throws Exception {
        client.put("/sizes/1", "z".repeat(1_000_000));
        client.put("/sizes/\u0001\u007f ü", "");
        try (IngesterProcess ingester = ingester("sizes").awaitReady();
                TopicTail tail = TopicTail.of(broker, "sizes")) {
            client.put("/sizes/2", "z".repeat(1_051_237));
            tail.awaitRevision(client.put("/sizes/3", "z".repeat(1_400_000)));

            tail.assertHolds(client.list("/sizes/"));
            assertThat(ingester.process().isAlive()).isTrue();
        }
    }
}
