package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.testkit.ChildProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys outside Kubernetes' layout, in the API and in the topic: cases B12, B13, B17 and B25. */
final class PlainKeysST {
    private static final String DOCUMENTS = "/apis/watershed.io/v1/keyvalues";
    private static final String DIGITS =
            "{\"id\":9007199254740993,\"big\":1e400,\"n\":-0,\"d\":1.10,\"u\":18446744073709551615}";

    @SuppressWarnings("NullAway.Init") // set before any test
    private static Cluster cluster;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set before any test
    private static Path directory;

    @BeforeAll
    static void start() {
        cluster = Cluster.start(1);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void neighbouringKeysAreDocumentsOfTheirOwn() {
        long before = cluster.etcd().head();
        List<String> keys = List.of("/flags", "/flags/", "/flags/a", "/flags/a/", "/flags/ab", "user.rpc/7587");
        try (HttpWatch one = watch(before, "&fieldSelector=metadata.name%3D%252Fflags%252Fa");
                HttpWatch all = watch(before, "")) {
            for (String key : keys) {
                cluster.etcd().put(key, "of " + key);
            }
            all.awaitEvents(keys.size());

            assertThat(all.events())
                    .extracting(event -> event.name() + " = "
                            + event.object().at("/spec/value").asText())
                    .containsExactly(
                            "%2Fflags = of /flags",
                            "%2Fflags%2F = of /flags/",
                            "%2Fflags%2Fa = of /flags/a",
                            "%2Fflags%2Fa%2F = of /flags/a/",
                            "%2Fflags%2Fab = of /flags/ab",
                            "user.rpc%2F7587 = of user.rpc/7587");
            long last = cluster.etcd().put("/flags/a", "again");
            one.awaitEvent(event -> event.resourceVersion() == last);
            assertThat(one.events()).extracting(HttpWatch.Event::name).containsOnly("%2Fflags%2Fa");
            assertThat(one.events()).hasSize(2);
        }
    }

    @Test
    void aDocumentIsReachedByItsKeyAndByItsNameInThePath() {
        long revision = cluster.etcd().put("user.rpc/8", "there");
        Cluster.listAt(cluster.gateway(0), DOCUMENTS, revision);

        for (String segment : List.of("user.rpc%2F8", "user.rpc%252F8")) {
            Cluster.Answer answer = Cluster.get(cluster.gateway(0).url(), DOCUMENTS + "/" + segment);
            assertThat(answer.status()).as(segment).isEqualTo(200);
            assertThat(answer.json().at("/metadata/name").asText()).isEqualTo("user.rpc%2F8");
        }
    }

    @Test
    void anEmptyValueIsAValueAndNotADelete() {
        long before = cluster.etcd().head();
        try (HttpWatch watch = watch(before, "")) {
            long added = cluster.etcd().put("/empty/e", "");
            long filled = cluster.etcd().put("/empty/e", "{}");
            long emptied = cluster.etcd().put("/empty/e", "");
            long deleted = cluster.etcd().delete("/empty/e");
            watch.awaitEvent(event -> event.resourceVersion() == deleted);

            assertThat(watch.events())
                    .filteredOn(event -> event.name().equals("%2Fempty%2Fe"))
                    .extracting(event -> event.type() + " " + event.resourceVersion() + " "
                            + event.object().get("spec"))
                    .containsExactly(
                            "ADDED " + added + " {\"value\":\"\"}",
                            "MODIFIED " + filled + " {\"json\":{}}",
                            "MODIFIED " + emptied + " {\"value\":\"\"}",
                            "DELETED " + deleted + " {\"value\":\"\"}");
        }
    }

    @Test
    void digitsStayAsTheyWereWrittenInWatchesAndListsAndTheTopic() {
        long before = cluster.etcd().head();
        try (HttpWatch watch = watch(before, "")) {
            long revision = cluster.etcd().put("/digits/n", DIGITS);
            watch.awaitEvent(event -> event.resourceVersion() == revision);

            assertThat(watch.events().stream().map(HttpWatch.Event::line))
                    .anySatisfy(line -> assertThat(line)
                            .contains(
                                    "\"resourceVersion\":\"" + revision + "\"", "\"spec\":{\"json\":" + DIGITS + "}"));
            assertThat(Cluster.listAt(cluster.gateway(0), DOCUMENTS, revision).body())
                    .contains("\"spec\":{\"json\":" + DIGITS + "}");
            assertThat(topicLine("/digits/n")).endsWith("\"spec\":{\"json\":" + DIGITS + "}}");
        }
    }

    @Test
    void theConsoleShowsHeaderAndKeyAndJsonOfARecord() {
        long revision = cluster.etcd().put("/registry/configmaps/default/pinned", "{\"data\":{\"colour\":\"blue\"}}");

        assertThat(topicLine("/registry/configmaps/default/pinned"))
                .matches("watershed:t=D g=1-[0-9a-f]{8} q=\\d+ r=R i=0 n=1 c=R v=1 h=[0-9a-f]{16} f=2"
                                .replace("R", Long.toString(revision))
                        + " res=configmaps ns=default name=pinned"
                        + "\t/registry/configmaps/default/pinned\t"
                        + "\\{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":\\{\"resourceVersion\":\""
                        + revision
                        + "\",\"name\":\"pinned\",\"namespace\":\"default\"\\},\"data\":\\{\"colour\":\"blue\"\\}\\}");
    }

    @Test
    void theConsoleShowsADeleteAsNullAndControlRecordsApart() {
        cluster.etcd().put("/registry/configmaps/default/gone", "{}");
        cluster.etcd().delete("/registry/configmaps/default/gone");

        List<String> lines = topicLines("\t/registry/configmaps/default/gone\tnull");

        assertThat(lines)
                .filteredOn(line -> line.contains("\t!watershed/"))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).matches("watershed:t=[BEMP] .*"));
        assertThat(lines)
                .filteredOn(line -> line.endsWith("\tnull"))
                .allSatisfy(line -> assertThat(line).matches("watershed:t=D .*"));
    }

    /** The last line of the key so far; waits until there is one. */
    private static String topicLine(String key) {
        return topicLines("\t" + key + "\t").stream()
                .filter(line -> line.contains("\t" + key + "\t"))
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    /** What the documented command prints, from the beginning until a line has the text in it. */
    private static List<String> topicLines(String awaited) {
        Path root = Path.of(Objects.requireNonNull(System.getProperty("watershed.root")));
        List<String> command = List.of(
                root.resolve("bin/kafka").toString(),
                "console-consumer",
                "--bootstrap-server",
                cluster.broker().bootstrapServers(),
                "--topic",
                "watershed",
                "--from-beginning",
                "--isolation-level",
                "read_committed",
                "--formatter-property",
                "print.headers=true",
                "--formatter-property",
                "print.key=true");
        Path output = directory.resolve("console-" + System.nanoTime());
        try (ChildProcess console = ChildProcess.start("console-consumer", command, Map.of(), output)) {
            console.await(
                    "a line with" + awaited,
                    () -> wholeLines(console.output()).anyMatch(line -> line.contains(awaited)));
            console.kill();
            return wholeLines(console.output())
                    .filter(line -> line.startsWith("watershed:"))
                    .toList();
        }
    }

    /** The last one may be there in part only: its header and key are printed before its value. */
    private static Stream<String> wholeLines(String output) {
        return output.substring(0, output.lastIndexOf('\n') + 1).lines();
    }

    private static HttpWatch watch(long revision, String more) {
        return HttpWatch.open(cluster.gateway(0).url(), DOCUMENTS + "?watch=true&resourceVersion=" + revision + more);
    }
}
