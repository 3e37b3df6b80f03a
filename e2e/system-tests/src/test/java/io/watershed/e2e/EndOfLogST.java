package io.watershed.e2e;

import static io.watershed.e2e.Samples.configMap;
import static io.watershed.e2e.Samples.configMapKey;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.watershed.testkit.ChildProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Case B21: what a starting gateway takes for the end of the log, where the last offsets hold nothing that it will ever see. */
final class EndOfLogST {
    private static final String TOPIC = "watershed";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    /** So short that the broker compacts within the test. */
    private static final String WINDOW = "--kafka-topic-window=1s";

    @Test
    void b21AGatewayFindsTheEndOverAbortedCompactedAndAbandonedRecords(@TempDir Path directory) throws Exception {
        // What is in the log is to be served, however old it is: the ingester is dead for a part of the test.
        try (Cluster cluster = Cluster.startServers(WINDOW, "--gateway-staleness-limit=1d")) {
            cluster.addIngester(WINDOW).awaitReady();
            writeUntilTheBrokerHasCompacted(cluster);
            // From here on nothing more is compacted: a gateway that this machine lets wait for longer than the window,
            // which is a
            // second here, would rightly have to begin again.
            stopCompaction(cluster);
            cluster.ingester().kill();
            AbandonedTransaction.abort(cluster.broker().bootstrapServers(), TOPIC);

            Cluster.Node overAborted = cluster.addGateway();
            overAborted.awaitReady();
            assertServesWhatEtcdHolds(cluster, overAborted);

            cluster.ingester().restart();
            ChildProcess foreign = ChildProcess.start(
                    "producer",
                    AbandonedTransaction.command(cluster.broker().bootstrapServers(), TOPIC),
                    Map.of(),
                    directory.resolve("producer.out"));
            foreign.await("an open transaction", () -> foreign.output().contains(AbandonedTransaction.IS_OPEN));
            foreign.kill();
            // Committed, and behind the open transaction.
            cluster.etcd().put(configMapKey("behind"), configMap("behind", "1"));
            Cluster.Node overAbandoned = cluster.addGateway();
            cluster.awaitReady();
            assertServesWhatEtcdHolds(cluster, overAbandoned);
            assertServesWhatEtcdHolds(cluster, overAborted);
            for (Cluster.Node gateway : cluster.gateways()) {
                Metrics metrics = Metrics.of(gateway.url());
                assertThat(metrics.has("watershed_gateway_log_readings_ended_total"))
                        .as(
                                "no reading had to begin again; its log says why:\n%s",
                                gateway.process().output())
                        .isFalse();
            }
        }
    }

    private static void writeUntilTheBrokerHasCompacted(Cluster cluster) {
        int[] writes = {0};
        Awaitility.await("compaction").atMost(HttpWatch.DEADLINE).until(() -> {
            for (String name : List.of("a", "b", "c")) {
                cluster.etcd().put(configMapKey(name), configMap(name, "" + writes[0]));
                writes[0]++;
            }
            cluster.etcd().put(configMapKey("gone"), configMap("gone", "" + writes[0]));
            cluster.etcd().delete(configMapKey("gone"));
            try (TopicTail topic = TopicTail.of(cluster)) {
                long left = topic.all().stream()
                        .filter(line -> line.key().equals(configMapKey("a")))
                        .count();
                return left < writes[0] / 3 - 10;
            }
        });
    }

    private static void stopCompaction(Cluster cluster) throws Exception {
        try (Admin admin =
                Admin.create(Map.of("bootstrap.servers", cluster.broker().bootstrapServers()))) {
            ConfigResource everyBroker = new ConfigResource(ConfigResource.Type.BROKER, "");
            AlterConfigOp standStill = new AlterConfigOp(
                    new ConfigEntry("log.cleaner.io.max.bytes.per.second", "0.001"), AlterConfigOp.OpType.SET);
            admin.incrementalAlterConfigs(Map.of(everyBroker, List.of(standStill)))
                    .all()
                    .get();
        }
    }

    private static void assertServesWhatEtcdHolds(Cluster cluster, Cluster.Node gateway) {
        Map<String, Long> shown = new TreeMap<>();
        for (JsonNode item : Cluster.listAt(gateway, CONFIG_MAPS, lastWritten(cluster))
                .json()
                .path("items")) {
            shown.put(
                    configMapKey(item.at("/metadata/name").asText()),
                    item.at("/metadata/resourceVersion").asLong());
        }
        assertThat(shown).isEqualTo(new TreeMap<>(cluster.etcd().list("/registry/configmaps/default/")));
    }

    private static long lastWritten(Cluster cluster) {
        return cluster.etcd().list("/registry/configmaps/default/").values().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElseThrow();
    }
}
