package io.watershed.gateway.fanout;

import static io.watershed.gateway.fanout.FanoutHarness.target;
import static io.watershed.gateway.fanout.ScriptedCache.Write.delete;
import static io.watershed.gateway.fanout.ScriptedCache.Write.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.gateway.api.Accept;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.represent.Conversion;
import io.watershed.gateway.represent.Representations;
import io.watershed.gateway.represent.Syntax;
import io.watershed.gateway.represent.Transform;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableWatchTest {
    private static final String NO_COLUMNS = "\"columnDefinitions\":null";
    private static final String COLUMNS = "\"columnDefinitions\":[{\"name\":\"Name\",";
    private final FanoutHarness harness = new FanoutHarness();
    private final WatchTarget pods = target("pods", null, "", "", transform("Table", ""));

    @Test
    void namesTheColumnsInTheFirstEventOfEachConnection() {
        RecordingSink early = harness.after(10, pods);
        harness.loop.runAll();
        harness.cache.write(put("pods", "a", "x"));
        harness.cache.write(put("pods", "a", "y"));
        harness.publish();
        RecordingSink late = harness.after(10, pods);
        RecordingSink current = harness.after(12, pods);
        harness.loop.runAll();
        harness.cache.write(put("pods", "a", "z"));
        harness.publish();

        assertColumnsInFirstOf(early, 3);
        assertColumnsInFirstOf(late, 3);
        assertColumnsInFirstOf(current, 1);
        assertThat(late.lines()).isEqualTo(early.lines());
    }

    @Test
    void namesTheColumnsInTheFirstObjectOfTheInitialState() {
        harness.cache.write(put("pods", "a", "x"), put("pods", "a", "y"));
        harness.publish();
        RecordingSink initial = harness.initial(pods);
        harness.loop.runAll();
        harness.cache.write(put("pods", "a", "z"));
        harness.publish();

        assertColumnsInFirstOf(initial, 4);
        assertThat(initial.lines().get(2))
                .startsWith("{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Table\",")
                .contains("\"metadata\":{\"resourceVersion\":\"11\"}")
                .contains("\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}");
    }

    @Test
    void namesTheColumnsInABookmarkThatComesFirst() {
        RecordingSink sink = harness.after(10, pods);
        harness.loop.runAll();
        harness.cache.progress(20);
        harness.publish();
        harness.advance(Duration.ofSeconds(2 * FanoutHarness.BOOKMARK_SECONDS));
        harness.cache.write(put("pods", "a", "x"));
        harness.publish();

        assertColumnsInFirstOf(sink, 2);
        assertThat(sink.lines().get(0)).startsWith("{\"type\":\"BOOKMARK\",").contains("\"resourceVersion\":\"20\"");
    }

    @Test
    void tellsADeletionUnderItsOwnRevision() {
        RecordingSink sink = harness.after(10, pods);
        harness.cache.write(put("pods", "a", "x"));
        harness.cache.write(delete("pods", "a", "x"));
        harness.publish();

        assertThat(sink.lines().get(1))
                .startsWith("{\"type\":\"DELETED\",\"object\":{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\","
                        + "\"metadata\":{\"resourceVersion\":\"12\"}," + NO_COLUMNS)
                .contains("{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
                        + "\"metadata\":{\"resourceVersion\":\"12\",\"name\":\"x\",");
    }

    @Test
    void showsToEachWatchWhatItAskedFor() {
        RecordingSink table = harness.after(10, pods);
        RecordingSink rows = harness.after(10, target("pods", null, "", "", transform("Table", "None")));
        RecordingSink metadata =
                harness.after(10, target("pods", null, "", "", transform("PartialObjectMetadata", "")));
        RecordingSink whole = harness.after(10, FanoutHarness.pods());
        harness.cache.write(put("pods", "a", "x").with("ü"));
        harness.publish();

        assertThat(table.lines())
                .singleElement()
                .satisfies(line -> assertThat(line).contains("\"kind\":\"PartialObjectMetadata\""));
        assertThat(rows.lines())
                .singleElement()
                .satisfies(line -> assertThat(line).contains("\"object\":null}]}"));
        assertThat(metadata.lines())
                .containsExactly(
                        "{\"type\":\"ADDED\",\"object\":{\"kind\":\"PartialObjectMetadata\","
                                + "\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"resourceVersion\":\"11\",\"name\":\"x\",\"labels\":{}}}}");
        assertThat(whole.lines())
                .singleElement()
                .satisfies(line -> assertThat(line).contains("\"kind\":\"Pod\"", "\\u00fc"));
    }

    @Test
    void leavesErrorsAsTheyAre() {
        harness.cache.write(put("pods", "a", "x"));
        harness.publish();
        RecordingSink sink = harness.after(5, pods);
        harness.loop.runAll();

        assertThat(sink.lines())
                .singleElement()
                .satisfies(line -> assertThat(line).startsWith("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\","));
    }

    private static void assertColumnsInFirstOf(RecordingSink sink, int events) {
        List<String> lines = sink.lines();
        assertThat(lines).hasSize(events);
        assertThat(lines.get(0)).contains(COLUMNS).doesNotContain(NO_COLUMNS);
        assertThat(lines.subList(1, events))
                .allSatisfy(line -> assertThat(line).contains(NO_COLUMNS).doesNotContain(COLUMNS));
    }

    private static Transform transform(String kind, String includeObject) {
        try {
            return new Representations(
                            () -> Instant.EPOCH, type -> Representations.nameAndAge(), type -> Conversion.NONE)
                    .of(
                            new Accept.Conversion("meta.k8s.io", "v1", kind),
                            Syntax.JSON,
                            BuiltInResources.byResource("pods").orElseThrow(),
                            true,
                            true,
                            includeObject)
                    .transform();
        } catch (ApiFailure e) {
            throw new AssertionError(e);
        }
    }
}
