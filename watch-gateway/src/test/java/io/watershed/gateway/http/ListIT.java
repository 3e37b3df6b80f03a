package io.watershed.gateway.http;

import static io.watershed.gateway.cache.ObjectLog.Write.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.gateway.cache.ObjectLog;
import io.watershed.gateway.fanout.FanoutSettings.Undecodable;
import io.watershed.log.Encoding;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ListIT {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private final GatewayFixture gateway = new GatewayFixture();

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void listsTypedItemsWithoutKindAndApiVersion() {
        gateway.serving(10);
        gateway.log.put("configmaps", "default", "a", "},\"data\":{\"k\":\"é\"}}");
        gateway.reached(11);

        HttpResponse<String> list = gateway.get(CONFIG_MAPS);

        assertThat(list.statusCode()).isEqualTo(200);
        assertThat(list.body())
                .isEqualTo(
                        "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"11\"},"
                                + "\"items\":[{\"metadata\":{\"resourceVersion\":\"11\",\"name\":\"a\",\"namespace\":\"default\"},"
                                + "\"data\":{\"k\":\"é\"}}]}\n");
        assertThat(list.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(list.headers().firstValue("Cache-Control")).hasValue("no-cache, private");
        assertThat(list.headers().firstValue("Watershed-Staleness-Seconds")).isPresent();
    }

    @Test
    void listsDocumentsWithKindAndApiVersion() {
        gateway.serving(10);
        gateway.log.put("keyvalues.watershed.io", null, "%2Fflags%2Fa", "},\"spec\":{\"value\":\"1\"}}");
        gateway.reached(11);

        assertThat(gateway.get("/apis/watershed.io/v1/keyvalues").body())
                .contains("\"items\":[{\"kind\":\"KeyValue\",\"apiVersion\":\"watershed.io/v1\",");
        assertThat(gateway.get("/apis/watershed.io/v1/keyvalues/%252Fflags%252Fa")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void listsNothingAsAnEmptyArrayAtTheCachesRevision() {
        gateway.serving(10);

        assertThat(gateway.get("/api/v1/namespaces/nowhere/pods").body())
                .isEqualTo(
                        "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"10\"},\"items\":[]}\n");
    }

    @Test
    void readsPagesOfOneRevisionWhileObjectsChange() {
        gateway.serving(10);
        ObjectLog.Write[] writes = new ObjectLog.Write[35];
        for (int i = 0; i < writes.length; i++) {
            writes[i] = put("configmaps", i % 2 == 0 ? "a" : "b", "n%02d".formatted(i), "}}");
        }
        gateway.log.write(writes);
        gateway.reached(11);

        List<String> names = new ArrayList<>();
        String token = "";
        int pages = 0;
        do {
            String page = gateway.get("/api/v1/configmaps?limit=10" + token).body();
            assertThat(page).contains("\"metadata\":{\"resourceVersion\":\"11\"");
            names.addAll(all(page, "\"name\":\"(n[0-9]+)\""));
            List<String> next = all(page, "\"continue\":\"([^\"]+)\"");
            assertThat(all(page, "\"remainingItemCount\":([0-9]+)"))
                    .isEqualTo(next.isEmpty() ? List.of() : List.of(String.valueOf(35 - 10 * (pages + 1))));
            token = next.isEmpty() ? "" : "&continue=" + next.get(0);
            gateway.log.put("configmaps", "a", "a-new-one-" + pages, "}}");
            gateway.log.delete("configmaps", "b", "n%02d".formatted(33 - 2 * pages));
            gateway.reached(11 + 2 * ++pages);
        } while (!token.isEmpty());

        assertThat(names).hasSize(35).doesNotHaveDuplicates();
        assertThat(pages).isEqualTo(4);
    }

    @Test
    void sendsABigListWhole() {
        gateway.serving(10);
        String kilobyte = "}," + "\"data\":{\"k\":\"" + "x".repeat(1000) + "\"}}";
        for (int i = 0; i < 5; i++) {
            ObjectLog.Write[] writes = new ObjectLog.Write[500];
            for (int j = 0; j < writes.length; j++) {
                writes[j] = put("configmaps", "default", "n" + i + "-" + j, kilobyte);
            }
            gateway.log.write(writes);
        }
        gateway.reached(15);

        String list = gateway.get(CONFIG_MAPS).body();

        assertThat(all(list, "\"name\":\"(n[0-9]-[0-9]+)\"")).hasSize(2500).doesNotHaveDuplicates();
        assertThat(list).endsWith("\"}}]}\n");
    }

    @Test
    void ignoresTheLimitAtRevisionZero() {
        gateway.serving(10);
        gateway.log.write(put("configmaps", "default", "a", "}}"), put("configmaps", "default", "b", "}}"));
        gateway.reached(11);

        assertThat(gateway.get(CONFIG_MAPS + "?limit=1&resourceVersion=0").body())
                .contains("\"name\":\"b\"")
                .doesNotContain("continue");
    }

    @Test
    void readsAnExactRevision() {
        gateway.serving(10);
        gateway.log.put("configmaps", "default", "a", "},\"data\":{\"k\":\"old\"}}");
        gateway.reached(11);
        gateway.log.put("configmaps", "default", "a", "},\"data\":{\"k\":\"new\"}}");
        gateway.reached(12);

        assertThat(gateway.get(CONFIG_MAPS + "?resourceVersion=11&resourceVersionMatch=Exact")
                        .body())
                .contains("old");
        assertThat(gateway.get(CONFIG_MAPS + "?resourceVersion=11").body()).contains("new");
        HttpResponse<String> gone = gateway.get(CONFIG_MAPS + "?resourceVersion=9&resourceVersionMatch=Exact");
        assertThat(gone.statusCode()).isEqualTo(410);
        assertThat(gone.body()).contains("The resourceVersion for the provided list is too old.", "\"Expired\"");
    }

    @Test
    void offersTheRestWhenATokensRevisionIsGone() {
        gateway.serving(10);
        gateway.log.put("configmaps", "default", "b", "}}");
        gateway.reached(11);
        // {"v":"meta.k8s.io/v1","rv":9,"start":"/a\u0000"}
        String old = "eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6OSwic3RhcnQiOiIvYVx1MDAwMCJ9";

        HttpResponse<String> gone = gateway.get(CONFIG_MAPS + "?limit=1&continue=" + old);

        assertThat(gone.statusCode()).isEqualTo(410);
        String rest =
                all(gone.body(), "\"metadata\":\\{\"continue\":\"([^\"]+)\"").get(0);
        assertThat(gateway.get(CONFIG_MAPS + "?limit=1&continue=" + rest).body())
                .contains("\"name\":\"b\"");
    }

    @Test
    void waitsForARevisionThatComesAndSays504ForOneThatDoesNot() {
        gateway.serving(10);

        HttpResponse<String> late = gateway.get(CONFIG_MAPS + "?resourceVersion=99");
        assertThat(late.statusCode()).isEqualTo(504);
        assertThat(late.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(late.body()).contains("Too large resource version: 99, current: 10", "ResourceVersionTooLarge");

        CompletableFuture<String> soon = CompletableFuture.supplyAsync(
                () -> gateway.get(CONFIG_MAPS + "?resourceVersion=11").body());
        gateway.log.progressTo(11);
        assertThat(soon.join()).contains("\"resourceVersion\":\"11\"");
    }

    @Test
    void getsOneObjectAndSays404ForAnother() {
        gateway.serving(10);
        gateway.log.put("configmaps", "default", "a", "}}");
        gateway.reached(11);

        assertThat(gateway.get(CONFIG_MAPS + "/a?watch=true&fieldSelector=nonsense")
                        .body())
                .isEqualTo("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"11\","
                        + "\"name\":\"a\",\"namespace\":\"default\"}}\n");
        HttpResponse<String> absent = gateway.get(CONFIG_MAPS + "/x");
        assertThat(absent.statusCode()).isEqualTo(404);
        assertThat(absent.body()).contains("configmaps \\\"x\\\" not found");
    }

    @Test
    void failsLoudlyWhereAnObjectCanNotBeShown() {
        gateway.serving(10);
        gateway.log.write(
                put("configmaps", "default", "a", "}}"),
                new ObjectLog.Write(
                        put("configmaps", "default", "b", "}}").type(), "default", "b", "}}", Encoding.RAW));
        gateway.reached(11);

        for (String path : List.of(CONFIG_MAPS, CONFIG_MAPS + "/b", "/api/v1/configmaps?limit=1")) {
            HttpResponse<String> failed = gateway.get(path);
            assertThat(failed.statusCode()).as(path).isEqualTo(500);
            assertThat(failed.body()).contains("InternalError", "/registry/configmaps/default/b");
        }
        assertThat(gateway.get("/api/v1/namespaces/other/configmaps").statusCode())
                .isEqualTo(200);
    }

    @Test
    void leavesOutWhatCanNotBeShownWhereThatIsAskedFor() {
        try (GatewayFixture skipping = new GatewayFixture(Undecodable.SKIP)) {
            skipping.serving(10);
            skipping.log.write(
                    put("configmaps", "default", "a", "}}"),
                    new ObjectLog.Write(
                            put("configmaps", "default", "b", "}}").type(), "default", "b", "}}", Encoding.RAW));
            skipping.reached(11);

            assertThat(skipping.get(CONFIG_MAPS).body())
                    .contains("\"name\":\"a\"")
                    .doesNotContain("\"name\":\"b\"");
            assertThat(skipping.get(CONFIG_MAPS + "/b").statusCode()).isEqualTo(404);
        }
    }

    private static List<String> all(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
