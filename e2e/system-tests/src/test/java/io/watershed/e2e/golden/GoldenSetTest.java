package io.watershed.e2e.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.e2e.golden.GoldenCase.Phase;
import io.watershed.e2e.golden.GoldenCase.Rule;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class GoldenSetTest {
    private static final List<GoldenCase> CASES = GoldenSet.cases();

    @Test
    void theWholeRecordingIsThere() {
        assertThat(CASES).hasSize(316).extracting(GoldenCase::id).doesNotHaveDuplicates();
        assertThat(count(Phase.STATE)).isEqualTo(272);
        assertThat(count(Phase.LIVE)).isEqualTo(17);
        assertThat(count(Phase.OLD)).isEqualTo(18);
        assertThat(count(Phase.COMPACTED)).isEqualTo(9);
    }

    @Test
    void rulesAreReadFromTheRecording() {
        assertThat(CASES).filteredOn(one -> one.has(Rule.WEBSOCKET)).hasSize(3);
        assertThat(CASES).filteredOn(one -> one.has(Rule.OPTIONAL)).hasSize(8);
        assertThat(CASES).filteredOn(one -> one.has(Rule.NEEDS_AUTHORISATION)).hasSize(28 + 9 + 1);
        assertThat(CASES).filteredOn(one -> one.otherStatus() == 500).hasSize(2);
        assertThat(CASES).filteredOn(one -> !one.body().isEmpty()).hasSize(13);
    }

    @Test
    void theHistoryHasEveryRevisionOnce() {
        List<Long> revisions = GoldenSet.lines("history.jsonl.gz").stream()
                .map(line -> GoldenSet.json(line).get("revision").longValue())
                .toList();

        assertThat(revisions)
                .containsExactlyElementsOf(LongStream.rangeClosed(2, GoldenSet.revision(Phase.OLD))
                        .boxed()
                        .toList());
    }

    private static long count(Phase phase) {
        return CASES.stream().filter(one -> one.phase() == phase).count();
    }
}
