package io.watershed.e2e;

import static io.watershed.e2e.Samples.configMap;
import static io.watershed.e2e.Samples.configMapKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.testkit.ChildProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Case B20: a topic that would lose objects after a quiet time is refused, and given up when it becomes one. */
final class TopicContractST {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    @SuppressWarnings("NullAway.Init") // set before any test
    private static Cluster cluster;

    @BeforeAll
    static void start() {
        cluster = Cluster.start(1, "--gateway-staleness-limit=2s");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void b20ATopicOfAnotherPolicyIsRefusedWithTheCommandThatRepairsIt() throws Exception {
        for (String policy : List.of("delete", "compact,delete")) {
            String name = "made-" + policy.replace(',', '-');
            create(name, Map.of("cleanup.policy", policy));
            assertIsRefusedUntilRepaired(name, "cleanup.policy is " + policy + ", must be compact");
        }
    }

    @Test
    void b20ATopicThatTheBrokerMadeByItsDefaultsIsRefusedWithEveryCommandThatRepairsIt() throws Exception {
        create("made-by-default", Map.of());
        assertIsRefusedUntilRepaired("made-by-default", "message.timestamp.type is CreateTime, must be LogAppendTime");
    }

    private static void assertIsRefusedUntilRepaired(String topic, String why) {
        Cluster.Node ingester = cluster.addIngester("--kafka-topic-name=" + topic);
        ingester.process().await("the refusal", () -> readyz(ingester).body().contains(why));
        String refusal = readyz(ingester).body();
        assertThat(readyz(ingester).status()).isEqualTo(500);
        assertThat(refusal).contains("topic " + topic, "Nothing is published");
        assertThat(ingester.process().output()).contains(why);
        assertThat(Metrics.of(ingester.url()).sum("watershed_topic_contract_violations"))
                .isPositive();
        List<String> commands = refusal.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("bin/kafka "))
                .toList();
        assertThat(commands)
                .contains("bin/kafka configs --bootstrap-server "
                        + cluster.broker().bootstrapServers() + " --alter --entity-type topics --entity-name " + topic
                        + " --add-config cleanup.policy=compact");

        // One start of the tool for all of them: the commands differ in their last word only.
        run(commands.get(0)
                .replaceFirst(
                        " --add-config .*",
                        " --add-config "
                                + String.join(
                                        ",",
                                        commands.stream()
                                                .map(command -> command.replaceFirst(".* --add-config ", ""))
                                                .toList())));

        ingester.awaitReady();
        ingester.process().terminate();
    }

    @Test
    void b20ATopicThatIsChangedAtRunTimeIsNotWrittenToUntilItIsRepaired() {
        Cluster.Node gateway = cluster.gateway(0);
        long before = cluster.etcd().put(configMapKey("a"), configMap("a", "1"));
        Cluster.listAt(gateway, CONFIG_MAPS, before);
        try (HttpWatch watch = HttpWatch.open(gateway.url(), CONFIG_MAPS + "?watch=true&resourceVersion=" + before)) {
            alter("cleanup.policy=delete");
            cluster.ingester()
                    .process()
                    .await(
                            "the end of publishing",
                            () -> readyz(cluster.ingester())
                                    .body()
                                    .contains("cleanup.policy is delete, must be compact"));
            long unpublished = cluster.etcd().put(configMapKey("a"), configMap("a", "2"));
            gateway.process().await("the condition and the staleness", () -> {
                String text = verboseReadyz(gateway).body();
                return text.contains("warn: stale: ")
                        && text.contains("warn: the topic's cleanup.policy is delete, must be compact: bin/kafka ");
            });

            assertThat(verboseReadyz(gateway).status()).isEqualTo(200);
            assertThat(readyz(gateway).body()).isEqualTo("ok");
            for (Cluster.Node node : List.of(gateway, cluster.ingester())) {
                assertThat(Metrics.of(node.url()).lines())
                        .contains("watershed_topic_contract_violations{config=\"cleanup.policy\"} 1.0");
            }
            assertThat(cluster.ingester().process().output()).contains("cleanup.policy is delete, must be compact");
            assertThat(watch.events()).isEmpty();
            assertThat(watch.end()).isNull();

            alter("cleanup.policy=compact");
            watch.awaitEvents(1);
            assertThat(watch.briefs()).containsExactly("MODIFIED a " + unpublished);
            cluster.ingester().awaitReady();
        }
    }

    @Test
    void aRecordOfSomebodyElseIsNamedWithTheRemedyByIngestersAndGateways() throws Exception {
        Cluster.Node first = cluster.addIngester("--kafka-topic-name=shared");
        first.awaitReady();
        first.process().terminate();
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", cluster.broker().bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            producer.send(new ProducerRecord<>("shared", "somebody", "else")).get();
        }

        for (Cluster.Node node : List.of(
                cluster.addIngester("--kafka-topic-name=shared"), cluster.addGateway("--kafka-topic-name=shared"))) {
            node.process()
                    .await(
                            "the remedy",
                            () -> verboseReadyz(node).body().contains("something else wrote to this topic"));
            assertThat(verboseReadyz(node).status()).isEqualTo(500);
            assertThat(verboseReadyz(node).body())
                    .contains("of topic shared", "the record of key somebody", "ACLs", "kafka.topic.name");
            node.process().terminate();
        }
    }

    private static void alter(String config) {
        run("bin/kafka configs --bootstrap-server " + cluster.broker().bootstrapServers()
                + " --alter --entity-type topics --entity-name watershed --add-config " + config);
    }

    private static void run(String command) {
        Path root = Path.of(Objects.requireNonNull(System.getProperty("watershed.root")));
        ChildProcess.run(List.of("bash", "-c", "cd " + root + " && " + command), Map.of());
    }

    private static void create(String topic, Map<String, String> configs) throws Exception {
        try (Admin admin =
                Admin.create(Map.of("bootstrap.servers", cluster.broker().bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(configs)))
                    .all()
                    .get();
        }
    }

    private static Cluster.Answer readyz(Cluster.Node node) {
        return Cluster.get(node.url(), "/readyz");
    }

    private static Cluster.Answer verboseReadyz(Cluster.Node node) {
        return Cluster.get(node.url(), "/readyz?verbose");
    }
}
