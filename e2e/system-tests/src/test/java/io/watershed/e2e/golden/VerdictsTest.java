package io.watershed.e2e.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.e2e.golden.GoldenCase.Phase;
import io.watershed.e2e.golden.GoldenCase.Rule;
import io.watershed.e2e.golden.GoldenCase.Subset;
import io.watershed.e2e.golden.Verdicts.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class VerdictsTest {
    private static final List<String> SAME = List.of();
    private static final List<String> OTHER = List.of("status: 200 / 404");

    @Test
    void aCaseIsTheSameOnlyIfItIsOnEveryServer() {
        Verdicts verdicts = new Verdicts(
                List.of(one("a"), one("b"), one("c")),
                Map.of("a", Map.of("x", SAME, "y", SAME), "b", Map.of("x", SAME, "y", OTHER)),
                Set.of(),
                Set.of());

        assertThat(verdicts.of(Verdict.SAME)).containsExactly("a");
        assertThat(verdicts.of(Verdict.DIFFERS)).containsExactly("b");
        assertThat(verdicts.of(Verdict.NOT_ASKED)).containsExactly("c");
        assertThat(verdicts.report())
                .contains("b  GET /x", "on y", "status: 200 / 404")
                .doesNotContain("a  GET");
    }

    @Test
    void listedCasesMayDifferAndMayNotBeTheSame() {
        Verdicts verdicts = new Verdicts(
                List.of(one("a"), one("b"), one("c"), one("d")),
                Map.of("a", on(OTHER), "b", on(OTHER), "c", on(SAME), "d", on(SAME)),
                Set.of("a", "c"),
                Set.of("b", "d"));

        assertThat(verdicts.of(Verdict.ALLOWED)).containsExactly("a");
        assertThat(verdicts.of(Verdict.NOT_YET)).containsExactly("b");
        assertThat(verdicts.of(Verdict.STALE)).containsExactly("c", "d");
        assertThat(verdicts.misnamed()).isEmpty();
    }

    @Test
    void casesOfAuthorisationAndOptionalOnesAreCountedApart() {
        Verdicts verdicts = new Verdicts(
                List.of(one("a", Rule.NEEDS_AUTHORISATION), one("b", Rule.OPTIONAL)),
                Map.of("a", on(OTHER), "b", on(OTHER)),
                Set.of(),
                Set.of());

        assertThat(verdicts.of(Verdict.AUTH)).containsExactly("a");
        assertThat(verdicts.of(Verdict.OPTIONAL)).containsExactly("b");
    }

    @Test
    void idsOfNoCaseAndIdsOnBothListsAreMisnamed() {
        Verdicts verdicts = new Verdicts(List.of(one("a")), Map.of("a", on(OTHER)), Set.of("a", "x"), Set.of("a", "y"));

        assertThat(verdicts.misnamed()).containsExactlyInAnyOrder("a", "x", "y");
    }

    @Test
    void theListIsWrittenBySectionUnderItsHead(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("list.txt"), "# head\n# of it\n\n# list\ngone\n");
        CaseLists.write(file, Set.of("b", "a"), List.of(one("b"), one("a"), one("c")));

        assertThat(file).hasContent("# head\n# of it\n\n# list\na\nb\n");
        assertThat(CaseLists.read(file)).containsOnlyKeys("a", "b");
        Files.writeString(file, "a for a reason\na\n");
        assertThatThrownBy(() -> CaseLists.read(file)).hasMessageContaining("names a twice");
    }

    private static Map<String, List<String>> on(List<String> differences) {
        return Map.of("x", differences);
    }

    private static GoldenCase one(String id, Rule... rules) {
        return new GoldenCase(
                id,
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
    }
}
