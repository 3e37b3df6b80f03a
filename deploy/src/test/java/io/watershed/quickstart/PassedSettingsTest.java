package io.watershed.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.config.LogConfiguration;
import io.watershed.config.Setting;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PassedSettingsTest {
    private static final Setting<String> ETCD = Setting.text("etcd.user", "", "");
    private static final Setting<Long> LOOPS = Setting.number("gateway.loops", 0, 0, 9, "");
    private static final Setting<String> LISTEN = Setting.text("gateway.listen", "", "");
    private static final List<Setting<?>> INGESTER = List.of(LogConfiguration.TOPIC, ETCD);
    private static final List<Setting<?>> GATEWAY = List.of(LogConfiguration.TOPIC, LOOPS, LISTEN);

    @Test
    void givesEachProcessWhatItKnows() throws Exception {
        PassedSettings passed = passed(
                List.of("kafka.topic.name=t", "etcd.user=u", "gateway.loops=3", "kafka.properties.a.b=c"), Map.of());

        assertThat(passed.environmentFor(INGESTER))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "WATERSHED_KAFKA_TOPIC_NAME", "t",
                        "WATERSHED_ETCD_USER", "u",
                        "WATERSHED_KAFKA_PROPERTIES_A_B", "c"));
        assertThat(passed.environmentFor(GATEWAY))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "WATERSHED_KAFKA_TOPIC_NAME", "t",
                        "WATERSHED_GATEWAY_LOOPS", "3",
                        "WATERSHED_KAFKA_PROPERTIES_A_B", "c"));
        assertThat(passed.get(LogConfiguration.TOPIC)).isEqualTo("t");
    }

    @Test
    void passesTheEnvironmentOnAndPrefersWhatIsSet() throws Exception {
        PassedSettings passed = passed(
                List.of("kafka.topic.name=set"),
                Map.of("WATERSHED_KAFKA_TOPIC_NAME", "variable", "WATERSHED_GATEWAY_LOOPS", "2", "HOME", "/root"));

        assertThat(passed.environmentFor(GATEWAY))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("WATERSHED_KAFKA_TOPIC_NAME", "set", "WATERSHED_GATEWAY_LOOPS", "2"));
        assertThat(passed.isGiven("gateway.loops")).isTrue();
        assertThat(passed.isGiven("etcd.user")).isFalse();
    }

    @Test
    void refusesWhatItsOwnOptionsDecide() {
        assertThatThrownBy(() -> passed(List.of("gateway.listen=0.0.0.0:1"), Map.of()))
                .isInstanceOf(Refusal.class)
                .hasMessage("gateway.listen cannot be passed on: use --port-base.");
    }

    @Test
    void namesTheNearestKeyAndTheWrongValue() {
        assertThatThrownBy(() -> passed(List.of("gateway.loop=3"), Map.of()))
                .hasMessage("--set gateway.loop: there is no key gateway.loop; did you mean gateway.loops?");
        assertThatThrownBy(() -> passed(List.of("gateway.loops=30"), Map.of()))
                .hasMessageStartingWith("--set gateway.loops: ")
                .hasMessageEndingWith("must be 0 to 9");
    }

    private static PassedSettings passed(List<String> sets, Map<String, String> variables) throws Refusal {
        return PassedSettings.of(
                List.of(INGESTER, GATEWAY), Map.of("gateway.listen", "use --port-base."), sets, variables);
    }
}
