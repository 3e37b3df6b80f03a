package io.watershed.e2e.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.e2e.golden.GoldenCase.Phase;
import io.watershed.e2e.golden.GoldenCase.Rule;
import io.watershed.e2e.golden.GoldenCase.Subset;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AnswerComparisonTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String LIST =
            "{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"7\",\"continue\":\"abc\"},\"items\":[]}\n";
    private static final String STATUS = "{\"kind\":\"Status\",\"message\":\"strconv: x\",\"reason\":\"BadRequest\","
            + "\"details\":{\"causes\":[{\"reason\":\"r\",\"message\":\"m\"}]},\"code\":400}\n";

    @Test
    void theSameAnswerHasNoDifference() {
        assertThat(differences(json(LIST), json(LIST))).isEmpty();
    }

    @Test
    void anotherStatusIsADifferenceUnlessTheCaseNamesIt() {
        assertThat(differences(json(LIST), new Answer(500, Map.of(), "oops"))).hasSize(1);
        GoldenCase refusable = new GoldenCase(
                "id",
                "old",
                Phase.OLD,
                "GET",
                "/x",
                Map.of(),
                "",
                "",
                Subset.WHOLE,
                Set.of(),
                List.of(),
                500,
                List.of());
        assertThat(AnswerComparison.differences(refusable, json(LIST), new Answer(500, Map.of(), "oops"), NOW, NOW))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"content-type", "cache-control", "www-authenticate", "retry-after", "warning", "allow"})
    void headersThatClientsReadAreCompared(String header) {
        Answer other = json(LIST);
        Map<String, String> headers = new HashMap<>(other.headers());
        headers.put(header, "something else");
        assertThat(differences(json(LIST), new Answer(200, headers, LIST))).hasSize(1);
        assertThat(differences(new Answer(200, headers, LIST), json(LIST))).hasSize(1);
    }

    @Test
    void theContinueTokenIsOpaqueButHasToBeThere() {
        assertThat(differences(json(LIST), json(LIST.replace("abc", "xyz")))).isEmpty();
        assertThat(differences(json(LIST), json(LIST.replace(",\"continue\":\"abc\"", ""))))
                .hasSize(1);
    }

    @Test
    void aWebSocketsMessagesAreComparedAsAWatchesLinesAre() {
        String event = "{\"type\":\"ADDED\",\"object\":{\"a\":1,\"b\":2}}\n";
        Answer want = new Answer(101, Map.of(), event);
        assertThat(differences(
                        want,
                        new Answer(101, Map.of(), event.replace("\"a\":1,\"b\":2", "\"b\":2,\"a\":1")),
                        Rule.STREAM))
                .isEmpty();
        assertThat(differences(want, new Answer(101, Map.of(), event.replace("1", "3")), Rule.STREAM))
                .hasSize(1);
        assertThat(differences(want, new Answer(101, Map.of(), event + "\n"), Rule.STREAM))
                .hasSize(1);
    }

    @Test
    void aListsRevisionIsFreeOnlyWhereTheCaseSaysSo() {
        Answer newer = json(LIST.replace("\"7\"", "\"8\""));
        assertThat(differences(json(LIST), newer)).hasSize(1);
        assertThat(differences(json(LIST), newer, Rule.LOOSE_REVISION)).isEmpty();
        assertThat(differences(json(LIST), json(LIST.replace("\"7\"", "\"\"")), Rule.LOOSE_REVISION))
                .hasSize(1);
    }

    @Test
    void theWordingOfAnErrorIsFreeOnlyWhereTheCaseSaysSo() {
        Answer reworded = json(STATUS.replace("strconv: x", "no number").replace("\"m\"", "\"n\""));
        assertThat(differences(json(STATUS), reworded)).hasSize(2);
        assertThat(differences(json(STATUS), reworded, Rule.LOOSE_TEXT)).isEmpty();
        assertThat(differences(json(STATUS), json(STATUS.replace("BadRequest", "Bad")), Rule.LOOSE_TEXT))
                .hasSize(1);
    }

    @Test
    void aRawAnswerIsComparedByteByByte() {
        assertThat(differences(json(LIST), json(LIST.strip()))).isEmpty();
        assertThat(differences(json(LIST), json(LIST.strip()), Rule.RAW)).hasSize(1);
        Map<String, String> text = Map.of("content-type", "text/plain");
        assertThat(differences(new Answer(200, text, "ok"), new Answer(200, text, "ok\n")))
                .hasSize(1);
    }

    @Test
    void onlyTheNamedMembersCountWhereACaseNamesThem() {
        GoldenCase checked = new GoldenCase(
                "id",
                "old",
                Phase.OLD,
                "GET",
                "/x",
                Map.of(),
                "",
                "",
                Subset.WHOLE,
                Set.of(),
                List.of("spec.a"),
                0,
                List.of());
        Answer want = json("{\"spec\":{\"a\":1,\"b\":2}}");
        assertThat(AnswerComparison.differences(checked, want, json("{\"spec\":{\"a\":1}}"), NOW, NOW))
                .isEmpty();
        assertThat(AnswerComparison.differences(checked, want, json("{\"spec\":{\"b\":2}}"), NOW, NOW))
                .containsExactly("spec.a: 1 / missing");
        assertThat(AnswerComparison.differences(checked, want, json("{\"spec\":{\"a\":1.0}}"), NOW, NOW))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a: yes  | a: \"yes\"",
                "a: 1    | a: \"1\"",
                "a: 1    | a: 1.0",
                "a: 1.10 | a: 1.1",
                "a: null | a: \"null\"",
                "a: null | b: null",
                "a: 2020-01-01T00:00:00Z | a: \"2020-01-01T00:00:00Z\"",
                "yes: 1  | \"yes\": 1",
                "[a, b]  | [b, a]",
                "a: 1    | a: [",
                "a: 1    | ''",
            })
    void anotherMeaningOfYamlShows(String want, String got) {
        assertThat(differences(yaml(want), yaml(got))).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"a: b   | 'a: \"b\"'", "[a, b] | '- a\n- b'", "'{a: 1, b: 2}' | '{b: 2, a: 1}'", "a: null | 'a: ~'"
            })
    void anotherFormOfYamlIsTheSame(String want, String got) {
        assertThat(differences(yaml(want), yaml(got))).isEmpty();
    }

    @Test
    void openApiOwesTheCustomResourcesSchemasAndPath() throws UnreadableAnswerException {
        String want = "{\"paths\":{\"/apis/example.com/v1/namespaces/{namespace}/widgets\":{\"get\":{"
                + "\"x-kubernetes-group-version-kind\":{\"group\":\"example.com\",\"version\":\"v1\",\"kind\":\"Widget\"}}}},"
                + "\"components\":{\"schemas\":{\"com.example.v1.Widget\":{\"minimum\":1},\"io.k8s.X\":{}}}}";
        assertThat(openApi(want, want.replace("\"io.k8s.X\":{}", "\"io.k8s.Y\":{}")))
                .isEmpty();
        assertThat(openApi(want, want.replace("\"minimum\":1", "\"minimum\":1.0")))
                .hasSize(1);
        assertThat(openApi(want, want.replace("\"version\":\"v1\"", "\"version\":\"v2\"")))
                .hasSize(1);
        assertThat(OpenApiComparison.ofIndexes(ExactJson.parseObject("{\"paths\":{\"api/v1\":{}}}")))
                .containsExactly("paths: no apis/example.com/v1");
    }

    @Test
    void furtherPagesAreAskedByTheTokenAlone() {
        assertThat(CaseRun.nextPage("/api/v1/pods?resourceVersion=7&resourceVersionMatch=Exact&limit=2&a=%2F", "x=+"))
                .isEqualTo("/api/v1/pods?limit=2&a=%2F&continue=x%3D%2B");
    }

    private static List<String> openApi(String want, String got) throws UnreadableAnswerException {
        return OpenApiComparison.ofDocuments(ExactJson.parseObject(want), ExactJson.parseObject(got));
    }

    private static Answer yaml(String body) {
        return new Answer(200, Map.of("content-type", "application/yaml"), body);
    }

    private static Answer json(String body) {
        return new Answer(200, Map.of("content-type", "application/json"), body);
    }

    private static List<String> differences(Answer want, Answer got, Rule... rules) {
        GoldenCase one = new GoldenCase(
                "id",
                "list",
                Phase.STATE,
                "GET",
                "/x",
                Map.of(),
                "",
                "",
                Subset.WHOLE,
                Set.of(rules),
                List.of(),
                0,
                List.of());
        return AnswerComparison.differences(one, want, got, NOW, NOW);
    }
}
