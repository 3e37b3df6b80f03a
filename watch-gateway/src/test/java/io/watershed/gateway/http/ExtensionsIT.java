package io.watershed.gateway.http;

import static io.watershed.gateway.cache.ObjectLog.Write.delete;
import static io.watershed.gateway.cache.ObjectLog.Write.put;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.flipkart.zjsonpatch.JsonPatch;
import io.watershed.gateway.fanout.FanoutSettings.Undecodable;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExtensionsIT {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String WATCH = "/apis/watershed.io/v1/watch";
    private static final String HISTORY = "/apis/watershed.io/v1/history";

    private final GatewayFixture gateway = new GatewayFixture();

    @AfterEach
    void close() {
        gateway.close();
    }

    /** Revision 11 at the log's first moment, 12 ten seconds later. */
    private String twoVersions() {
        gateway.serving(10);
        String first = gateway.log.now().toString();
        gateway.log.put("configmaps", "default", "a", "},\"data\":{\"k\":\"1\"}}");
        gateway.reached(11);
        gateway.log.advance(Duration.ofSeconds(10));
        gateway.log.put("configmaps", "default", "a", "},\"data\":{\"k\":\"2\"}}");
        gateway.reached(12);
        return first;
    }

    @Test
    void listsTheStateAsOfATime() {
        String first = twoVersions();

        HttpResponse<String> list = gateway.get(CONFIG_MAPS + "?limit=1&asOf=" + first);
        assertThat(list.body()).contains("\"metadata\":{\"resourceVersion\":\"11\"", "{\"k\":\"1\"}");
        assertThat(list.headers().firstValue("Watershed-As-Of")).hasValue(first.replace("Z", ".000Z"));
        HttpResponse<String> newest = gateway.get(CONFIG_MAPS + "?asOf=2999-01-01T00:00:00%2B01:00");
        assertThat(newest.body()).contains("\"metadata\":{\"resourceVersion\":\"12\"", "{\"k\":\"2\"}");
        assertThat(newest.headers().firstValue("Watershed-As-Of"))
                .hasValue(gateway.log.now().toString().replace("Z", ".000Z"));
        HttpResponse<String> older = gateway.get(CONFIG_MAPS + "?asOf=1999-01-01T00:00:00Z");
        assertThat(older.statusCode()).isEqualTo(410);
        assertThat(older.body()).contains("\"reason\":\"Expired\"");
    }

    @Test
    void watchesFromATimeOn() throws IOException {
        String first = twoVersions();

        try (RawConnection watch = gateway.connect()) {
            assertThat(watch.get(CONFIG_MAPS + "?watch=1&asOf=" + first).head())
                    .containsIgnoringCase("watershed-as-of: " + first.replace("Z", ".000Z"));
            assertThat(watch.chunk())
                    .startsWith("{\"type\":\"MODIFIED\"")
                    .contains("\"resourceVersion\":\"12\"")
                    .hasLineCount(1);
        }
        try (RawConnection watch = gateway.connect()) {
            watch.get(CONFIG_MAPS + "?watch=1&asOf=1999-01-01T00:00:00Z").head();
            assertThat(watch.chunk()).startsWith("{\"type\":\"ERROR\"").contains("\"code\":410");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "asOf=",
                "asOf=yesterday",
                "asOf=2026-01-01",
                "asOf=2026-01-01T00:00:00Z&resourceVersion=1",
                "asOf=2026-01-01T00:00:00Z&resourceVersionMatch=Exact",
                "asOf=2026-01-01T00:00:00Z&sendInitialEvents=true",
                "asOf=2026-01-01T00:00:00Z&continue=x",
                "fields=",
                "fields=a..b",
            })
    void refusesWhatCantBeReadOrDoesNotGoTogether(String query) {
        gateway.serving(10);

        assertThat(gateway.get(CONFIG_MAPS + "?" + query).statusCode()).isEqualTo(400);
        assertThat(gateway.get(CONFIG_MAPS + "?watch=1&" + query).statusCode()).isEqualTo(400);
    }

    @Test
    void cutsObjectsDownToTheFieldsThatAreAskedFor() throws IOException {
        gateway.serving(10);
        gateway.log.put("configmaps", "default", "a", ",\"labels\":{\"x\":\"y\"}},\"data\":{\"k\":\"1\",\"l\":\"2\"}}");
        gateway.reached(11);
        String metadata = "\"metadata\":{\"resourceVersion\":\"11\",\"name\":\"a\",\"namespace\":\"default\"}";

        assertThat(gateway.get(CONFIG_MAPS + "/a?fields=data.k").body())
                .isEqualTo("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"," + metadata + ",\"data\":{\"k\":\"1\"}}\n");
        assertThat(gateway.get(CONFIG_MAPS + "?fields=data.k").body())
                .endsWith("\"items\":[{" + metadata + ",\"data\":{\"k\":\"1\"}}]}\n");
        try (RawConnection watch = gateway.connect()) {
            watch.get(
                            CONFIG_MAPS
                                    + "?watch=1&fields=data.k&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")
                    .head();
            assertThat(watch.chunk())
                    .isEqualTo(
                            "{\"type\":\"ADDED\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"," + metadata
                                    + ",\"data\":{\"k\":\"1\"}}}\n"
                                    + "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":"
                                    + "{\"resourceVersion\":\"11\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}\n");
        }
        assertThat(gateway.get(CONFIG_MAPS + "?fields=data", "Accept", "application/yaml")
                        .statusCode())
                .isEqualTo(400);
        assertThat(gateway.get(CONFIG_MAPS + "?fields=data", "Accept", "application/json;as=Table;g=meta.k8s.io;v=v1")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void watchesSeveralResourcesInOneOrder() throws IOException {
        gateway.serving(10);
        gateway.log.put("configmaps", "default", "a", "}}");
        gateway.log.put("pods", "default", "p", "}}");
        gateway.log.put("secrets", "default", "s", "}}");
        gateway.reached(13);

        try (RawConnection watch = gateway.connect()) {
            watch.get(WATCH
                            + "?resource=pods&resource=configmaps&resource=deployments.apps&allowWatchBookmarks=true"
                            + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan")
                    .head();
            assertThat(watch.chunk().lines())
                    .satisfiesExactly(
                            pod -> assertThat(pod).startsWith("{\"type\":\"ADDED\",\"object\":{\"kind\":\"Pod\""),
                            map -> assertThat(map).startsWith("{\"type\":\"ADDED\",\"object\":{\"kind\":\"ConfigMap\""),
                            bookmark -> assertThat(bookmark)
                                    .contains("\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
                                            + "\"metadata\":{\"resourceVersion\":\"13\",\"annotations\":"
                                            + "{\"k8s.io/initial-events-end\":\"true\"}}"));
            gateway.log.write(
                    put("configmaps", "default", "b", "}}"),
                    put("secrets", "default", "t", "}}"),
                    delete("pods", "default", "p"),
                    put("deployments.apps", "default", "d", "}}"));
            assertThat(watch.chunk().lines())
                    .satisfiesExactly(
                            map -> assertThat(map).contains("\"ADDED\"", "\"ConfigMap\"", "\"resourceVersion\":\"14\""),
                            pod -> assertThat(pod).contains("\"DELETED\"", "\"Pod\"", "\"resourceVersion\":\"14\""),
                            deployment -> assertThat(deployment).contains("\"ADDED\"", "\"Deployment\""));
        }
    }

    @Test
    void watchesSeveralResourcesBesideWatchesOfEach() throws IOException {
        gateway.serving(10);
        try (RawConnection pods = gateway.connect();
                RawConnection both = gateway.connect()) {
            pods.get("/api/v1/pods?watch=1&resourceVersion=10").head();
            both.get(WATCH + "?resource=configmaps&resource=pods&resourceVersion=10&labelSelector=app%3Dx")
                    .head();
            for (int i = 0; i < 20; i++) {
                gateway.log.put("configmaps", "default", "c" + i, ",\"labels\":{\"app\":\"x\"}}}");
                assertThat(both.chunk()).contains("\"c" + i + "\"");
                gateway.log.put("pods", "default", "p" + i, ",\"labels\":{\"app\":\"x\"}}}");
                assertThat(both.chunk()).contains("\"p" + i + "\"");
                assertThat(pods.chunk()).contains("\"p" + i + "\"");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "?resource=",
                "?resource=nonsense",
                "?resource=pods&resource=pods",
                "?resource=pods&resource=events.events.k8s.io",
                "?resource=pods&fieldSelector=spec.nodeName%3Dx",
            })
    void refusesResourcesThatItCantWatch(String query) {
        gateway.serving(10);

        HttpResponse<String> refused = gateway.get(WATCH + query);
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("\"reason\":\"BadRequest\"");
    }

    @Test
    void tellsTheVersionsOfAnObjectByPatchesThatMakeEachOfTheOneBefore() throws Exception {
        twoVersions();
        gateway.log.delete("configmaps", "default", "a");
        gateway.log.put("configmaps", "default", "a", "},\"data\":{\"new\":\"\u00e9\"}}");
        gateway.log.put("configmaps", "other", "a", "}}");
        gateway.reached(15);

        JsonNode history = json(gateway.get(HISTORY + CONFIG_MAPS + "/a"));
        assertThat(history.path("kind").asText()).isEqualTo("History");
        assertThat(history.at("/metadata/resourceVersion").asText()).isEqualTo("15");
        assertThat(history.path("resource").asText()).isEqualTo("configmaps");
        assertThat(history.path("completeSince").asText()).isEqualTo("10");
        JsonNode versions = history.path("versions");
        assertThat(versions.findValuesAsText("type")).containsExactly("ADDED", "MODIFIED", "DELETED", "ADDED");
        assertThat(versions.path(0).at("/object/data/k").asText()).isEqualTo("1");
        assertThat(versions.path(1).path("resourceVersion").asText()).isEqualTo("12");
        assertThat(versions.path(1).path("time").asText())
                .isEqualTo(gateway.log.now().toString().replace("Z", ".000Z"));
        JsonNode second =
                JsonPatch.apply(versions.path(1).path("patch"), versions.path(0).path("object"));
        assertThat(second)
                .isEqualTo(new ObjectMapper()
                        .readTree(
                                "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"12\","
                                        + "\"name\":\"a\",\"namespace\":\"default\"},\"data\":{\"k\":\"2\"}}"));
        assertThat(versions.path(2).has("object")).isFalse();
        assertThat(versions.path(3).at("/object/data/new").asText()).isEqualTo("\u00e9");
    }

    @Test
    void beginsACutHistoryWithTheVersionBefore() throws Exception {
        twoVersions();

        JsonNode history = json(gateway.get(HISTORY + CONFIG_MAPS + "/a?limit=1"));
        assertThat(history.path("completeSince").asText()).isEqualTo("12");
        assertThat(history.path("versions").findValuesAsText("resourceVersion")).contains("11", "12");
        assertThat(history.path("versions").path(0).has("time")).isFalse();
        assertThat(history.path("versions").path(0).at("/object/data/k").asText())
                .isEqualTo("1");
        assertThat(history.path("versions").path(1).path("patch").isArray()).isTrue();
    }

    @Test
    void discoveryHasWhatIsEnabled() {
        gateway.serving(10);
        assertThat(gateway.get("/apis/watershed.io/v1").body())
                .contains(
                        "{\"name\":\"watch\",\"singularName\":\"watch\",\"namespaced\":false,\"kind\":\"WatchEvent\",\"verbs\":[\"watch\"]}",
                        "{\"name\":\"history\",\"singularName\":\"history\",\"namespaced\":false,\"kind\":\"History\",\"verbs\":[\"get\"]}");
        try (GatewayFixture plain = new GatewayFixture(
                new ServerSettings("127.0.0.1", 0, true, null, Set.of(), Set.of(), Undecodable.FAIL))) {
            plain.serving(10);
            assertThat(plain.get("/apis/watershed.io/v1").body())
                    .contains("\"keyvalues\"")
                    .doesNotContain("\"watch\",\"singularName", "history");
            assertThat(plain.get(WATCH + "?resource=pods").statusCode()).isEqualTo(404);
            assertThat(plain.get(HISTORY + CONFIG_MAPS + "/a").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void knowsNoHistoryOfWhatWasNeverThere() {
        gateway.serving(10);

        assertThat(gateway.get(HISTORY + CONFIG_MAPS + "/none").statusCode()).isEqualTo(404);
        assertThat(gateway.get(HISTORY + CONFIG_MAPS).statusCode()).isEqualTo(404);
        assertThat(gateway.get(HISTORY + "/nonsense").statusCode()).isEqualTo(404);
        assertThat(gateway.get(HISTORY + CONFIG_MAPS + "/none?limit=0").statusCode())
                .isEqualTo(400);
    }

    private static JsonNode json(HttpResponse<String> answer) throws IOException {
        assertThat(answer.statusCode()).isEqualTo(200);
        return new ObjectMapper().readTree(answer.body());
    }
}
