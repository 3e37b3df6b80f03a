package io.watershed.e2e.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.e2e.golden.GoldenCase.Rule;
import io.watershed.e2e.golden.GoldenCase.Subset;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Every recorded answer against itself, and against itself with one fault: no case is compared so loosely that nothing would show. */
final class RecordedAnswersTest {
    private static final List<GoldenCase> CASES = GoldenSet.cases();
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    /** Cases of which the whole body counts. */
    private static final Predicate<GoldenCase> WHOLE = one ->
            one.subset() == Subset.WHOLE && one.check().isEmpty() && one.id().indexOf("yaml") < 0;

    @Test
    void isTheSameAsItselfButForTheAgesInTables() {
        assertThat(undetected(RecordedAnswersTest::any, UnaryOperator.identity()))
                .hasSizeGreaterThan(200)
                .containsAll(ids(one -> !one.answers().get(0).body().contains("\"kind\":\"Table\"")));
    }

    @Test
    void anotherStatusShows() {
        assertThat(undetected(RecordedAnswersTest::any, got -> new Answer(got.status() + 1, got.headers(), got.body())))
                .isEmpty();
    }

    @Test
    void aMissingContentTypeShows() {
        assertThat(undetected(one -> !one.has(Rule.WEBSOCKET), got -> without(got, "content-type")))
                .isEmpty();
    }

    @Test
    void aMissingCacheControlShows() {
        assertThat(undetected(
                        one -> one.answers().get(0).headers().containsKey("cache-control"),
                        got -> without(got, "cache-control")))
                .isEmpty();
    }

    @Test
    void aCutBodyShows() {
        assertThat(undetected(
                        RecordedAnswersTest::any,
                        got -> body(got, got.body().substring(0, got.body().length() / 2))))
                .containsExactlyElementsOf(
                        ids(one -> one.answers().get(0).body().isEmpty()));
    }

    @Test
    void anEmptyObjectForAnAnswerShows() {
        assertThat(undetected(one -> one.section().equals("live") || WHOLE.test(one), got -> body(got, "{}\n")))
                .isEmpty();
    }

    @Test
    void aBlankLineInAWatchShows() {
        assertThat(undetected(RecordedAnswersTest::isStream, got -> body(got, got.body() + "\n")))
                .isEmpty();
    }

    @Test
    void aRepeatedEventShows() {
        assertThat(undetected(
                        one -> isStream(one) && one.answers().get(0).body().contains("\n"),
                        got -> body(got, got.body().substring(0, got.body().indexOf('\n') + 1) + got.body())))
                .isEmpty();
    }

    @Test
    void anotherDigitOfAResourceVersionShows() {
        assertThat(undetected(
                        WHOLE.and(one -> !one.has(Rule.LOOSE_REVISION)
                                && one.answers().get(0).body().contains("\"resourceVersion\":\"4")
                                && !one.id().equals("watch-live-cm-wl")),
                        got -> body(
                                got, got.body().replaceFirst("\"resourceVersion\":\"4", "\"resourceVersion\":\"5"))))
                .isEmpty();
    }

    @Test
    void aMissingUidShows() {
        assertThat(undetected(
                        WHOLE.and(one -> one.answers().get(0).body().contains("\"uid\":\"")),
                        got -> body(got, got.body().replaceFirst("\"uid\":", "\"other\":"))))
                .isEmpty();
    }

    private static boolean any(GoldenCase one) {
        return !one.id().isEmpty();
    }

    private static boolean isStream(GoldenCase one) {
        int status = one.answers().get(0).status();
        return one.has(Rule.STREAM) && (status == 200 || status == 101);
    }

    /** The cases whose answer passes although it was changed. */
    private static List<String> undetected(Predicate<GoldenCase> which, UnaryOperator<Answer> change) {
        List<String> undetected = new ArrayList<>();
        for (GoldenCase one : CASES) {
            Answer recorded = one.answers().get(0);
            if (which.test(one)
                    && AnswerComparison.differences(one, recorded, change.apply(recorded), NOW, NOW)
                            .isEmpty()) {
                undetected.add(one.id());
            }
        }
        return undetected;
    }

    private static List<String> ids(Predicate<GoldenCase> which) {
        return CASES.stream().filter(which).map(GoldenCase::id).toList();
    }

    private static Answer body(Answer answer, String body) {
        return new Answer(answer.status(), answer.headers(), body);
    }

    private static Answer without(Answer answer, String header) {
        Map<String, String> headers = new HashMap<>(answer.headers());
        headers.remove(header);
        return new Answer(answer.status(), headers, answer.body());
    }
}
