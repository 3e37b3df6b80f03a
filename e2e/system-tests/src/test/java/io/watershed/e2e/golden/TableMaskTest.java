package io.watershed.e2e.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TableMaskTest {
    private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant NOW = CREATED.plusSeconds(90);
    private static final String COLUMNS = "\"columnDefinitions\":[{\"name\":\"Name\",\"type\":\"string\"},"
            + "{\"name\":\"Age\",\"type\":\"string\"},{\"name\":\"Restarts\",\"type\":\"string\"}],";

    @ParameterizedTest
    @CsvSource({
        "-2, <invalid>",
        "-1, 0s",
        "0, 0s",
        "119, 119s",
        "120, 2m",
        "121, 2m1s",
        "599, 9m59s",
        "600, 10m",
        "10799, 179m",
        "10800, 3h",
        "28799, 7h59m",
        "28800, 8h",
        "172799, 47h",
        "172800, 2d",
        "691199, 7d23h",
        "691200, 8d",
        "63071999, 729d",
        "63072000, 2y",
        "252287999, 7y364d",
        "252288000, 8y",
        "99999999999, 3170y"
    })
    void agesAreShortenedAsKubernetesDoes(long seconds, String text) {
        assertThat(AgeText.of(seconds)).isEqualTo(text);
        assertThat(AgeText.isOne(text)).isTrue();
    }

    @Test
    void anAgeOfAnyMomentOfTheAnswerIsRight() {
        Instant asked = NOW.minusSeconds(9);
        assertThat(AgeText.fits("90s", CREATED, NOW, NOW)).isTrue();
        assertThat(AgeText.fits("86s", CREATED, NOW, NOW)).isTrue();
        assertThat(AgeText.fits("91s", CREATED, NOW, NOW)).isTrue();
        assertThat(AgeText.fits("81s", CREATED, asked, NOW)).isTrue();
        assertThat(AgeText.fits("80s", CREATED, asked, NOW)).isFalse();
        assertThat(AgeText.fits("92s", CREATED, NOW, NOW)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "90s, <relative time>",
        "50s, <not the right time: 50s>",
        "1m30s, <not the right time: 1m30s>",
        "2026-01-01T00:00:00Z, <not the right time: 2026-01-01T00:00:00Z>",
        "<unknown>, <unknown>",
    })
    void anAgeIsMaskedOnlyIfItIsRight(String age, String masked) throws UnreadableAnswerException {
        assertThat(cells("\"a\",\"" + age + "\"", COLUMNS)).isEqualTo("[\"a\",\"" + masked + "\"]");
    }

    @Test
    void timesInsideATextAreMasked() throws UnreadableAnswerException {
        assertThat(cells("\"a\",\"90s\",\"2 (3h12m ago)\"", COLUMNS))
                .isEqualTo("[\"a\",\"<relative time>\",\"2 (<relative> ago)\"]");
    }

    @Test
    void aCellWithoutAColumnShows() throws UnreadableAnswerException {
        assertThat(cells("\"a\",\"90s\",\"0\",\"more\"", COLUMNS)).contains("<cell without a column>");
        assertThat(cells("\"a\"", "")).isEqualTo("[\"<cell without a column>\"]");
    }

    @Test
    void laterTablesOfAWatchUseTheColumnsOfTheFirst() throws UnreadableAnswerException {
        TableMask mask = TableMask.ofAnswer(NOW, NOW);
        mask.apply(table("\"a\",\"90s\"", COLUMNS));
        ObjectNode later = table("\"a\",\"50s\"", "");
        mask.apply(later);

        assertThat(later.at("/rows/0/cells/1").asText()).isEqualTo("<not the right time: 50s>");
    }

    @Test
    void descriptionsOfColumnsAreLeftOut() throws UnreadableAnswerException {
        ObjectNode table = ExactJson.parseObject(
                "{\"kind\":\"Table\",\"columnDefinitions\":[{\"name\":\"Name\",\"description\":\"x\",\"priority\":0}]}");
        TableMask.ofRecorded().apply(table);

        assertThat(table.at("/columnDefinitions/0").has("description")).isFalse();
        assertThat(table.at("/columnDefinitions/0").has("priority")).isTrue();
    }

    private static String cells(String cells, String columns) throws UnreadableAnswerException {
        ObjectNode table = table(cells, columns);
        TableMask.ofAnswer(NOW, NOW).apply(table);
        return table.at("/rows/0/cells").toString();
    }

    private static ObjectNode table(String cells, String columns) throws UnreadableAnswerException {
        return ExactJson.parseObject("{\"kind\":\"Table\"," + columns + "\"rows\":[{\"cells\":[" + cells
                + "],\"object\":{\"metadata\":{\"creationTimestamp\":\"" + CREATED + "\"}}}]}");
    }
}
