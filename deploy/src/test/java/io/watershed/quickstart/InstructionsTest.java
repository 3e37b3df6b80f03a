package io.watershed.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InstructionsTest {
    private static String text(List<String> gateways, String kafka) {
        RunState state =
                new RunState(gateways, "http://i:1", List.of("http://e:1"), kafka, "watershed", Map.of(), null);
        return Instructions.text(state, new DataDirectory(Path.of("/data")), true);
    }

    @Test
    void kubectlAsksTheLastGateway() {
        assertThat(text(List.of("http://a:1", "http://b:2"), "127.0.0.1:8110"))
                .contains("curl -N 'http://a:1/api", "kubectl through the other", "--context gateway-2 get configmaps");
        assertThat(text(List.of("http://a:1"), "127.0.0.1:8110"))
                .contains("curl -N 'http://a:1/api", "# watch them with kubectl\n")
                .doesNotContain("--context", "the other");
    }

    @Test
    void theConsoleConsumerIsToldOfAKafkaThatItWouldNotFind() {
        assertThat(text(List.of("http://a:1"), "127.0.0.1:8110")).doesNotContain("--bootstrap-server");
        assertThat(text(List.of("http://a:1"), "127.0.0.1:9110"))
                .contains("console-consumer --topic watershed --bootstrap-server 127.0.0.1:9110 --from-beginning");
    }
}
