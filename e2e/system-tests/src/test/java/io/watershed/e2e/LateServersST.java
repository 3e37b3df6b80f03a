package io.watershed.e2e;

import static io.watershed.e2e.Samples.configMap;
import static io.watershed.e2e.Samples.configMapKey;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Our processes are there before the servers that they need. */
final class LateServersST {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    @Test
    void theyWaitForKafkaAndForEtcdAndSaySoAndBecomeReadyByThemselves() {
        try (Cluster cluster = Cluster.create()) {
            Cluster.Node ingester = cluster.addIngester();
            List<Cluster.Node> all = new ArrayList<>(List.of(ingester, cluster.addGateway(), cluster.addGateway()));
            awaitSays(ingester, "Is etcd running there?");
            for (Cluster.Node gateway : cluster.gateways()) {
                awaitSays(gateway, cluster.broker().bootstrapServers());
            }
            all.forEach(LateServersST::assertLivesAndIsNotReady);

            cluster.broker().run();
            for (Cluster.Node gateway : cluster.gateways()) {
                awaitSays(gateway, "topic watershed does not exist");
            }
            all.forEach(LateServersST::assertLivesAndIsNotReady);

            cluster.etcdProcess().run();
            long put = cluster.etcd().put(configMapKey("a"), configMap("a", "1"));
            cluster.awaitReady();
            for (Cluster.Node gateway : cluster.gateways()) {
                assertThat(Cluster.listAt(gateway, CONFIG_MAPS, put).json().findValuesAsText("name"))
                        .containsExactly("a");
            }
        }
    }

    /** In the log, and as the reason of unreadiness. */
    private static void awaitSays(Cluster.Node node, String text) {
        node.process()
                .await(
                        "a line with " + text,
                        () -> node.process().output().contains(text)
                                && Cluster.get(node.url(), "/readyz").body().contains(text));
    }

    private static void assertLivesAndIsNotReady(Cluster.Node node) {
        assertThat(node.process().isAlive()).isTrue();
        assertThat(Cluster.get(node.url(), "/livez").status()).isEqualTo(200);
        assertThat(Cluster.get(node.url(), "/readyz").status()).isEqualTo(500);
    }
}
