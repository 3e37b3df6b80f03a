package io.watershed.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Values and keys that etcd takes and nobody expects: each is served or refused as documented, and stops nothing. */
final class OddValuesST {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LARGE = 1_500_000;
    private static final int FAILS = 0;
    private static final int SKIPS = 1;
    private static final String DOCUMENTS = "/apis/watershed.io/v1/keyvalues";

    @SuppressWarnings("NullAway.Init") // set before any test
    private static Cluster cluster;

    @BeforeAll
    static void start() {
        cluster = Cluster.startServers();
        cluster.addIngester();
        cluster.addGateway();
        cluster.addGateway("--gateway-undecodable=skip");
        cluster.awaitReady();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void anObjectAsLargeAsEtcdTakesArrivesByteForByte() throws Exception {
        String text = text(LARGE);
        long before = cluster.etcd().head();
        long put = cluster.etcd().put(key("large", "a"), "{\"data\":{\"v\":" + JSON.writeValueAsString(text) + "}}");
        long document = cluster.etcd().put("/large/b", text);

        for (Cluster.Node gateway : cluster.gateways()) {
            try (HttpWatch watch = HttpWatch.open(gateway.url(), configMaps("large") + from(before));
                    HttpWatch ofDocuments = HttpWatch.open(gateway.url(), DOCUMENTS + from(before))) {
                assertThat(Cluster.listAt(gateway, configMaps("large"), put)
                                .json()
                                .at("/items/0/data/v")
                                .asText())
                        .isEqualTo(text);
                assertThat(Cluster.get(gateway.url(), configMaps("large") + "/a")
                                .json()
                                .at("/data/v")
                                .asText())
                        .isEqualTo(text);
                HttpWatch.Event event = watch.awaitEvents(1).events().get(0);
                assertThat(event.brief()).isEqualTo("ADDED a " + put);
                assertThat(event.object().at("/data/v").asText()).isEqualTo(text);

                ofDocuments.awaitEvent(added -> added.resourceVersion() == document);
                assertThat(ofDocuments.events())
                        .filteredOn(added -> added.resourceVersion() == document)
                        .singleElement()
                        .satisfies(added -> assertThat(
                                        added.object().at("/spec/value").asText())
                                .isEqualTo(text));
            }
        }
    }

    /** So many bytes of UTF-8: letters, line ends, quotes, what JSON must escape, and characters of two to four bytes. */
    private static String text(int bytes) {
        String alphabet = "abcdefghij \\\"/\n\t\r\u0001\u007f{}<>&'äß€漢𝄞";
        int[] characters = alphabet.codePoints().toArray();
        Random random = new Random(18);
        StringBuilder text = new StringBuilder(bytes);
        int length = 0;
        while (length < bytes - 4) {
            String next = Character.toString(characters[random.nextInt(characters.length)]);
            text.append(next);
            length += next.getBytes(UTF_8).length;
        }
        return text.append("z".repeat(bytes - length)).toString();
    }

    @Test
    void valuesThatCannotBeDecodedFailTheirScopeOnlyAndUntilTheyAreWrittenAgain() {
        cluster.etcd().put(key("broken", "good"), "{\"data\":{\"v\":\"1\"}}");
        long before = cluster.etcd().put(key("whole", "a"), "{}");
        double counted = undecodable();
        try (HttpWatch watch = watch(FAILS, "broken", before);
                HttpWatch elsewhere = watch(FAILS, "whole", before)) {
            cluster.etcd().put(key("broken", "json"), "{\"data\":{\"v\":");
            long last = cluster.etcd().put(key("broken", "protobuf"), "k8s\0\n\u0011garbage");
            long after = cluster.etcd().put(key("whole", "a"), "{\"data\":{}}");

            assertThat(elsewhere.awaitEvents(1).briefs()).containsExactly("MODIFIED a " + after);
            watch.awaitEnd();
            assertThat(watch.end()).isEqualTo("clean");
            assertThat(watch.events()).singleElement().satisfies(error -> {
                assertThat(error.type()).isEqualTo("ERROR");
                assertThat(error.object().path("code").asInt()).isEqualTo(500);
                assertThat(error.object().path("message").asText()).contains(key("broken", "json"), "can't be decoded");
            });
            Cluster.listAt(cluster.gateway(FAILS), configMaps("whole"), last);
            for (String name : new String[] {"json", "protobuf"}) {
                Cluster.Answer answer = Cluster.get(cluster.gateway(FAILS).url(), configMaps("broken") + "/" + name);
                assertThat(answer.status()).isEqualTo(500);
                assertThat(answer.json().path("message").asText()).contains(key("broken", name));
            }
            assertThat(Cluster.get(cluster.gateway(FAILS).url(), configMaps("broken"))
                            .status())
                    .isEqualTo(500);
            assertThat(Cluster.get(cluster.gateway(FAILS).url(), configMaps("broken") + "/good")
                            .status())
                    .isEqualTo(200);
            assertThat(undecodable()).isEqualTo(counted + 2);
            assertThat(cluster.ingester().process().output())
                    .contains("it is no JSON object; write one to this key, or delete it");
        }
        cluster.etcd().put(key("broken", "json"), "{}");
        long mended = cluster.etcd().delete(key("broken", "protobuf"));
        assertThat(Cluster.listAt(cluster.gateway(FAILS), configMaps("broken"), mended)
                        .json()
                        .path("items"))
                .hasSize(2);
    }

    @Test
    void b15EncodingsAreToldByTheirFirstBytes() {
        Map<String, byte[]> stored = new LinkedHashMap<>();
        stored.put("protobuf", protobuf("protobuf"));
        stored.put("cbor", HexFormat.of().parseHex("d9d9f7a14464617461a1416141" + "62"));
        stored.put("aescbc", "k8s:enc:aescbc:v1:key1:xyz".getBytes(UTF_8));
        stored.put("kms", "k8s:enc:kms:v2:p:{\"data\":{\"a\":\"b\"}}".getBytes(UTF_8));
        stored.put("json", "{\"data\":{\"a\":\"b\"}}".getBytes(UTF_8));
        stored.put("rubbish", "k8s\0{\"data\":{\"a\":\"b\"}}".getBytes(UTF_8));
        double counted = undecodable();
        long last = 0;
        for (Map.Entry<String, byte[]> value : stored.entrySet()) {
            last = cluster.etcd().put(key("encodings", value.getKey()), value.getValue(), 0);
        }
        Cluster.listAt(cluster.gateway(FAILS), configMaps("none"), last);

        for (String readable : List.of("protobuf", "cbor", "json")) {
            Cluster.Answer answer = Cluster.get(cluster.gateway(FAILS).url(), configMaps("encodings") + "/" + readable);
            assertThat(answer.status()).as(readable).isEqualTo(200);
            assertThat(answer.json().at("/data/a").asText()).as(readable).isEqualTo("b");
            assertThat(answer.json().at("/metadata/name").asText()).isEqualTo(readable);
        }
        for (String opaque : List.of("aescbc", "kms", "rubbish")) {
            Cluster.Answer answer = Cluster.get(cluster.gateway(FAILS).url(), configMaps("encodings") + "/" + opaque);
            assertThat(answer.status()).as(opaque).isEqualTo(500);
            assertThat(answer.json().path("message").asText()).contains(key("encodings", opaque));
        }
        assertThat(undecodable()).isEqualTo(counted + 3);
    }

    /** A ConfigMap of one datum, as kube-apiserver writes it. */
    private static byte[] protobuf(String name) {
        byte[] type = message(text(1, "v1"), text(2, "ConfigMap"));
        byte[] object = message(field(1, text(1, name)), field(2, message(text(1, "a"), text(2, "b"))));
        return message("k8s\0".getBytes(UTF_8), field(1, type), field(2, object), text(3, ""), text(4, ""));
    }

    private static byte[] text(int number, String text) {
        return field(number, text.getBytes(UTF_8));
    }

    private static byte[] field(int number, byte[] value) {
        return message(new byte[] {(byte) (number << 3 | 2), (byte) value.length}, value);
    }

    private static byte[] message(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    @Test
    void whereTheyAreSkippedTheRestIsServedAndTheyAreCounted() {
        long before = cluster.etcd().put(key("skipped", "good"), "{}");
        try (HttpWatch watch = watch(SKIPS, "skipped", before)) {
            cluster.etcd().put(key("skipped", "bad"), "no JSON");
            long after = cluster.etcd().put(key("skipped", "later"), "{}");

            assertThat(watch.awaitEvents(1).briefs()).containsExactly("ADDED later " + after);
            Cluster.Answer list = Cluster.listAt(cluster.gateway(SKIPS), configMaps("skipped"), after);
            assertThat(list.json().findValuesAsText("name")).containsExactly("good", "later");
            assertThat(Cluster.get(cluster.gateway(SKIPS).url(), configMaps("skipped") + "/bad")
                            .status())
                    .isEqualTo(404);
            assertThat(Metrics.of(cluster.gateway(SKIPS).url()).sum("watershed_gateway_watch_undecodable_total"))
                    .isPositive();
        }
    }

    @Test
    void keysOfAnyBytesArriveWhereTheyCanBeNamed() {
        byte[] document = "/odd/\u00ff\u00fe\u0000\n%".getBytes(ISO_8859_1);
        byte[] nowhere = "/registry/configmaps/odd/\u00ff".getBytes(ISO_8859_1);
        long before = cluster.etcd().head();
        try (HttpWatch documents = HttpWatch.open(cluster.gateway(FAILS).url(), DOCUMENTS + from(before));
                HttpWatch objects = watch(FAILS, "odd", before)) {
            long odd = cluster.etcd().put(document, new byte[] {(byte) 0xc3, 0x28});
            cluster.etcd().put(nowhere, "{}".getBytes(UTF_8));
            cluster.etcd().put("!watershed/meta", "{}");
            long named = cluster.etcd().put(key("odd", "a b%ü\u0001"), "{\"data\":{}}");
            long plain = cluster.etcd().put("/odd/plain", "x");

            assertThat(objects.awaitEvents(1).briefs()).containsExactly("ADDED a b%ü\u0001 " + named);
            documents.awaitEvent(event -> event.resourceVersion() == plain);
            assertThat(documents.events())
                    .filteredOn(event -> event.resourceVersion() == odd)
                    .singleElement()
                    .satisfies(event -> {
                        assertThat(event.name()).isEqualTo("%2Fodd%2F%FF%FE%00%0A%25");
                        assertThat(event.object().at("/spec/valueBase64").asText())
                                .isEqualTo("wyg=");
                    });
            assertThat(Cluster.get(cluster.gateway(FAILS).url(), configMaps("odd") + "/a%20b%25%C3%BC%01")
                            .json()
                            .at("/metadata/resourceVersion")
                            .asLong())
                    .isEqualTo(named);
            assertThat(Metrics.of(cluster.ingester().url()).sum("watershed_ingester_refused_keys_total"))
                    .as("a key in the place of the log's own")
                    .isEqualTo(1);
        }
        try (TopicTail topic = TopicTail.of(cluster)) {
            assertThat(topic.all())
                    .extracting(TopicTail.Line::key)
                    .contains(new String(document, ISO_8859_1), new String(nowhere, ISO_8859_1));
        }
        cluster.etcd().delete("!watershed/meta");
    }

    @Test
    void whatIsNestedAsDeepAsIsTakenInIsShownInEveryRepresentation() {
        String deepest = "{\"a\":" + "[".repeat(999) + "]".repeat(999) + "}";
        cluster.etcd().put("/deep/a", deepest);
        long put = cluster.etcd().put(key("deep", "a"), deepest);

        for (Cluster.Node gateway : cluster.gateways()) {
            Cluster.listAt(gateway, configMaps("deep"), put);
            for (String path : List.of(
                    configMaps("deep"),
                    configMaps("deep") + "/a",
                    configMaps("deep") + "/a?pretty=true",
                    DOCUMENTS + "?fieldSelector=metadata.name%3D%252Fdeep%252Fa",
                    DOCUMENTS + "/%2Fdeep%2Fa")) {
                for (String accept : List.of(
                        "application/json",
                        "application/yaml",
                        "application/json;as=Table;v=v1;g=meta.k8s.io",
                        "application/yaml;as=Table;v=v1;g=meta.k8s.io",
                        "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
                        "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io")) {
                    boolean one = path.startsWith(configMaps("deep") + "/") || path.startsWith(DOCUMENTS + "/");
                    if (accept.contains("MetadataList") == one && accept.contains("Metadata")) {
                        continue;
                    }
                    Cluster.Answer answer = Cluster.get(gateway.url(), path, Map.of("Accept", accept));
                    assertThat(answer.status()).as(path + " as " + accept).isEqualTo(200);
                    assertThat(answer.body()).as(path + " as " + accept).contains("deep");
                }
            }
        }
    }

    private static double undecodable() {
        return Metrics.of(cluster.ingester().url()).sum("watershed_ingester_decode_failures_total");
    }

    private static HttpWatch watch(int gateway, String namespace, long revision) {
        return HttpWatch.open(cluster.gateway(gateway).url(), configMaps(namespace) + from(revision));
    }

    private static String from(long revision) {
        return "?watch=true&resourceVersion=" + revision;
    }

    private static String configMaps(String namespace) {
        return "/api/v1/namespaces/" + namespace + "/configmaps";
    }

    private static String key(String namespace, String name) {
        return "/registry/configmaps/" + namespace + "/" + name;
    }
}
