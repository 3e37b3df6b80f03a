package io.watershed.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessSpecTest {
    private static ProcessSpec spec(String argument, String configuration, Map<String, String> environment) {
        return new ProcessSpec(
                "kafka",
                "Kafka",
                "127.0.0.1:8110",
                List.of("java", argument),
                configuration,
                environment,
                List.of(8110),
                () -> "");
    }

    @Test
    void fingerprintDiffersWithWhateverTheProcessIsStartedWith() {
        String fingerprint =
                spec("kafka.properties", "port=1\n", Map.of("a", "b")).fingerprint();

        assertThat(spec("kafka.properties", "port=1\n", Map.of("a", "b")).fingerprint())
                .isEqualTo(fingerprint);
        assertThat(List.of(
                        spec("other.properties", "port=1\n", Map.of("a", "b")).fingerprint(),
                        spec("kafka.properties", "port=2\n", Map.of("a", "b")).fingerprint(),
                        spec("kafka.properties", "port=1\n", Map.of("a", "c")).fingerprint()))
                .doesNotContain(fingerprint)
                .doesNotHaveDuplicates();
    }
}
