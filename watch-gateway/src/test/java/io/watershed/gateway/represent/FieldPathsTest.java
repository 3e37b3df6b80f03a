package io.watershed.gateway.represent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.watershed.gateway.api.ApiFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldPathsTest {
    private static final String HEAD =
            "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\",\"name\":\"a\",\"namespace\":\"n\"";
    private static final String POD = HEAD
            + ",\"uid\":\"u\",\"labels\":{\"example.com/a\":\"1\",\"b\":\"2\"}},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"},"
            + "{\"name\":\"d\"},3],\"n\":1.50,\"x\":null},\"status\":{\"phase\":\"Running\",\"podIP\":\"1\"}}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "status.phase|,\"uid\":\"u\"},\"status\":{\"phase\":\"Running\"}}",
                "spec.n,spec.x|,\"uid\":\"u\"},\"spec\":{\"n\":1.50,\"x\":null}}",
                "metadata.labels.example\\.com/a|,\"uid\":\"u\",\"labels\":{\"example.com/a\":\"1\"}}}",
                "metadata.labels,metadata.labels.b|,\"uid\":\"u\",\"labels\":{\"example.com/a\":\"1\",\"b\":\"2\"}}}",
                "spec.containers.image|,\"uid\":\"u\"},\"spec\":{\"containers\":[{\"image\":\"i\"},{}]}}",
                "status.phase.deeper,none|,\"uid\":\"u\"},\"status\":{}}",
                "spec.containers|,\"uid\":\"u\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"},{\"name\":\"d\"},3]}}",
            })
    void keepsWhatIsNamedAndWhatTellsObjectsApart(String fields, String rest) throws ApiFailure {
        assertThat(new String(FieldPaths.parse(fields).cut(POD.getBytes(UTF_8)), UTF_8))
                .isEqualTo(HEAD + rest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "a,", "a..b", ".a", "a."})
    void refusesWhatIsNoListOfPaths(String fields) {
        assertThatExceptionOfType(ApiFailure.class)
                .isThrownBy(() -> FieldPaths.parse(fields))
                .satisfies(failure -> assertThat(failure.status().code()).isEqualTo(400));
    }

    @Test
    void refusesMoreThanAnyObjectHas() {
        assertThatExceptionOfType(ApiFailure.class).isThrownBy(() -> FieldPaths.parse("a.".repeat(40) + "a"));
        assertThatExceptionOfType(ApiFailure.class).isThrownBy(() -> FieldPaths.parse("a".repeat(5000)));
    }

    @Test
    void equalOnesAreEqualInWhateverOrderTheyWereWritten() throws ApiFailure {
        assertThat(FieldPaths.parse("status.phase,spec.n")).isEqualTo(FieldPaths.parse("spec.n,status.phase"));
    }
}
