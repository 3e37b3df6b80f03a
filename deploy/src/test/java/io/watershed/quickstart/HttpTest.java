package io.watershed.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[+]a ok;[-]b failed: why;readyz check failed|b failed: why",
                "[-]b failed: Repair:;  x is 1, must be 2:;    bin/kafka configs;resourceVersion 0;readyz check failed"
                        + "|b failed: Repair:;  x is 1, must be 2:;    bin/kafka configs",
                "[-]a;[-]b|a",
                "something else|something else"
            })
    void tellsTheFirstCheckThatFailsWithAllThatBelongsToIt(String body, String complaint) {
        assertThat(Http.firstComplaint(body.replace(';', '\n'))).isEqualTo(complaint.replace(';', '\n'));
    }
}
