package io.watershed.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WarningsTest {
    @TempDir
    Path directory;

    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private final Warnings warnings = new Warnings(new Screen(new PrintStream(shown, true, StandardCharsets.UTF_8)));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-12-01T01:54:55.097Z WARN  TopicContract a {topic=watershed}",
                "2026-12-01T01:54:55.097Z ERROR Ingester b",
                "{\"level\":\"warn\",\"ts\":\"2026-12-01T01:34:43.279Z\",\"msg\":\"c\"}",
                "{\"level\":\"fatal\",\"msg\":\"d\"}",
                "Error: Could not find or load main class x",
                "Exception in thread \"main\" java.lang.OutOfMemoryError"
            })
    void recognisesWarningsOfAllProcesses(String line) {
        assertThat(Warnings.isWarning(line)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-12-01T01:54:55.097Z INFO  Relist that WARN me {reason=first}",
                "{\"level\":\"info\",\"msg\":\"warn\"}",
                "{\"level\":\"warn\",\"msg\":\"simple token is not cryptographically signed\"}",
                "\tat io.watershed.Example"
            })
    void leavesOtherLinesAlone(String line) {
        assertThat(Warnings.isWarning(line)).isFalse();
    }

    @Test
    void showsOnlyWholeNewLines() throws IOException {
        Path log = Files.writeString(directory.resolve("x.log"), "t WARN  yesterday\n");
        warnings.follow("x", log);
        Files.writeString(log, "t WARN  one\nt INFO  two\nt WARN  thr", StandardOpenOption.APPEND);
        warnings.show();
        assertThat(shown()).isEqualTo("  x| t WARN  one\n");

        Files.writeString(log, "ee\n", StandardOpenOption.APPEND);
        warnings.show();
        assertThat(shown()).isEqualTo("  x| t WARN  one\n  x| t WARN  three\n");
    }

    @Test
    void showsTheFirstOfManyAndSaysWhereTheOthersAre() throws IOException {
        Path log = directory.resolve("x.log");
        warnings.follow("x", log);
        Files.writeString(log, "t ERROR same\n".repeat(1_000));
        warnings.show();

        assertThat(shown().lines()).hasSize(11).last().isEqualTo("  x| … 990 more in " + log);
    }

    @Test
    void followsALogThatBecameShorter() throws IOException {
        Path log = Files.writeString(directory.resolve("x.log"), "t INFO  something long\n");
        warnings.follow("x", log);
        Files.writeString(log, "");
        warnings.show();
        Files.writeString(log, "t WARN  a\n");
        warnings.show();

        assertThat(shown()).isEqualTo("  x| t WARN  a\n");
    }

    private String shown() {
        return shown.toString(StandardCharsets.UTF_8);
    }
}
