package io.watershed.gateway.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatusTest {
    @Test
    void saysThatAResourceIsUnknownAsRecorded() {
        assertThat(new String(Status.unknownResource().body(), UTF_8))
                .isEqualTo("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
                        + "\"message\":\"the server could not find the requested resource\",\"reason\":\"NotFound\","
                        + "\"details\":{},\"code\":404}\n");
    }

    @Test
    void namesAnAbsentObjectByItsPluralWithItsGroup() {
        assertThat(Status.notFound("", "pods", "x"))
                .hasToString(failure(
                        "pods \\\"x\\\" not found",
                        "NotFound",
                        "\"details\":{\"name\":\"x\",\"kind\":\"pods\"},\"code\":404"));
        assertThat(Status.notFound("apps", "deployments", "x"))
                .hasToString(failure(
                        "deployments.apps \\\"x\\\" not found",
                        "NotFound",
                        "\"details\":{\"name\":\"x\",\"group\":\"apps\",\"kind\":\"deployments\"},\"code\":404"));
    }

    @Test
    void marksARevisionFromTheFutureByItsCause() {
        Status status = Status.tooLarge(999, 123);

        assertThat(status)
                .hasToString(failure(
                        "Timeout: Too large resource version: 999, current: 123",
                        "Timeout",
                        "\"details\":{\"causes\":[{\"reason\":\"ResourceVersionTooLarge\",\"message\":\"Too large resource version\"}],"
                                + "\"retryAfterSeconds\":1},\"code\":504"));
        assertThat(status.retryAfterSeconds()).isEqualTo(1);
    }

    @Test
    void saysThatAWatchIsTooOldWithTheOldestRevision() {
        assertThat(Status.tooOld(5, 1207))
                .hasToString(failure("too old resource version: 5 (1207)", "Expired", "\"code\":410"));
    }

    @Test
    void joinsSeveralMistakesInOptions() {
        Status one = Status.invalidListOptions(List.of(new Status.Cause("FieldValueForbidden", "Forbidden: a", "f")));
        Status two = Status.invalidListOptions(List.of(
                new Status.Cause("FieldValueForbidden", "Forbidden: a", "f"),
                new Status.Cause("FieldValueForbidden", "Forbidden: b", "g")));

        assertThat(one.message()).isEqualTo("ListOptions.meta.k8s.io \"\" is invalid: f: Forbidden: a");
        assertThat(two.message())
                .isEqualTo("ListOptions.meta.k8s.io \"\" is invalid: [f: Forbidden: a, g: Forbidden: b]");
        assertThat(two.toString())
                .contains(
                        "\"causes\":[{\"reason\":\"FieldValueForbidden\",\"message\":\"Forbidden: a\","
                                + "\"field\":\"f\"},{\"reason\":\"FieldValueForbidden\",\"message\":\"Forbidden: b\",\"field\":\"g\"}]");
    }

    @Test
    void carriesTheReplacementOfAnExpiredToken() {
        assertThat(Status.continueExpired("abc").toString())
                .startsWith("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{\"continue\":\"abc\"},");
    }

    @Test
    void isAsciiOnOneLineWhateverItQuotes() {
        String json = new String(Status.badRequest("é\n<\"\\😀").json(), UTF_8);

        assertThat(json).contains("\\u00e9\\n\\u003c\\\"\\\\\\ud83d\\ude00");
    }

    @Test
    void indentsForWhoAcceptsNothing() {
        assertThat(new String(Status.notAcceptable("m{,}:\"", true).indented(), UTF_8))
                .isEqualTo("""
                {
                  "kind": "Status",
                  "apiVersion": "v1",
                  "metadata": {},
                  "status": "Failure",
                  "message": "m{,}:\\"",
                  "reason": "NotAcceptable",
                  "details": {},
                  "code": 406
                }""");
    }

    private static String failure(String message, String reason, String rest) {
        return "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\""
                + message + "\",\"reason\":\"" + reason + "\"," + rest + "}";
    }
}
