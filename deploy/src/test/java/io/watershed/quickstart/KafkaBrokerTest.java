package io.watershed.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaBrokerTest {
    private static KafkaBroker broker(String directory, int portBase) {
        return new KafkaBroker(
                new Installation(Path.of("/nowhere")), new DataDirectory(Path.of(directory)), new Ports(portBase));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/tmp/Größe", "/tmp/水", "/tmp/a b", "/tmp/a\\b", "/tmp/a:b=c#d!e", "/tmp/\uD83C\uDF0A"})
    void kafkaReadsTheDirectoryThatWasNamed(String directory) throws Exception {
        String text = broker(directory, 8080).properties();

        // As Kafka reads the file: Properties.load from a stream of bytes.
        Properties read = new Properties();
        read.load(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        assertThat(read.getProperty("log.dirs")).isEqualTo(directory + "/kafka");
        assertThat(read.getProperty("controller.quorum.voters")).isEqualTo("1@127.0.0.1:8111");
    }

    @Test
    void sameConfigurationIsTheSameText() {
        assertThat(broker("/tmp/a", 8080).properties())
                .isEqualTo(broker("/tmp/a", 8080).properties())
                .isNotEqualTo(broker("/tmp/a", 9080).properties());
    }

    @Test
    void refusesADirectoryThatKafkaWouldTakeForTwo() {
        assertThatThrownBy(() -> broker("/tmp/a,b", 8080).spec())
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("/tmp/a,b")
                .hasMessageContaining("--data DIR");
    }
}
