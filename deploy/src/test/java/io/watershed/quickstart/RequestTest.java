package io.watershed.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestTest {
    @Test
    void startsTwoGatewaysInTheWorkingDirectoryByDefault() throws Exception {
        Request request = Request.parse(List.of());

        assertThat(request.command()).isEqualTo(Request.Command.START);
        assertThat(request.data()).isEqualTo(Path.of(".watershed").toAbsolutePath());
        assertThat(request.portBase()).isEqualTo(8080);
        assertThat(request.gateways()).isEqualTo(2);
        assertThat(request.sample()).isTrue();
        assertThat(request.detach()).isFalse();
    }

    @Test
    void understandsBothWaysToWriteAnOption() throws Exception {
        Request request = Request.parse(List.of(
                "start",
                "--port-base=9000",
                "--gateways",
                "3",
                "--etcd=http://a:1,http://b:2",
                "--kafka",
                "c:3",
                "--set",
                "kafka.topic.window=2h",
                "--set=x=y=z",
                "--detach",
                "--no-sample"));

        assertThat(request.portBase()).isEqualTo(9000);
        assertThat(request.gateways()).isEqualTo(3);
        assertThat(request.etcd()).containsExactly("http://a:1", "http://b:2");
        assertThat(request.kafka()).isEqualTo("c:3");
        assertThat(request.settings()).containsExactly("kafka.topic.window=2h", "x=y=z");
        assertThat(request.detach()).isTrue();
        assertThat(request.sample()).isFalse();
    }

    @Test
    void asksForTheStateAsJson() throws Exception {
        Request request = Request.parse(List.of("status", "--json", "--data", "/somewhere"));

        assertThat(request.command()).isEqualTo(Request.Command.STATUS);
        assertThat(request.json()).isTrue();
        assertThat(request.data()).isEqualTo(Path.of("/somewhere"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "restart|There is no command \"restart\".",
                "--nope|There is no option --nope.",
                "--nope=1|There is no option --nope that takes a value.",
                "--detach=1|There is no option --detach that takes a value.",
                "--data|--data needs a value.",
                "--port-base=80|--port-base is 80 and must be 1024 to 65504.",
                "--port-base=x|--port-base is \"x\" and must be a number",
                "--gateways=11|--gateways is 11 and must be 1 to 10.",
                "--etcd=localhost:2379|--etcd is \"localhost:2379\" and must be URL[,URL]",
                "--kafka=localhost|--kafka is \"localhost\" and must be HOST:PORT",
                "--set=x|--set is \"x\" and must be KEY=VALUE"
            })
    void namesTheMistakeAndTheRemedy(String argument, String message) {
        assertThatThrownBy(() -> Request.parse(List.of(argument)))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.exitCode()).isEqualTo(2))
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--data", "--port-base", "--gateways", "--etcd", "--kafka", "--set"})
    void refusesAnEmptyValue(String option) {
        for (List<String> arguments : List.of(List.of(option + "="), List.of(option, ""), List.of(option, "  "))) {
            assertThatThrownBy(() -> Request.parse(arguments))
                    .isInstanceOf(Refusal.class)
                    .hasMessageStartingWith(option + " is empty and needs a value.");
        }
    }

    @Test
    void namesADirectoryThatCannotBe() {
        assertThatThrownBy(() -> Request.parse(List.of("--data", "a\0b")))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("can't be a directory's name")
                .hasMessageContaining("LC_ALL=C.UTF-8");
    }
}
