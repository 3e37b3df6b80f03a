package io.watershed.e2e;

import static io.watershed.e2e.Samples.configMap;
import static io.watershed.e2e.Samples.configMapKey;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Processes die and come back: nothing is lost, and nothing ends a watch that need not. */
class FaultsST {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    @SuppressWarnings("NullAway.Init") // set before each test
    private Cluster cluster;

    @BeforeEach
    void start() {
        cluster = Cluster.start(2);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void put(String name, String value) {
        cluster.etcd().put(configMapKey(name), configMap(name, value));
    }

    private HttpWatch watch(int gateway, long revision) {
        return HttpWatch.open(cluster.gateway(gateway).url(), CONFIG_MAPS + "?watch=true&resourceVersion=" + revision);
    }

    /** Key to mod_revision, as etcd and each gateway have it. */
    private void assertGatewaysEqualEtcd() {
        Map<String, Long> wanted = new TreeMap<>(cluster.etcd().list("/registry/configmaps/default/"));
        long head = cluster.etcd().head();
        for (Cluster.Node gateway : cluster.gateways()) {
            Map<String, Long> shown = new TreeMap<>();
            for (JsonNode item :
                    Cluster.listAt(gateway, CONFIG_MAPS, head).json().path("items")) {
                shown.put(
                        configMapKey(item.at("/metadata/name").asText()),
                        item.at("/metadata/resourceVersion").asLong());
            }
            assertThat(shown).as(gateway.url()).isEqualTo(wanted);
        }
    }

    @Test
    void watchesResumeAfterBothGatewaysWereKilled() {
        put("a", "1");
        long seen = cluster.etcd().put(configMapKey("b"), configMap("b", "1"));
        Cluster.listAt(cluster.gateway(0), CONFIG_MAPS, seen);
        cluster.gateway(0).kill();
        cluster.gateway(1).kill();

        long changed = cluster.etcd().put(configMapKey("a"), configMap("a", "2"));
        long deleted = cluster.etcd().delete(configMapKey("b"));
        cluster.gateway(0).restart();
        cluster.gateway(1).restart();

        for (int gateway : new int[] {0, 1}) {
            HttpWatch resumed = watch(gateway, seen).awaitEvents(2);
            assertThat(resumed.briefs()).containsExactly("MODIFIED a " + changed, "DELETED b " + deleted);
            assertThat(resumed.events().get(1).object().at("/data/v").asText()).isEqualTo("1");
            resumed.close();
        }
    }

    @Test
    void whatHappenedWhileTheIngesterWasDeadArrivesAndWatchesGoOn() {
        put("a", "1");
        long before = cluster.etcd().put(configMapKey("b"), configMap("b", "1"));
        Cluster.listAt(cluster.gateway(0), CONFIG_MAPS, before);
        HttpWatch watch = watch(0, before);
        cluster.ingester().kill();

        long changed = cluster.etcd().put(configMapKey("a"), configMap("a", "2"));
        long deleted = cluster.etcd().delete(configMapKey("b"));
        cluster.ingester().restart();

        watch.awaitEvents(2);
        assertThat(watch.briefs()).containsExactly("MODIFIED a " + changed, "DELETED b " + deleted);
        assertThat(watch.end()).isNull();
        assertGatewaysEqualEtcd();
        watch.close();
    }

    @Test
    void b01ACompactionMeanwhileEndsWatchesWith410AndAListShowsEverything() {
        put("a", "1");
        put("b", "1");
        long before = cluster.etcd().put(configMapKey("c"), configMap("c", "1"));
        Cluster.listAt(cluster.gateway(1), CONFIG_MAPS, before);
        HttpWatch watch = watch(1, before);
        cluster.ingester().kill();

        put("a", "2");
        cluster.etcd().delete(configMapKey("b"));
        long last = cluster.etcd().put(configMapKey("d"), configMap("d", "1"));
        cluster.etcd().compact(last);
        cluster.ingester().restart();

        watch.awaitEnd();
        assertThat(watch.events()).hasSize(1);
        assertThat(watch.events().get(0).isExpired()).isTrue();
        assertThat(watch.end()).isEqualTo("clean");
        assertGatewaysEqualEtcd();
        for (int gateway : new int[] {0, 1}) {
            HttpWatch old = watch(gateway, before).awaitEnd();
            assertThat(old.events()).hasSize(1);
            assertThat(old.events().get(0).isExpired()).isTrue();
            old.close();
            JsonNode list =
                    Cluster.get(cluster.gateway(gateway).url(), CONFIG_MAPS).json();
            HttpWatch fresh =
                    watch(gateway, list.at("/metadata/resourceVersion").asLong());
            long next = cluster.etcd().put(configMapKey("e" + gateway), configMap("e" + gateway, "1"));
            fresh.awaitEvents(1);
            assertThat(fresh.briefs()).containsExactly("ADDED e" + gateway + " " + next);
            fresh.close();
        }
        assertThat(Cluster.get(cluster.ingester().url(), "/metrics").body())
                .contains("watershed_ingester_relists_total{reason=\"compacted\"} 1.0");
    }

    @Test
    void aCompactionOfAnIdleEtcdIsNoReasonToRelist() {
        long before = cluster.etcd().put(configMapKey("a"), configMap("a", "1"));
        Cluster.listAt(cluster.gateway(0), CONFIG_MAPS, before);
        HttpWatch watch = watch(0, before);
        cluster.ingester().kill();
        cluster.etcd().compact(before);
        cluster.ingester().restart();

        long after = cluster.etcd().put(configMapKey("a"), configMap("a", "2"));

        watch.awaitEvents(1);
        assertThat(watch.briefs()).containsExactly("MODIFIED a " + after);
        assertThat(Cluster.get(cluster.ingester().url(), "/metrics").body())
                .doesNotContain("watershed_ingester_relists_total{");
        watch.close();
    }

    @Test
    void aBrokerAndAnEtcdThatGoAwayAreWaitedFor() {
        long before = cluster.etcd().put(configMapKey("a"), configMap("a", "1"));
        Cluster.listAt(cluster.gateway(0), CONFIG_MAPS, before);
        HttpWatch watch = watch(0, before);

        cluster.etcdProcess().kill();
        cluster.etcdProcess().run();
        long one = cluster.etcd().put(configMapKey("a"), configMap("a", "2"));
        watch.awaitEvents(1);
        cluster.broker().kill();
        long two = cluster.etcd().put(configMapKey("a"), configMap("a", "3"));
        cluster.broker().run();

        watch.awaitEvents(2);
        assertThat(watch.briefs()).containsExactly("MODIFIED a " + one, "MODIFIED a " + two);
        assertThat(cluster.ingester().process().isAlive()).isTrue();
        assertThat(cluster.gateway(0).process().isAlive()).isTrue();
        assertGatewaysEqualEtcd();
        watch.close();
    }

    @Test
    void anIngesterSaysThatItWaitsForAFrozenBroker() {
        cluster.broker().process().signal("STOP");
        try {
            put("a", "1");
            cluster.ingester().process().await("the broker's silence", () -> {
                Cluster.Answer answer = Cluster.get(cluster.ingester().url(), "/readyz");
                return answer.status() == 500
                        && answer.body().contains("has had no answer for ")
                        && answer.body()
                                .contains("topic watershed at Kafka "
                                        + cluster.broker().bootstrapServers());
            });
        } finally {
            cluster.broker().process().signal("CONT");
        }

        cluster.ingester().awaitReady();
        assertGatewaysEqualEtcd();
    }

    @Test
    void aGatewayDrainsCleanlyOnSigterm() {
        long before = cluster.etcd().put(configMapKey("a"), configMap("a", "1"));
        Cluster.listAt(cluster.gateway(0), CONFIG_MAPS, before);
        HttpWatch watch = HttpWatch.open(
                cluster.gateway(0).url(),
                CONFIG_MAPS + "?watch=true&allowWatchBookmarks=true&resourceVersion=" + before);

        int exit = cluster.gateway(0).process().terminate();

        watch.awaitEnd();
        assertThat(watch.end()).isEqualTo("clean");
        assertThat(watch.events()).isNotEmpty().allMatch(event -> event.type().equals("BOOKMARK"));
        assertThat(exit).isIn(0, 143);
        watch.close();
    }
}
