package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.e2e.golden.CaseLists;
import io.watershed.e2e.golden.GoldenCase.Phase;
import io.watershed.e2e.golden.GoldenHistory;
import io.watershed.e2e.golden.GoldenRun;
import io.watershed.e2e.golden.GoldenSet;
import io.watershed.e2e.golden.Verdicts;
import io.watershed.e2e.golden.Verdicts.Verdict;
import io.watershed.testkit.EtcdProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The recorded answers of a real kube-apiserver, asked of two gateways: each is the same on both, but for the argued exceptions of
 * {@code e2e/golden-allow.txt} and the cases that {@code golden/not-yet.txt} lists, which have to differ. What differs, and where, is written
 * to {@code target/golden/report.txt}. With {@code -Dwatershed.golden.rewrite=true} the list is made anew from the run.
 */
final class GoldenST {
    private static final int MOST_EXCEPTIONS = 12;
    private static final Path ROOT = Path.of(Objects.requireNonNull(System.getProperty("watershed.root")));
    private static final Path ALLOWED = ROOT.resolve("e2e/golden-allow.txt");
    private static final Path NOT_YET = ROOT.resolve("e2e/system-tests/src/test/resources/golden/not-yet.txt");
    private static final Path REPORT = ROOT.resolve("e2e/system-tests/target/golden/report.txt");
    private static final List<String> WITH_SECRETS = List.of("--ingester-secrets=full");

    @SuppressWarnings("NullAway.Init") // set before any test
    private static Verdicts verdicts;

    @BeforeAll
    static void askEverything() throws IOException {
        try (GoldenRun run = new GoldenRun()) {
            askWhileHistoryIsMade(run);
            askAfterCompaction(run);
            Map<String, Map<String, List<String>>> differences = run.differences();
            Set<String> allowed = CaseLists.read(ALLOWED).keySet();
            if (Boolean.getBoolean("watershed.golden.rewrite")) {
                Verdicts unlisted = new Verdicts(GoldenSet.cases(), differences, allowed, Set.of());
                CaseLists.write(NOT_YET, unlisted.of(Verdict.DIFFERS), GoldenSet.cases());
            }
            verdicts = new Verdicts(
                    GoldenSet.cases(),
                    differences,
                    allowed,
                    CaseLists.read(NOT_YET).keySet());
        }
        Files.createDirectories(REPORT.getParent());
        Files.writeString(REPORT, verdicts.report());
        System.out.println(verdicts.table());
    }

    /** The servers run from the first revision on, as a kube-apiserver does that writes them. */
    private static void askWhileHistoryIsMade(GoldenRun run) {
        try (Cluster cluster = Cluster.startOn(EtcdProcess.startNewest(), 2, WITH_SECRETS)) {
            GoldenHistory history = new GoldenHistory(cluster.etcdProcess().endpoint());
            load(history, cluster, Phase.STATE);
            run.ask(Phase.STATE, urls(cluster), Map.of());
            run.askLive(urls(cluster), Map.of(), () -> history.loadUntil(GoldenSet.revision(Phase.LIVE)));
            load(history, cluster, Phase.OLD);
            run.ask(Phase.OLD, urls(cluster), Map.of());
        }
    }

    private static void askAfterCompaction(GoldenRun run) {
        EtcdProcess etcd = EtcdProcess.startNewest();
        long revision = GoldenSet.revision(Phase.COMPACTED);
        new GoldenHistory(etcd.endpoint()).loadUntil(revision);
        new EtcdWriter(etcd.endpoint()).compact(revision);
        try (Cluster cluster = Cluster.startOn(etcd, 2, WITH_SECRETS)) {
            awaitRevision(cluster, revision);
            run.ask(Phase.COMPACTED, urls(cluster), Map.of());
        }
    }

    private static void load(GoldenHistory history, Cluster cluster, Phase phase) {
        long revision = GoldenSet.revision(phase);
        history.loadUntil(revision);
        awaitRevision(cluster, revision);
    }

    private static void awaitRevision(Cluster cluster, long revision) {
        cluster.gateways().forEach(gateway -> Cluster.listAt(gateway, "/api/v1/namespaces/none/configmaps", revision));
    }

    private static List<String> urls(Cluster cluster) {
        return cluster.gateways().stream().map(Cluster.Node::url).toList();
    }

    @Test
    void everyAnswerIsAsRecordedButWhereAListSaysOtherwise() {
        assertThat(verdicts.of(Verdict.DIFFERS))
                .as("cases that differ from kube-apiserver and are on no list; where: %s", REPORT)
                .isEmpty();
    }

    @Test
    void everyCaseWasAsked() {
        assertThat(verdicts.of(Verdict.NOT_ASKED)).isEmpty();
    }

    @Test
    void listedCasesStillDiffer() {
        assertThat(verdicts.of(Verdict.STALE))
                .as("cases that are as recorded by now: remove their lines from %s or %s", NOT_YET, ALLOWED)
                .isEmpty();
    }

    @Test
    void theListsNameCasesThatExistAndEachOnOneListOnly() {
        assertThat(verdicts.misnamed()).isEmpty();
    }

    @Test
    void exceptionsAreFewAndArgued() {
        assertThat(CaseLists.read(ALLOWED))
                .hasSizeLessThanOrEqualTo(MOST_EXCEPTIONS)
                .allSatisfy((id, reason) -> assertThat(reason).as(id).hasSizeGreaterThan(20));
    }
}
