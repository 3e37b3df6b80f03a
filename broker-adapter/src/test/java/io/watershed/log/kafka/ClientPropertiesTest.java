package io.watershed.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClientPropertiesTest {
    private static LogSettings settings(Map<String, String> passedOn) {
        return new LogSettings("k:9092", "watershed", Duration.ofHours(1), true, true, passedOn);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "transactional.id",
                "enable.idempotence",
                "acks",
                "isolation.level",
                "auto.offset.reset",
                "group.id"
            })
    void refusesWhatWouldTakeTheLogsSafetyAway(String name) {
        assertThatThrownBy(() -> settings(Map.of(name, "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kafka.properties." + name)
                .hasMessageContaining("Remove it");
    }

    @Test
    void passesOtherPropertiesOnToEveryClient() {
        LogSettings settings = settings(Map.of("security.protocol", "SSL", "request.timeout.ms", "7000"));
        assertThat(ClientProperties.admin(settings)).containsEntry("security.protocol", "SSL");
        assertThat(ClientProperties.consumer(settings)).containsEntry("request.timeout.ms", "7000");
        assertThat(ClientProperties.producer(settings, "id", 1_000_000))
                .containsEntry("security.protocol", "SSL")
                .containsEntry("request.timeout.ms", "7000")
                .containsEntry("max.request.size", 1_000_000)
                .containsEntry("acks", "all");
    }
}
