package io.watershed.e2e;

import static io.watershed.e2e.Samples.configMap;
import static io.watershed.e2e.Samples.configMapKey;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The main job: what is written to etcd arrives at clients of every gateway. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EtcdToClientsST {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    @SuppressWarnings("NullAway.Init") // set before any test
    private Cluster cluster;

    @BeforeAll
    void start() {
        cluster = Cluster.start(2, "--gateway-bookmark-interval=1s");
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    private HttpWatch watch(int gateway, String path) {
        return HttpWatch.open(cluster.gateway(gateway).url(), path);
    }

    private static String watchFrom(long revision) {
        return CONFIG_MAPS + "?watch=true&resourceVersion=" + revision;
    }

    @Test
    void aPutAnUpdateAndADeleteReachAWatchOnEachGateway() {
        long before = cluster.etcd().head();
        List<HttpWatch> watches = List.of(watch(0, watchFrom(before)), watch(1, watchFrom(before)));

        long added = cluster.etcd().put(configMapKey("a"), configMap("a", "1"));
        long modified = cluster.etcd().put(configMapKey("a"), configMap("a", "2"));
        long deleted = cluster.etcd().delete(configMapKey("a"));

        for (HttpWatch watch : watches) {
            watch.awaitEvents(3);
            assertThat(watch.briefs())
                    .containsExactly("ADDED a " + added, "MODIFIED a " + modified, "DELETED a " + deleted);
            JsonNode last = watch.events().get(2).object();
            assertThat(last.at("/data/v").asText()).as("last content").isEqualTo("2");
            assertThat(watch.headers().firstValue("content-type")).contains("application/json");
            assertThat(watch.headers().firstValue("transfer-encoding")).contains("chunked");
            watch.close();
        }
    }

    @Test
    void theEventsOfATransactionComeTogetherAndAgainToWhoResumesFromItsRevision() {
        long before = cluster.etcd().head();
        HttpWatch watch = watch(0, watchFrom(before));
        Map<String, @Nullable String> four = new LinkedHashMap<>();
        List<String> expected = new ArrayList<>();
        for (String name : List.of("t1", "t2", "t3", "t4")) {
            four.put(configMapKey(name), configMap(name, "1"));
        }

        long revision = cluster.etcd().transaction(four);

        for (String name : List.of("t1", "t2", "t3", "t4")) {
            expected.add("ADDED " + name + " " + revision);
        }
        watch.awaitEvents(4);
        assertThat(watch.briefs()).isEqualTo(expected);
        watch.close();
        HttpWatch resumed = watch(1, watchFrom(revision));
        long next = cluster.etcd().put(configMapKey("t5"), configMap("t5", "1"));
        resumed.awaitEvents(5);
        expected.add("ADDED t5 " + next);
        assertThat(resumed.briefs()).isEqualTo(expected);
        resumed.close();
    }

    @Test
    void aClientGoesOnAtAnotherGatewayWithoutLossOrRepetition() {
        long before = cluster.etcd().head();
        HttpWatch first = watch(0, watchFrom(before));
        long one = cluster.etcd().put(configMapKey("m"), configMap("m", "1"));
        first.awaitEvents(1);
        first.close();

        long two = cluster.etcd().put(configMapKey("m"), configMap("m", "2"));
        HttpWatch second = watch(1, watchFrom(one));
        long three = cluster.etcd().put(configMapKey("m"), configMap("m", "3"));

        second.awaitEvents(2);
        assertThat(second.briefs()).containsExactly("MODIFIED m " + two, "MODIFIED m " + three);
        second.close();
    }

    @Test
    void b27ADeletedEventIsAValidPlaceToResumeFrom() {
        long before = cluster.etcd().head();
        HttpWatch watch = watch(0, watchFrom(before));
        for (String name : List.of("d1", "d2", "d3")) {
            cluster.etcd().put(configMapKey(name), configMap(name, "1"));
        }
        long deleted = cluster.etcd().delete(configMapKey("d1"));
        watch.awaitEvents(4);
        assertThat(watch.events().get(3).brief()).isEqualTo("DELETED d1 " + deleted);
        watch.close();

        HttpWatch resumed = watch(1, watchFrom(deleted));
        long after = cluster.etcd().put(configMapKey("d4"), configMap("d4", "1"));
        resumed.awaitEvents(1);
        assertThat(resumed.briefs()).containsExactly("ADDED d4 " + after);
        resumed.close();
    }

    @Test
    void objectsEnterAndLeaveASelectorAsAddedAndDeleted() {
        long before = cluster.etcd().head();
        HttpWatch watch = watch(0, watchFrom(before) + "&labelSelector=app%3Dblue");

        long in = cluster.etcd().put(configMapKey("s"), configMap("s", "1", "blue"));
        long out = cluster.etcd().put(configMapKey("s"), configMap("s", "2", "red"));
        long back = cluster.etcd().put(configMapKey("s"), configMap("s", "3", "blue"));

        watch.awaitEvents(3);
        assertThat(watch.briefs()).containsExactly("ADDED s " + in, "DELETED s " + out, "ADDED s " + back);
        assertThat(watch.events().get(1).object().at("/data/v").asText())
                .as("the last content that matched")
                .isEqualTo("1");
        watch.close();
    }

    @Test
    void b33AWatchOfNothingIsEstablishedBeforeItsFirstEvent() {
        HttpWatch watch = watch(
                0,
                "/api/v1/namespaces/empty/configmaps?watch=true&resourceVersion="
                        + cluster.etcd().head());
        assertThat(watch.status()).isEqualTo(200);

        long added = cluster.etcd().put("/registry/configmaps/empty/x", "{\"data\":{}}");

        watch.awaitEvents(1);
        assertThat(watch.briefs()).containsExactly("ADDED x " + added);
        watch.close();
    }

    @Test
    void aWatchListSendsWhatIsThereThenItsBookmark() {
        long put = cluster.etcd().put(configMapKey("wl"), configMap("wl", "1"));
        Cluster.listAt(cluster.gateway(1), CONFIG_MAPS, put);

        HttpWatch watch = watch(
                1,
                CONFIG_MAPS + "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                        + "&allowWatchBookmarks=true&fieldSelector=metadata.name%3Dwl");
        watch.awaitEvents(2);

        assertThat(watch.events().get(0).brief()).isEqualTo("ADDED wl " + put);
        HttpWatch.Event end = watch.events().get(1);
        assertThat(end.type()).isEqualTo("BOOKMARK");
        assertThat(end.object()
                        .path("metadata")
                        .path("annotations")
                        .path("k8s.io/initial-events-end")
                        .asText())
                .isEqualTo("true");
        assertThat(end.object().path("kind").asText()).isEqualTo("ConfigMap");
        assertThat(end.resourceVersion()).isGreaterThanOrEqualTo(put);
        watch.close();
    }

    @Test
    void b36AnIdleWatchCarriesNothingButJsonLines() {
        HttpWatch silent = watch(0, watchFrom(cluster.etcd().head()));
        HttpWatch bookmarked = watch(0, watchFrom(cluster.etcd().head()) + "&allowWatchBookmarks=true");
        bookmarked.awaitEvents(3);
        assertThat(bookmarked.events()).allMatch(event -> event.type().equals("BOOKMARK"));

        long added = cluster.etcd().put(configMapKey("idle"), configMap("idle", "1"));

        silent.awaitEvent(event -> event.name().equals("idle"));
        assertThat(silent.briefs()).contains("ADDED idle " + added);
        assertThat(silent.events()).noneMatch(event -> event.type().equals("BOOKMARK"));
        assertThat(silent.end()).isNull();
        silent.close();
        bookmarked.close();
    }

    @Test
    void b31ARevisionFromTheFutureIsRefusedAndOneThatExistsIsWaitedFor() {
        long head = cluster.etcd().head();

        Cluster.Answer list =
                Cluster.get(cluster.gateway(0).url(), CONFIG_MAPS + "?resourceVersion=" + (head + 1_000_000));
        HttpWatch watch = watch(0, watchFrom(head + 1_000_000));

        assertThat(list.status()).isEqualTo(504);
        assertThat(list.json().at("/details/causes/0/reason").asText()).isEqualTo("ResourceVersionTooLarge");
        assertThat(list.json().at("/details/retryAfterSeconds").asInt()).isPositive();
        watch.awaitEnd();
        assertThat(watch.events()).hasSize(1);
        assertThat(watch.events().get(0).isExpired()).isTrue();
        watch.close();
        long put = cluster.etcd().put(configMapKey("f"), configMap("f", "1"));
        HttpWatch held = watch(1, watchFrom(put));
        long next = cluster.etcd().put(configMapKey("f"), configMap("f", "2"));
        held.awaitEvents(1);
        assertThat(held.briefs()).containsExactly("MODIFIED f " + next);
        held.close();
    }

    @Test
    void aValueThatCannotBeDecodedFailsLoudlyAndOnlyInItsScope() {
        cluster.etcd().put("/registry/configmaps/broken/good", "{\"data\":{\"v\":\"1\"}}");
        long bad = cluster.etcd().put("/registry/configmaps/broken/bad", "k8s\0rubbish");
        Cluster.Answer other = Cluster.listAt(cluster.gateway(0), CONFIG_MAPS, bad);

        Cluster.Answer list = Cluster.get(cluster.gateway(0).url(), "/api/v1/namespaces/broken/configmaps");
        Cluster.Answer good = Cluster.get(cluster.gateway(0).url(), "/api/v1/namespaces/broken/configmaps/good");

        assertThat(other.status()).isEqualTo(200);
        assertThat(list.status()).isEqualTo(500);
        assertThat(list.json().path("message").asText()).contains("/registry/configmaps/broken/bad");
        assertThat(good.status()).isEqualTo(200);
        long gone = cluster.etcd().delete("/registry/configmaps/broken/bad");
        assertThat(Cluster.listAt(cluster.gateway(0), "/api/v1/namespaces/broken/configmaps", gone)
                        .json()
                        .path("items"))
                .hasSize(1);
    }
}
