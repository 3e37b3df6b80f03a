package io.watershed.e2e;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Case B02: an ingester dies half-way through a listing, its first or a later one, and keys go before the next one lists again. */
final class InterruptedListingST {
    private static final int KEYS = 20_000;
    private static final int TOGETHER = 5_000;
    private static final int DELETES = 100;
    /** Of some 8 MB that a listing takes: pages grow to 3 MiB, so some have come and some not. */
    private static final long HALF = 4_000_000;

    private static final String PREFIX = "/registry/configmaps/half/";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/half/configmaps";
    private static final String RELIST_RUNS = "a relist is running";

    @Test
    void aListingThatWasCutIsFinishedByTheNextIngesterWithItsDeletesAndNoOthers() {
        try (Cluster cluster = Cluster.startServers()) {
            List<String> keys = IntStream.range(0, KEYS)
                    .mapToObj(number -> PREFIX + "n" + (100_000 + number))
                    .toList();
            putAll(cluster, keys, "first");
            try (EtcdGate gate = EtcdGate.before(cluster.etcdProcess().endpoint(), HALF)) {
                cluster.addIngester("--etcd-endpoints=" + gate.endpoint());
                theFirstListingIsCut(cluster);
            }
            try (TopicTail topic = TopicTail.of(cluster);
                    EtcdGate gate = EtcdGate.before(cluster.etcdProcess().endpoint(), HALF)) {
                aRelistIsCut(cluster, topic, gate);
            }
        }
    }

    private static void theFirstListingIsCut(Cluster cluster) {
        Cluster.Node gateway = cluster.addGateway();
        awaitReadyzSays(gateway, RELIST_RUNS);
        try (TopicTail topic = TopicTail.of(cluster)) {
            topic.await("a part of the listing", line -> line.field("t").equals("S"));
            assertThat(Cluster.get(gateway.url(), CONFIG_MAPS).status()).isEqualTo(429);
            cluster.ingester().kill();
            Set<String> published = TopicTail.state(topic.all()).keySet();
            assertThat(published).hasSizeBetween(1, KEYS - DELETES);
            List<String> gone = lastOf(cluster, DELETES);
            assertThat(published).doesNotContainAnyElementsOf(gone);
            gone.forEach(cluster.etcd()::delete);

            cluster.ingester()
                    .launchWith("--etcd-endpoints=" + cluster.etcdProcess().endpoint());
            cluster.awaitReady();

            assertTopicEqualsEtcd(cluster, topic);
            assertThat(tombstones(topic.all()))
                    .as("of keys that the log never had")
                    .isEmpty();
            assertThat(topic.all().stream().filter(line -> line.field("t").equals("S")))
                    .as("what the dead one had published is not published again")
                    .hasSize(KEYS - DELETES);
            assertGatewayEqualsEtcd(cluster, gateway);
        }
    }

    private static void aRelistIsCut(Cluster cluster, TopicTail topic, EtcdGate gate) {
        Cluster.Node gateway = cluster.gateway(0);
        long before = cluster.etcd().head();
        HttpWatch watch = HttpWatch.open(gateway.url(), CONFIG_MAPS + "?watch=true&resourceVersion=" + before);
        int ends = ends(topic);
        cluster.ingester().kill();
        Set<String> gone = new TreeSet<>(lastOf(cluster, 50));
        gone.forEach(cluster.etcd()::delete);
        putAll(cluster, new ArrayList<>(cluster.etcd().list(PREFIX).keySet()), "second");
        cluster.etcd().compact(cluster.etcd().head());
        int known = topic.all().size();

        cluster.ingester().launchWith("--etcd-endpoints=" + gate.endpoint());
        topic.await(
                "a part of the relist",
                line -> line.offset() > known + 100 && line.field("t").equals("S"));
        Cluster.Node late = cluster.addGateway();
        awaitReadyzSays(late, RELIST_RUNS);

        assertThat(ends(topic)).as("no end marker").isEqualTo(ends);
        assertThat(watch.events()).isEmpty();
        assertThat(watch.end()).isNull();
        assertThat(Cluster.get(gateway.url(), CONFIG_MAPS + "/n100000")
                        .json()
                        .at("/data/v")
                        .asText())
                .as("nothing of the relist is shown before its end")
                .startsWith("first");

        cluster.ingester().kill();
        List<String> more = lastOf(cluster, DELETES);
        more.forEach(cluster.etcd()::delete);
        gone.addAll(more);
        cluster.ingester()
                .launchWith("--etcd-endpoints=" + cluster.etcdProcess().endpoint());

        watch.awaitEnd();
        assertThat(watch.end()).isEqualTo("clean");
        assertThat(watch.events()).hasSize(1);
        assertThat(watch.events().get(0).isExpired()).isTrue();
        watch.close();
        cluster.awaitReady();
        assertThat(ends(topic)).isEqualTo(ends + 1);
        assertTopicEqualsEtcd(cluster, topic);
        assertThat(tombstones(topic.all())).isEqualTo(gone);
        assertGatewayEqualsEtcd(cluster, gateway);
        assertGatewayEqualsEtcd(cluster, late);
    }

    private static void putAll(Cluster cluster, List<String> keys, String word) {
        String value = "{\"data\":{\"v\":\"" + word + "x".repeat(250) + "\"}}";
        for (int from = 0; from < keys.size(); from += TOGETHER) {
            cluster.etcd().putTogether(keys.subList(from, Math.min(keys.size(), from + TOGETHER)), value, 0);
        }
    }

    /** The keys that a listing comes to last. */
    private static List<String> lastOf(Cluster cluster, int count) {
        List<String> keys = new ArrayList<>(cluster.etcd().list(PREFIX).keySet());
        return keys.subList(keys.size() - count, keys.size());
    }

    private static int ends(TopicTail topic) {
        return (int)
                topic.all().stream().filter(line -> line.field("t").equals("E")).count();
    }

    private static Set<String> tombstones(List<TopicTail.Line> lines) {
        return lines.stream()
                .filter(line -> line.value() == null)
                .map(TopicTail.Line::key)
                .collect(toCollection(TreeSet::new));
    }

    private static void awaitReadyzSays(Cluster.Node gateway, String text) {
        gateway.process().await("\"" + text + "\" at /readyz", () -> {
            Cluster.Answer answer = Cluster.get(gateway.url(), "/readyz");
            return answer.status() == 500 && answer.body().contains(text);
        });
    }

    private static void assertTopicEqualsEtcd(Cluster cluster, TopicTail topic) {
        assertThat(TopicTail.state(topic.all()))
                .isEqualTo(new TreeMap<>(cluster.etcd().list("/")));
    }

    private static void assertGatewayEqualsEtcd(Cluster cluster, Cluster.Node gateway) {
        Map<String, Long> shown = new TreeMap<>();
        for (JsonNode item : Cluster.listAt(gateway, CONFIG_MAPS, cluster.etcd().head())
                .json()
                .path("items")) {
            shown.put(
                    PREFIX + item.at("/metadata/name").asText(),
                    item.at("/metadata/resourceVersion").asLong());
        }
        assertThat(shown).isEqualTo(new TreeMap<>(cluster.etcd().list(PREFIX)));
    }
}
