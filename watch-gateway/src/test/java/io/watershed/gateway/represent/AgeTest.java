package io.watershed.gateway.represent;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgeTest {
    @ParameterizedTest
    @CsvSource({
        "PT-2S, <invalid>",
        "PT-1.999S, 0s",
        "PT-1S, 0s",
        "PT0S, 0s",
        "PT119.999S, 119s",
        "PT2M, 2m",
        "PT2M1S, 2m1s",
        "PT9M59S, 9m59s",
        "PT10M59S, 10m",
        "PT179M59S, 179m",
        "PT3H, 3h",
        "PT7H59M59S, 7h59m",
        "PT8H59M, 8h",
        "PT47H59M, 47h",
        "PT48H, 2d",
        "PT49H, 2d1h",
        "P7DT23H59M, 7d23h",
        "P8DT23H, 8d",
        "P729DT23H, 729d",
        "P730D, 2y",
        "P731D, 2y1d",
        "P2919D, 7y364d",
        "P2920D, 8y",
        "P36500D, 100y",
    })
    void cutsATimeToWhatMatters(Duration duration, String shown) {
        assertThat(Age.of(duration)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-30T10:00:00Z, 2m",
        "2026-11-30T12:00:00+02:00, 2m",
        "2026-11-30T10:00:00.999999999999Z, 119s",
        "'2026-11-30T10:00:00,5Z', 119s",
        "'', <unknown>",
        "2026-11-30, <invalid>",
        "2026-11-30T10:00Z, <invalid>",
        "2026-11-30t10:00:00z, <invalid>",
        "2026-11-30 10:00:00Z, <invalid>",
        "2026-13-30T10:00:00Z, <invalid>",
        "5, <invalid>",
    })
    void readsTimesAsGoDoes(String time, String shown) {
        assertThat(Age.since(time, Instant.parse("2026-11-30T10:02:00Z"))).isEqualTo(shown);
    }
}
