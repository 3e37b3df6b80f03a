package io.watershed.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.log.kafka.TopicContract.Violation;
import io.watershed.log.kafka.TopicRules.Observed;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TopicRulesTest {
    private static final String ALTER =
            "bin/kafka configs --bootstrap-server k:9092 --alter --entity-type topics --entity-name watershed --add-config ";

    private final TopicRules rules = new TopicRules(settings(true));

    private static LogSettings settings(boolean singleBroker) {
        return new LogSettings("k:9092", "watershed", Duration.ofHours(1), true, singleBroker, Map.of());
    }

    private static Observed with(TopicRules rules, String config, String value) {
        Map<String, String> configs = new HashMap<>(rules.required());
        configs.put(config, value);
        return new Observed(1, 3, 0, configs, List.of());
    }

    @Test
    void acceptsWhatItCreates() {
        assertThat(rules.violations(new Observed(1, 1, 0, rules.required(), List.of())))
                .isEmpty();
        TopicRules replicated = new TopicRules(settings(false));
        assertThat(replicated.violations(new Observed(1, 3, 0, replicated.required(), List.of())))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "cleanup.policy, delete, compact, true",
        "cleanup.policy, 'compact,delete', compact, true",
        "cleanup.policy, '', compact, true",
        "message.timestamp.type, CreateTime, LogAppendTime, true",
        "min.compaction.lag.ms, 0, 3600000, false",
        "min.compaction.lag.ms, 3600001, 3600000, false",
        "max.compaction.lag.ms, 9223372036854775807, 7200000, false",
        "max.compaction.lag.ms, 3599999, 7200000, false",
        "segment.ms, 604800000, 600000, false",
        "segment.bytes, 1073741824, 268435456, false",
        "min.cleanable.dirty.ratio, 0.5, 0.1, false",
        "delete.retention.ms, 86399999, 86400000, false",
        "max.message.bytes, 1048588, 16777216, false",
        "compression.type, gzip, producer, false",
        "unclean.leader.election.enable, true, false, false",
        "retention.ms, 604800000, -1, false",
        "retention.bytes, 1, -1, false",
    })
    void refusesEachWrongValueWithTheCommandThatRepairsIt(
            String config, String value, String repaired, boolean stopsWriter) {
        List<Violation> found = rules.violations(with(rules, config, value));
        assertThat(found).singleElement().satisfies(violation -> {
            assertThat(violation.config()).isEqualTo(config);
            assertThat(violation.actual()).isEqualTo(value.isEmpty() ? "empty" : value);
            assertThat(violation.repair()).isEqualTo(ALTER + config + "=" + repaired);
            assertThat(violation.stopsWriter()).isEqualTo(stopsWriter);
        });
    }

    @Test
    void repairedValueIsAccepted() {
        Map<String, String> configs = new HashMap<>();
        for (Violation violation : rules.violations(new Observed(1, 1, 0, Map.of(), List.of()))) {
            String[] pair = violation
                    .repair()
                    .substring(violation.repair().indexOf("--add-config ") + 13)
                    .split("=", 2);
            configs.put(pair[0], pair[1]);
        }
        assertThat(configs).hasSizeGreaterThan(10);
        assertThat(rules.violations(new Observed(1, 1, 0, configs, List.of()))).isEmpty();
    }

    @Test
    void raisesTheUpperBoundOfTheLagBeforeTheLowerOne() {
        Map<String, String> configs = new HashMap<>(rules.required());
        configs.put("min.compaction.lag.ms", "1000");
        configs.put("max.compaction.lag.ms", "2000");
        assertThat(rules.violations(new Observed(1, 1, 0, configs, List.of())))
                .extracting(Violation::config)
                .containsExactly("max.compaction.lag.ms", "min.compaction.lag.ms");
    }

    @Test
    void refusesSeveralPartitionsAndALostBeginning() {
        assertThat(rules.violations(new Observed(3, 1, 12, rules.required(), List.of())))
                .extracting(Violation::config, Violation::stopsWriter)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("partitions", true),
                        org.assertj.core.groups.Tuple.tuple("first offset", true));
    }

    @Test
    void refusesOneReplicaUnlessASingleBrokerIsAllowed() {
        TopicRules replicated = new TopicRules(settings(false));
        Map<String, String> configs = new HashMap<>(replicated.required());
        configs.put("min.insync.replicas", "1");
        assertThat(replicated.violations(new Observed(1, 1, 0, configs, List.of())))
                .extracting(Violation::config)
                .containsExactly("replication factor", "min.insync.replicas");
        assertThat(rules.violations(new Observed(1, 1, 0, configs, List.of()))).isEmpty();
    }

    @Test
    void namesBrokersThatCreateTopicsByThemselves() {
        assertThat(rules.violations(new Observed(1, 1, 0, rules.required(), List.of(2, 3))))
                .singleElement()
                .satisfies(violation -> {
                    assertThat(violation.actual()).isEqualTo("true on broker [2, 3]");
                    assertThat(violation.repair()).contains("auto.create.topics.enable=false");
                    assertThat(violation.stopsWriter()).isFalse();
                });
    }
}
