package io.watershed.gateway.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.watershed.log.LogFailure;
import io.watershed.log.kafka.TopicContract.Violation;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ContractWatchTest {
    private static final Violation POLICY = new Violation("cleanup.policy", "delete", "compact", true, "command 1");
    private static final Violation WINDOW = new Violation("min.compaction.lag.ms", "0", "3600000", false, "command 2");

    private final ScriptedLog topic = new ScriptedLog();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @Test
    void saysWhatIsWrongWithItsRepairUntilItIsRepaired() {
        try (ContractWatch watch = new ContractWatch(topic, meters)) {
            topic.violate(List.of(POLICY, WINDOW));
            assertThat(watch.look()).isTrue();
            assertThat(watch.conditions())
                    .containsExactly(
                            "the topic's cleanup.policy is delete, must be compact: command 1",
                            "the topic's min.compaction.lag.ms is 0, must be 3600000: command 2");
            assertThat(gauge("cleanup.policy")).isEqualTo(1);

            topic.violate(List.of(WINDOW));
            watch.look();
            assertThat(watch.conditions()).hasSize(1);
            assertThat(gauge("cleanup.policy")).isZero();
            assertThat(gauge("min.compaction.lag.ms")).isEqualTo(1);

            topic.violate(List.of());
            watch.look();
            assertThat(watch.conditions()).isEmpty();
        }
    }

    @Test
    void keepsWhatWasFoundWhileTheBrokerIsAway() {
        try (ContractWatch watch = new ContractWatch(topic, meters)) {
            topic.violate(List.of(POLICY));
            watch.look();
            topic.fail(new LogFailure.Unavailable("Kafka 127.0.0.1:1 does not answer"));
            assertThat(watch.look()).isFalse();
            assertThat(watch.conditions()).hasSize(1);
        }
    }

    private double gauge(String config) {
        return meters.find("watershed_topic_contract_violations").tag("config", config).gauges().stream()
                .mapToDouble(gauge -> gauge.value())
                .sum();
    }
}
