package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What stands in a watch's stream, and what does not: cases B27, B33 and B36. */
final class WatchStreamST {
    @SuppressWarnings("NullAway.Init") // set before any test
    private static Cluster cluster;

    @BeforeAll
    static void start() {
        cluster = Cluster.start(1, "--gateway-bookmark-interval=1s");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void resumingFromADeletesRevisionRepeatsNothing() {
        long before = cluster.etcd().head();
        long deleted;
        try (HttpWatch watch = watch("resumed", "&resourceVersion=" + before)) {
            long a = put("resumed", "a");
            long b = put("resumed", "b");
            long c = put("resumed", "c");
            deleted = cluster.etcd().delete(key("resumed", "a"));
            watch.awaitEvents(4);

            assertThat(watch.briefs())
                    .containsExactly("ADDED a " + a, "ADDED b " + b, "ADDED c " + c, "DELETED a " + deleted);
            assertThat(watch.events().get(3).object().at("/data/n").asText()).isEqualTo("a");
        }
        try (HttpWatch resumed = watch("resumed", "&resourceVersion=" + deleted)) {
            long next = put("resumed", "d");
            resumed.awaitEvents(1);

            assertThat(resumed.briefs()).containsExactly("ADDED d " + next);
        }
    }

    @Test
    void aQuietWatchHasItsHeadersBeforeItsFirstEvent() {
        // open returns with the headers, and nothing is written before it has.
        try (HttpWatch ofNamespace = watch("nobody", "");
                HttpWatch ofCollection =
                        HttpWatch.open(cluster.gateway(0).url(), "/apis/apps/v1/deployments?watch=true")) {
            for (HttpWatch quiet : List.of(ofNamespace, ofCollection)) {
                assertThat(quiet.status()).isEqualTo(200);
                assertThat(quiet.headers().firstValue("transfer-encoding")).contains("chunked");
                assertThat(quiet.headers().firstValue("content-type")).contains("application/json");
                assertThat(quiet.events()).isEmpty();
            }
            long first = put("nobody", "first");
            long deployment = cluster.etcd().put("/registry/deployments/nobody/first", "{}");

            assertThat(ofNamespace.awaitEvents(1).briefs()).containsExactly("ADDED first " + first);
            assertThat(ofCollection.awaitEvents(1).briefs()).containsExactly("ADDED first " + deployment);
        }
    }

    @Test
    void anIdleWatchCarriesNothingButJsonLines() {
        long before = cluster.etcd().head();
        try (HttpWatch plain = watch("idle", "&resourceVersion=" + before);
                HttpWatch withBookmarks = watch("idle", "&allowWatchBookmarks=true&resourceVersion=" + before)) {
            // Several intervals have passed for both when one of them has this many bookmarks.
            withBookmarks.awaitEvents(3);
            long revision = put("idle", "late");
            withBookmarks.awaitEvent(event -> event.type().equals("ADDED"));
            plain.awaitEvents(1);

            assertThat(plain.briefs()).containsExactly("ADDED late " + revision);
            assertThat(withBookmarks.events()).allSatisfy(event -> {
                assertThat(event.line()).startsWith("{\"type\":").endsWith("}}");
                assertThat(event.type()).isIn("BOOKMARK", "ADDED");
                assertThat(event.object().at("/kind").asText()).isEqualTo("ConfigMap");
                assertThat(event.resourceVersion()).isGreaterThanOrEqualTo(before);
            });
            assertThat(plain.end()).isNull();
            assertThat(withBookmarks.end()).isNull();
        }
    }

    private static HttpWatch watch(String namespace, String more) {
        return HttpWatch.open(
                cluster.gateway(0).url(), "/api/v1/namespaces/" + namespace + "/configmaps?watch=true" + more);
    }

    private static long put(String namespace, String name) {
        return cluster.etcd().put(key(namespace, name), "{\"data\":{\"n\":\"" + name + "\"}}");
    }

    private static String key(String namespace, String name) {
        return "/registry/configmaps/" + namespace + "/" + name;
    }
}
