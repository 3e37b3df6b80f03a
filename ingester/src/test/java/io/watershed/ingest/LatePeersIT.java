package io.watershed.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.log.Entry;
import io.watershed.testkit.BrokerProcess;
import io.watershed.testkit.EtcdProcess;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LatePeersIT {
    @Test
    void ingesterWaitsForItsServersAndSaysSoAndSurvivesTheirRestarts() throws Exception {
        try (BrokerProcess broker = BrokerProcess.create(Map.of());
                EtcdProcess etcd = EtcdProcess.create("etcd");
                IngesterProcess ingester = IngesterProcess.start(etcd.endpoint(), broker, "late")) {
            ingester.process()
                    .await(
                            "a line about etcd",
                            () -> ingester.process().output().contains("Is etcd running there?"));
            assertThat(ingester.get("/readyz").statusCode()).isEqualTo(500);

            etcd.run();
            ingester.process()
                    .await(
                            "a line about Kafka",
                            () -> ingester.process().output().contains(broker.bootstrapServers() + " "));
            assertThat(ingester.get("/readyz").statusCode()).isEqualTo(500);

            broker.run();
            ingester.awaitReady();
            try (TopicTail tail = TopicTail.of(broker, "late")) {
                try (EtcdClient client = new EtcdClient(etcd)) {
                    tail.awaitRevision(client.put("/a", "1"));
                }
                etcd.kill();
                ingester.process()
                        .await("unreadiness", () -> ingester.get("/readyz").statusCode() == 500);
                etcd.run();
                try (EtcdClient client = new EtcdClient(etcd)) {
                    long written = client.put("/a", "2");
                    broker.kill();
                    broker.run();
                    client.put("/a", "3");
                    tail.awaitRevision(written + 1);
                    tail.assertHolds(client.list("/"));
                }
                assertThat(tail.entries(Entry.RelistBegin.class))
                        .as("no restart makes a relist")
                        .hasSize(1);
            }
            assertThat(ingester.process().terminate()).isZero();
        }
    }
}
