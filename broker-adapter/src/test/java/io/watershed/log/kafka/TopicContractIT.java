package io.watershed.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.log.LogFailure;
import io.watershed.log.kafka.TopicContract.Violation;
import io.watershed.testkit.ChildProcess;
import io.watershed.testkit.FreePorts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TopicContractIT {
    @RegisterExtension
    static final SharedBroker BROKER = new SharedBroker();

    private final LogSettings settings = SharedBroker.settings();

    private List<Violation> violations() throws LogFailure {
        try (TopicContract contract = new TopicContract(settings)) {
            return contract.violations();
        }
    }

    private void require() throws LogFailure {
        try (TopicContract contract = new TopicContract(settings)) {
            contract.createIfAbsent();
            contract.require();
        }
    }

    private String alter(String config) {
        return "bin/kafka configs --bootstrap-server " + settings.bootstrapServers()
                + " --alter --entity-type topics --entity-name " + settings.topic() + " --add-config " + config;
    }

    @Test
    void createsTheTopicWithEveryValueExplicit() throws LogFailure {
        require();
        assertThat(violations()).isEmpty();
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, settings.topic());
        try (Admin admin = Topics.admin(settings)) {
            Stream<ConfigEntry> explicit = Topics.done(
                            admin.describeConfigs(List.of(topic)).all())
                    .values()
                    .stream()
                    .flatMap(config -> config.entries().stream())
                    .filter(entry -> entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG);
            assertThat(explicit.map(ConfigEntry::name))
                    .containsExactlyInAnyOrderElementsOf(
                            new TopicRules(settings).required().keySet());
        }
    }

    @Test
    void leavesAnExistingTopicAsItIs() throws LogFailure {
        require();
        try (TopicContract contract = new TopicContract(settings)) {
            var id = contract.topicId();
            contract.createIfAbsent();
            assertThat(contract.topicId()).isEqualTo(id);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"delete", "compact,delete"})
    void refusesAPolicyThatLosesObjectsWithTheCommandThatRepairsIt(String policy) {
        Map<String, String> configs = new java.util.HashMap<>(new TopicRules(settings).required());
        configs.put("cleanup.policy", policy);
        Topics.create(settings, configs);
        assertThatThrownBy(this::require)
                .isInstanceOf(LogFailure.ContractBroken.class)
                .hasMessageContaining("topic " + settings.topic())
                .hasMessageContaining("cleanup.policy is " + policy + ", must be compact")
                .hasMessageEndingWith("\n    " + alter("cleanup.policy=compact"));
    }

    @Test
    void printedCommandsRepairATopicThatABrokerCreatedByItself() throws LogFailure {
        Topics.create(settings, Map.of());
        List<Violation> found = violations();
        assertThat(found)
                .extracting(Violation::repair)
                .contains(
                        alter("cleanup.policy=compact"),
                        alter("message.timestamp.type=LogAppendTime"),
                        alter("min.compaction.lag.ms=3600000"),
                        alter("max.compaction.lag.ms=7200000"),
                        alter("segment.ms=600000"),
                        alter("max.message.bytes=16777216"));
        assertThatThrownBy(this::require).isInstanceOf(LogFailure.ContractBroken.class);
        // The tool itself for one of them: a Java start each is what the others would cost.
        String root = System.getProperty("watershed.root");
        ChildProcess.run(List.of("bash", "-c", "cd " + root + " && " + alter("cleanup.policy=compact")), Map.of());
        assertThat(violations()).extracting(Violation::config).doesNotContain("cleanup.policy");
        String all = String.join(
                ",",
                found.stream()
                        .map(violation -> violation.repair().replaceFirst(".*--add-config ", ""))
                        .toList());
        ChildProcess.run(List.of("bash", "-c", "cd " + root + " && " + alter(all)), Map.of());
        require();
    }

    @Test
    void refusesATopicWhoseBeginningWasDeleted() throws Exception {
        Topics.create(settings, Map.of("cleanup.policy", "delete"));
        try (KafkaProducer<byte[], byte[]> producer = Topics.producer(settings, Map.of());
                Admin admin = Topics.admin(settings)) {
            producer.send(new ProducerRecord<>(settings.topic(), 0, new byte[1], new byte[1]))
                    .get();
            producer.send(new ProducerRecord<>(settings.topic(), 0, new byte[1], new byte[1]))
                    .get();
            Topics.done(admin.deleteRecords(
                            Map.of(new TopicPartition(settings.topic(), 0), RecordsToDelete.beforeOffset(1)))
                    .all());
        }
        assertThat(violations())
                .filteredOn(violation -> violation.config().equals("first offset"))
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.actual()).isEqualTo("1");
                    assertThat(violation.stopsWriter()).isTrue();
                    assertThat(violation.repair()).contains("kafka.topic.name");
                });
    }

    @Test
    void refusesSeveralPartitions() throws LogFailure {
        Topics.create(settings, 2, new TopicRules(settings).required());
        assertThat(violations()).extracting(Violation::config).containsExactly("partitions");
    }

    @Test
    void saysHowToCreateTheTopicWhereItMayNot() {
        LogSettings mayNot = new LogSettings(
                settings.bootstrapServers(), settings.topic(), settings.window(), false, true, Map.of());
        try (TopicContract contract = new TopicContract(mayNot)) {
            assertThatThrownBy(contract::createIfAbsent)
                    .isInstanceOf(LogFailure.ContractBroken.class)
                    .hasMessageContaining("kafka.topic.create is false")
                    .hasMessageContaining("bin/kafka topics --bootstrap-server " + settings.bootstrapServers()
                            + " --create --topic " + settings.topic() + " --partitions 1 --replication-factor 1")
                    .hasMessageContaining("--config cleanup.policy=compact");
        }
    }

    @Test
    void saysWhatToDoWhenThereAreTooFewBrokersForTheReplicas() {
        LogSettings replicated = new LogSettings(
                settings.bootstrapServers(), settings.topic(), settings.window(), true, false, Map.of());
        try (TopicContract contract = new TopicContract(replicated)) {
            assertThatThrownBy(contract::createIfAbsent)
                    .isInstanceOf(LogFailure.ContractBroken.class)
                    .hasMessageContaining("3 replicas")
                    .hasMessageContaining("kafka.topic.singleBroker=true");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:%d", "no-such-host.invalid:%d"})
    void absentBrokerIsUnavailableAndNamed(String servers) {
        String nobody = String.format(servers, FreePorts.next());
        Map<String, String> impatient = Map.of("default.api.timeout.ms", "1000", "request.timeout.ms", "500");
        LogSettings away = new LogSettings(nobody, "watershed", Duration.ofHours(1), true, true, impatient);
        try (TopicContract contract = new TopicContract(away)) {
            assertThatThrownBy(contract::createIfAbsent)
                    .isInstanceOf(LogFailure.Unavailable.class)
                    .hasMessageContaining(nobody)
                    .hasMessageContaining("kafka.bootstrapServers");
        }
        assertThatThrownBy(() -> LogReader.open(away))
                .isInstanceOf(LogFailure.Unavailable.class)
                .hasMessageContaining(nobody);
        assertThatThrownBy(() -> FencedWriter.open(away, Duration.ofSeconds(1)))
                .isInstanceOf(LogFailure.Unavailable.class)
                .hasMessageContaining(nobody);
    }
}
