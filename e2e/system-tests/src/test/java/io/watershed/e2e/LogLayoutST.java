package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.testkit.ChildProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the processes' logs look like: the configuration that each ships with. */
class LogLayoutST {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "ingester/src/main/resources/log4j2.xml",
                "watch-gateway/src/main/resources/log4j2.xml",
                "deploy/kafka/config/broker-log4j2.xml",
                "deploy/kafka/config/tools-log4j2.xml"
            })
    void aFailureIsShownWithItsStackTraceInLinesOfItsOwn(String file) {
        String logged = ChildProcess.run(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-Dlog4j2.configurationFile=" + QuickstartRun.ROOT.resolve(file),
                        LoggedFailure.class.getName()),
                Map.of());

        assertThat(logged.lines().toList())
                .contains("java.lang.IllegalStateException: outer", "Caused by: java.io.IOException: inner")
                .anySatisfy(line -> assertThat(line).contains("ERROR", "said"))
                .anySatisfy(line -> assertThat(line).startsWith("\tat ").contains("LoggedFailure.main"));
        assertThat(logged).endsWith("\n");
    }
}
