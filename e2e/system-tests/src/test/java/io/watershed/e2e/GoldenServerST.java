package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.watershed.e2e.golden.CaseLists;
import io.watershed.e2e.golden.GoldenCase;
import io.watershed.e2e.golden.GoldenCase.Phase;
import io.watershed.e2e.golden.GoldenHistory;
import io.watershed.e2e.golden.GoldenRun;
import io.watershed.e2e.golden.GoldenSet;
import io.watershed.e2e.golden.Verdicts;
import io.watershed.e2e.golden.Verdicts.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Asks a server that runs elsewhere, as a real kube-apiserver started on the loaded history: proof that the comparison is right, since that
 * one must be the same but for the replaying watches that a restart makes it forget, and for protobuf.
 *
 * <p>Properties {@code watershed.golden.}: {@code server}: its URL; {@code token}: the administrator's, if it isn't the recorded one;
 * {@code phase}: {@code state}, {@code live}, {@code old} or {@code compacted}; {@code etcd}: its etcd's URL, where this test plays what the
 * phase needs. What differs is written to {@code target/golden/server-PHASE.txt} and {@code .json}.
 */
@EnabledIfSystemProperty(named = "watershed.golden.server", matches = ".+")
final class GoldenServerST {
    private static final Path MODULE =
            Path.of(Objects.requireNonNull(System.getProperty("watershed.root")), "e2e", "system-tests");

    @Test
    void aKubeApiserverAnswersAsTheRecordedOneDid() throws IOException {
        String server = Objects.requireNonNull(System.getProperty("watershed.golden.server"));
        String name = System.getProperty("watershed.golden.phase", "state");
        Phase phase = Phase.valueOf(name.toUpperCase(Locale.ROOT));
        List<GoldenCase> cases =
                GoldenSet.cases().stream().filter(one -> one.phase() == phase).toList();
        Set<String> known = CaseLists.read(MODULE.resolve("src/test/resources/golden/kube-apiserver-differs.txt"))
                .keySet();
        try (GoldenRun run = new GoldenRun()) {
            ask(run, phase, List.of(server));
            Verdicts verdicts = new Verdicts(cases, run.differences(), Set.of(), Set.of());
            write(name, verdicts, run.differences());
            List<String> expected = new ArrayList<>(
                    cases.stream().map(GoldenCase::id).filter(known::contains).toList());
            List<String> differing = new ArrayList<>(verdicts.of(Verdict.DIFFERS));
            differing.addAll(verdicts.of(Verdict.AUTH));
            assertThat(differing).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private static void ask(GoldenRun run, Phase phase, List<String> servers) {
        String etcd = System.getProperty("watershed.golden.etcd", "");
        String token = System.getProperty("watershed.golden.token", "");
        Map<String, String> tokens = token.isEmpty() ? Map.of() : Map.of("admin-token", token);
        if (phase == Phase.LIVE) {
            run.askLive(servers, tokens, () -> new GoldenHistory(etcd).loadUntil(GoldenSet.revision(phase)));
            return;
        }
        if (!etcd.isEmpty()) {
            new GoldenHistory(etcd).loadUntil(GoldenSet.revision(phase));
        }
        run.ask(phase, servers, tokens);
    }

    private static void write(String phase, Verdicts verdicts, Map<String, Map<String, List<String>>> differences)
            throws IOException {
        Path directory = Files.createDirectories(MODULE.resolve("target/golden"));
        Files.writeString(directory.resolve("server-" + phase + ".txt"), verdicts.report());
        new ObjectMapper()
                .writeValue(directory.resolve("server-" + phase + ".json").toFile(), differences);
        System.out.println(verdicts.table());
    }
}
