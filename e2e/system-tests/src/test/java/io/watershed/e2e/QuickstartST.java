package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.watershed.testkit.BrokerProcess;
import io.watershed.testkit.ChildProcess;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quick start as a newcomer meets it: one command, real processes. */
class QuickstartST {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    @Test
    void goesOnWhereItWasAfterEverythingWasKilled() throws Exception {
        try (QuickstartRun quickstart = new QuickstartRun(directory.resolve("Daten für 水"))) {
            // Given: it runs, serves its sample, and tells which processes it has
            String said = quickstart.startDetached();
            assertThat(said)
                    .contains("sample objects", "Ready after", "curl -N", "kubectl", "etcdctl", "console-consumer");
            JsonNode status = quickstart.status();
            assertThat(status.get("ready").asBoolean()).isTrue();
            assertThat(status.get("gateways")).hasSize(2);
            assertThat(status.get("topic").asText()).isEqualTo("watershed");
            assertThat(status.get("pids").fieldNames())
                    .toIterable()
                    .containsExactlyInAnyOrder("etcd", "kafka", "ingester", "gateway-1", "gateway-2");
            for (int gateway = 0; gateway < 2; gateway++) {
                assertThat(quickstart
                                .get(gateway, "/api/v1/namespaces/shop/pods")
                                .get("items"))
                        .hasSize(2);
            }
            String etcd = status.get("etcd").get(0).asText();
            put(etcd, "/registry/configmaps/default/before", "{\"data\":{\"a\":\"1\"}}");
            awaitConfigMaps(quickstart, "before");

            // When: other ports are asked for
            List<Long> running = quickstart.pids();
            try (QuickstartRun elsewhere = new QuickstartRun(directory.resolve("other"));
                    ChildProcess refused = quickstart.start(
                            directory.resolve("refused"), "--port-base", String.valueOf(elsewhere.portBase()))) {
                // Then: what runs is left alone, and the remedy is named
                assertThat(refused.awaitExit()).isEqualTo(1);
                assertThat(refused.output()).contains("has other ports", "bin/quickstart stop --data '");
                assertThat(quickstart.pids()).isEqualTo(running);
            }

            // When: everything dies at once
            List<Long> killed = quickstart.pids();
            killed.forEach(QuickstartST::kill);
            quickstart.startDetached();

            // Then: nothing is lost, and the same log goes on
            assertThat(quickstart.status().get("ready").asBoolean()).isTrue();
            assertThat(quickstart.pids()).doesNotContainAnyElementsOf(killed);
            awaitConfigMaps(quickstart, "before");
            put(etcd, "/registry/configmaps/default/after", "{\"data\":{\"a\":\"2\"}}");
            awaitConfigMaps(quickstart, "after");

            // When: it is stopped
            quickstart.run("stop");

            // Then: nothing is left
            assertThat(quickstart.pids()).isEmpty();
            assertThat(quickstart.status().get("ready").asBoolean()).isFalse();
            assertThat(quickstart.allPortsAreFree()).isTrue();
        }
    }

    @Test
    void staysUntilCtrlCAndThenStopsEverything() throws Exception {
        try (QuickstartRun quickstart = new QuickstartRun(directory.resolve("data"));
                ChildProcess foreground = quickstart.start(
                        directory.resolve("output"),
                        "--port-base",
                        String.valueOf(quickstart.portBase()),
                        "--gateways=1",
                        "--no-sample",
                        "--set",
                        "kafka.topic.name=elsewhere")) {
            foreground.await("its last line", () -> foreground.output().contains("Ctrl-C stops everything"));
            JsonNode status = quickstart.status();
            assertThat(status.get("gateways")).hasSize(1);
            assertThat(status.get("topic").asText()).isEqualTo("elsewhere");
            assertThat(quickstart.get(0, "/api/v1/pods").get("items")).isEmpty();

            foreground.signal("INT");
            foreground.awaitExit();

            assertThat(foreground.output()).contains("etcd stopped");
            assertThat(quickstart.status().get("pids")).isEmpty();
            assertThat(quickstart.allPortsAreFree()).isTrue();
        }
    }

    @Test
    void namesATakenPortAndLeavesNothingRunning() throws Exception {
        try (QuickstartRun quickstart = new QuickstartRun(directory.resolve("data"));
                ServerSocket other = new ServerSocket(quickstart.portBase() + 30, 1, InetAddress.getLoopbackAddress());
                ChildProcess refused = quickstart.start(
                        directory.resolve("output"), "--port-base", String.valueOf(quickstart.portBase()))) {
            assertThat(refused.awaitExit()).isEqualTo(1);

            assertThat(refused.output())
                    .contains("Another program listens on port " + other.getLocalPort() + " (for Kafka)")
                    .contains("--port-base");
            assertThat(quickstart.pids()).isEmpty();
        }
    }

    @Test
    void saysOnlyThatItStopsWhenItIsToldToWhileItStarts() throws Exception {
        try (QuickstartRun quickstart = new QuickstartRun(directory.resolve("data"));
                // Nobody listens there: the ingester waits, until it is told to stop.
                ChildProcess waiting = quickstart.start(
                        directory.resolve("output"),
                        "--port-base",
                        String.valueOf(quickstart.portBase()),
                        "--etcd=http://127.0.0.1:1")) {
            waiting.await("that it waits", () -> waiting.output().contains("waiting for ingester"));

            waiting.terminate();

            assertThat(waiting.output()).contains("Stopping:", "ingester stopped", "kafka stopped");
            assertThat(waiting.output()).doesNotContain("ended at once", "Ready after", "quick start failed");
            assertThat(quickstart.pids()).isEmpty();
        }
    }

    @Test
    void refusesATopicOfYoursThatIsNotWhatItMustBeWithTheCommandThatRepairsIt() throws Exception {
        try (BrokerProcess broker = BrokerProcess.start();
                Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
                QuickstartRun quickstart = new QuickstartRun(directory.resolve("data"))) {
            admin.createTopics(List.of(new NewTopic("watershed", 1, (short) 1)))
                    .all()
                    .get();
            try (ChildProcess refused = quickstart.start(
                    directory.resolve("output"),
                    "--port-base",
                    String.valueOf(quickstart.portBase()),
                    "--kafka",
                    broker.bootstrapServers(),
                    "--set=kafka.topic.singleBroker=true")) {
                assertThat(refused.awaitExit()).isEqualTo(1);

                assertThat(refused.output())
                        .contains("refuses the topic", "cleanup.policy is delete, must be compact")
                        .contains("bin/kafka configs --bootstrap-server " + broker.bootstrapServers() + " --alter");
                assertThat(quickstart.pids()).isEmpty();
            }
        }
    }

    @Test
    void namesADataDirectoryThatIsAFile() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "mine");
        for (Path taken : List.of(file, file.resolve("below"))) {
            QuickstartRun quickstart = new QuickstartRun(taken);
            try (ChildProcess refused = quickstart.start(directory.resolve("output"))) {
                assertThat(refused.awaitExit()).isEqualTo(1);

                assertThat(refused.output())
                        .contains("The data directory " + taken, "--data DIR")
                        .doesNotContain("Exception");
            }
        }
        assertThat(file).hasContent("mine");
    }

    private static void awaitConfigMaps(QuickstartRun quickstart, String name) {
        await().atMost(DEADLINE)
                .untilAsserted(() -> assertThat(quickstart
                                .get(0, "/api/v1/namespaces/default/configmaps")
                                .get("items"))
                        .extracting(item -> item.at("/metadata/name").asText())
                        .contains(name));
    }

    private static void put(String etcd, String key, String value) {
        ChildProcess.run(List.of("etcdctl", "--endpoints", etcd, "put", key, value), Map.of("ETCDCTL_API", "3"));
    }

    private static void kill(long pid) {
        ProcessHandle.of(pid).ifPresent(process -> {
            process.destroyForcibly();
            process.onExit().join();
        });
    }
}
