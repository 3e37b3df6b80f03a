package io.watershed.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;

class ListOptionsTest {
    @Test
    void takesAnyValueButZeroAndFalseForTrue() throws ApiFailure {
        for (String query : List.of(
                "watch", "watch=", "watch=1", "watch=true", "watch=True", "watch=no", "watch=true&watch=false")) {
            assertThat(parse(query).watch()).as(query).isTrue();
        }
        for (String query :
                List.of("", "watch=0", "watch=false", "watch=False", "watch=FALSE", "watch=0&watch=1", "foo=bar")) {
            assertThat(parse(query).watch()).as(query).isFalse();
        }
    }

    @Test
    void readsNumbersAsGoDoes() throws ApiFailure {
        assertThat(parse("limit=-1").limit()).isZero();
        assertThat(parse("limit=%2B7").limit()).isEqualTo(7);
        assertThat(parse("timeoutSeconds=0").timeoutSeconds()).isNull();
        assertThat(parse("timeoutSeconds=-1").timeoutSeconds()).isEqualTo(-1);
        assertThat(parse("timeoutSeconds=9223372037").timeoutSeconds()).isEqualTo(9223372037L);
        for (String value : List.of("", "abc", "3.5", "1e3", "+7")) {
            assertThat(failure("limit=" + value).message())
                    .as(value)
                    .isEqualTo("strconv.ParseInt: parsing \"" + value.replace('+', ' ') + "\": invalid syntax");
        }
        assertThat(failure("timeoutSeconds=9223372036854775808").message()).endsWith("value out of range");
    }

    @Test
    void readsRevisionsUpToTheLargest() throws ApiFailure {
        assertThat(parse("").resourceVersion()).isNull();
        assertThat(parse("resourceVersion=").resourceVersion()).isNull();
        assertThat(parse("resourceVersion=0").resourceVersion()).isZero();
        assertThat(parse("resourceVersion=18446744073709551615").resourceVersion())
                .isEqualTo(Long.MAX_VALUE);
        for (String value : List.of("-1", "1.5", "abc", "%201", "None", "18446744073709551616")) {
            Status status = failure("resourceVersion=" + value);
            assertThat(status.code()).as(value).isEqualTo(400);
            assertThat(status.message()).startsWith("invalid resource version: resourceVersion: Invalid value: ");
        }
    }

    @Test
    void beginsAWatchWithTheInitialStateWhereNoRevisionIsNamed() throws ApiFailure {
        for (String query : List.of(
                "watch",
                "watch&resourceVersion=0",
                "watch&resourceVersion=7&sendInitialEvents=true&resourceVersionMatch=NotOlderThan")) {
            assertThat(parse(query).wantsInitialState()).as(query).isTrue();
        }
        for (String query : List.of(
                "watch&resourceVersion=7",
                "watch&sendInitialEvents=false&resourceVersionMatch=NotOlderThan",
                "watch&resourceVersion=0&sendInitialEvents=0&resourceVersionMatch=NotOlderThan")) {
            assertThat(parse(query).wantsInitialState()).as(query).isFalse();
        }
    }

    @Test
    void refusesOptionsOfAListThatDoNotGoTogether() {
        refused(
                "resourceVersionMatch=Exact",
                "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided");
        refused(
                "resourceVersionMatch=x&resourceVersion=1",
                "resourceVersionMatch: Unsupported value: \"x\": supported values: \"Exact\", \"NotOlderThan\", \"\"");
        refused(
                "resourceVersionMatch=exact&resourceVersion=1",
                "resourceVersionMatch: Unsupported value: \"exact\": supported values: \"Exact\", \"NotOlderThan\", \"\"");
        refused(
                "resourceVersionMatch=Exact&resourceVersion=0",
                "resourceVersionMatch: Forbidden: resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
        refused("sendInitialEvents=false", "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list");
        refused(
                "resourceVersion=1&resourceVersionMatch=Exact&continue=" + token(),
                "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided");
    }

    @Test
    void refusesOptionsOfAWatchThatDoNotGoTogether() {
        refused(
                "watch&sendInitialEvents=true",
                "resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
        refused(
                "watch&resourceVersionMatch=NotOlderThan&resourceVersion=1",
                "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
        refused(
                "watch&sendInitialEvents=true&resourceVersionMatch=Exact",
                "[resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan, "
                        + "resourceVersionMatch: Unsupported value: \"Exact\": supported values: \"NotOlderThan\"]");
    }

    @Test
    void checksTheOptionsOfTheDeprecatedPathAsAListsOnes() throws ApiFailure {
        assertThat(ListOptions.parse(Query.parse("resourceVersion=3&resourceVersionMatch=NotOlderThan"), true)
                        .watch())
                .isTrue();
        ApiFailure failure = catchThrowableOfType(
                ApiFailure.class, () -> ListOptions.parse(Query.parse("watch=1&sendInitialEvents=true"), true));
        assertThat(failure.status().message()).contains("sendInitialEvents is forbidden for list");
    }

    @Test
    void takesNoRevisionBesideAToken() throws ApiFailure {
        assertThat(failure("resourceVersion=5&continue=" + token()).message())
                .isEqualTo("specifying resource version is not allowed when using continue");
        ContinueToken from = parse("resourceVersion=0&continue=" + token()).continueFrom();
        assertThat(from).isEqualTo(new ContinueToken(700, "/default/web-1"));
    }

    @Test
    void writesTokensAsKubernetesDoes() {
        assertThat(token())
                .isEqualTo("eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NzAwLCJzdGFydCI6Ii9kZWZhdWx0L3dlYi0xXHUwMDAwIn0");
    }

    @Test
    void refusesTokensThatAreNoneOfOurs() {
        for (String token : List.of(
                "zzz",
                "%7B%7D",
                "e30",
                new ContinueToken(0, "/a").text(),
                new ContinueToken(5, "a").text(),
                new ContinueToken(5, "/").text())) {
            assertThat(failure("continue=" + token).message())
                    .as(token)
                    .startsWith("invalid continue token: continue key is not valid: ");
        }
    }

    @Test
    void readsAPlusAsABlankAndEscapesOnce() throws ApiFailure {
        assertThat(parse("labelSelector=a+in+(b)").labelSelector()).isEqualTo("a in (b)");
        assertThat(parse("labelSelector=a%252Bb").labelSelector()).isEqualTo("a%2Bb");
        assertThat(failure("labelSelector=%2").code()).isEqualTo(400);
        assertThat(failure("labelSelector=%ff").code()).isEqualTo(400);
    }

    private static String token() {
        return new ContinueToken(700, "/default/web-1").text();
    }

    private static ListOptions parse(String query) throws ApiFailure {
        return ListOptions.parse(Query.parse(query), false);
    }

    private static Status failure(String query) {
        return catchThrowableOfType(ApiFailure.class, () -> parse(query)).status();
    }

    private static void refused(String query, String message) {
        Status status = failure(query);
        assertThat(status.code()).as(query).isEqualTo(422);
        assertThat(status.message()).isEqualTo("ListOptions.meta.k8s.io \"\" is invalid: " + message);
    }
}
