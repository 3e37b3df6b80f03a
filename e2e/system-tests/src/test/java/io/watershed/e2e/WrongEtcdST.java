package io.watershed.e2e;

import static io.watershed.e2e.Samples.configMap;
import static io.watershed.e2e.Samples.configMapKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.testkit.EtcdProcess;
import org.junit.jupiter.api.Test;

/** An ingester that is pointed at another etcd: an empty one must not become a mass deletion. */
final class WrongEtcdST {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    @Test
    void anotherEtcdIsRefusedAndTheOldStateServedUntilTheRightOneIsBack() {
        try (Cluster cluster = Cluster.start(2, "--gateway-staleness-limit=2s");
                EtcdProcess wrong = EtcdProcess.startNewest()) {
            cluster.etcd().put(configMapKey("a"), configMap("a", "1"));
            long before = cluster.etcd().put(configMapKey("b"), configMap("b", "1"));
            for (Cluster.Node gateway : cluster.gateways()) {
                Cluster.listAt(gateway, CONFIG_MAPS, before);
            }
            try (HttpWatch watch =
                    HttpWatch.open(cluster.gateway(0).url(), CONFIG_MAPS + "?watch=true&resourceVersion=" + before)) {
                cluster.ingester().kill();
                new EtcdWriter(wrong.endpoint()).put(configMapKey("stranger"), configMap("stranger", "1"));
                cluster.ingester().launchWith("--etcd-endpoints=" + wrong.endpoint());

                assertTheIngesterHalts(cluster.ingester());
                cluster.gateways().forEach(WrongEtcdST::assertServesTheOldStateAndSaysThatItIsStale);
                assertThat(watch.events()).isEmpty();
                assertThat(watch.end()).isNull();

                long changed = cluster.etcd().put(configMapKey("a"), configMap("a", "2"));
                long deleted = cluster.etcd().delete(configMapKey("b"));
                cluster.ingester().kill();
                cluster.ingester()
                        .launchWith("--etcd-endpoints=" + cluster.etcdProcess().endpoint());

                cluster.awaitReady();
                watch.awaitEvents(2);
                assertThat(watch.briefs()).containsExactly("MODIFIED a " + changed, "DELETED b " + deleted);
                cluster.gateways().forEach(gateway -> {
                    assertThat(Cluster.listAt(gateway, CONFIG_MAPS, deleted)
                                    .json()
                                    .findValuesAsText("name"))
                            .containsExactly("a");
                    gateway.process()
                            .await(
                                    "freshness",
                                    () -> !verboseReadyz(gateway).body().contains("stale:"));
                });
            }
        }
    }

    private static void assertTheIngesterHalts(Cluster.Node ingester) {
        ingester.process()
                .await(
                        "the halt",
                        () -> Cluster.get(ingester.url(), "/readyz")
                                .body()
                                .contains("is not the history that the log reflects"));
        Cluster.Answer readyz = Cluster.get(ingester.url(), "/readyz");
        assertThat(readyz.status()).isEqualTo(500);
        assertThat(readyz.body()).contains("etcd.endpoints", "kafka.topic.name");
        assertThat(Cluster.get(ingester.url(), "/livez").status()).isEqualTo(200);
        assertThat(ingester.process().output()).contains("is not the history that the log reflects");
    }

    private static void assertServesTheOldStateAndSaysThatItIsStale(Cluster.Node gateway) {
        gateway.process().await("staleness", () -> verboseReadyz(gateway).body().contains("warn: stale: "));
        assertThat(verboseReadyz(gateway).status()).isEqualTo(200);
        assertThat(verboseReadyz(gateway).body()).contains("gateway.stalenessLimit");
        Cluster.Answer list = Cluster.get(gateway.url(), CONFIG_MAPS + "?resourceVersion=0");
        assertThat(list.status()).isEqualTo(200);
        assertThat(list.json().findValuesAsText("name")).containsExactly("a", "b");
        assertThat(Double.parseDouble(list.response()
                        .headers()
                        .firstValue("Watershed-Staleness-Seconds")
                        .orElseThrow()))
                .isGreaterThan(2);
        assertThat(Metrics.of(gateway.url()).sum("watershed_gateway_staleness_seconds"))
                .isGreaterThan(2);
    }

    private static Cluster.Answer verboseReadyz(Cluster.Node gateway) {
        return Cluster.get(gateway.url(), "/readyz?verbose");
    }
}
