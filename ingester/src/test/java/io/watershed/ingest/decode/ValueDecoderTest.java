package io.watershed.ingest.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.watershed.catalogue.KeyPattern;
import io.watershed.catalogue.ResourceType;
import io.watershed.ingest.catalogue.KeyCatalogue;
import io.watershed.ingest.etcd.EtcdValue;
import io.watershed.log.Encoding;
import io.watershed.log.EtcdKey;
import io.watershed.log.ObjectRecord;
import io.watershed.log.ObjectValue;
import io.watershed.log.ValueHash;
import io.watershed.log.codec.ObjectJson;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of a value, whatever its encoding: case B15 among others. */
class ValueDecoderTest {
    private static final String CONFIG_MAP = "/registry/configmaps/default/a";
    private static final String NUMBERS =
            "{\"id\":9007199254740993,\"big\":1e400,\"n\":-0,\"d\":1.10,\"u\":18446744073709551615,\"e\":1E+2}";

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ValueDecoder decoder =
            new ValueDecoder(new KeyCatalogue(EtcdKey.utf8("/registry/"), List.of()), meters);

    private ObjectRecord decode(String key, byte[] value) {
        return decoder.decode(new EtcdValue(EtcdKey.utf8(key), value, 5, 7, 2, 0));
    }

    private ObjectValue value(String key, byte[] value) {
        return Objects.requireNonNull(decode(key, value).value());
    }

    private String json(String key, String value) {
        ObjectValue made = value(key, value.getBytes(UTF_8));
        return new String(made.json(), UTF_8);
    }

    private double counted(String encoding) {
        return meters.counter("watershed_ingester_decode_failures", "encoding", encoding)
                .count();
    }

    @Test
    void objectBeginsWithItsIdentityAndKeepsTheRestInStoredOrder() {
        assertThat(json(
                        CONFIG_MAP,
                        " { \"data\" : { \"z\":\"1\", \"b\":\"2\" }, \"metadata\":{\"uid\":\"u\",\"name\":\"a\",\"namespace\":\"default\"},"
                                + "\"kind\":\"ConfigMap\", \"immutable\":true, \"apiVersion\":\"v1\" } "))
                .isEqualTo(
                        "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\",\"uid\":\"u\","
                                + "\"name\":\"a\",\"namespace\":\"default\"},\"data\":{\"z\":\"1\",\"b\":\"2\"},\"immutable\":true}");
        assertThat(meters.getMeters()).as("nothing to complain about").isEmpty();
    }

    @Test
    void whatIsMissingIsFilledFromTheKey() {
        assertThat(json(CONFIG_MAP, "{\"data\":{}}"))
                .isEqualTo("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\","
                        + "\"name\":\"a\",\"namespace\":\"default\"},\"data\":{}}");
        assertThat(counted("mismatch")).isZero();
    }

    @Test
    void keyWinsOverWhatTheValueSaysAndThatIsCounted() {
        assertThat(
                        json(
                                CONFIG_MAP,
                                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"3\",\"name\":\"b\",\"namespace\":\"other\"}}"))
                .isEqualTo("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\","
                        + "\"name\":\"a\",\"namespace\":\"default\"}}");
        assertThat(counted("mismatch")).isEqualTo(1);
    }

    @Test
    void clusterScopedObjectHasNoNamespace() {
        assertThat(json("/registry/minions/n1", "{\"metadata\":{\"namespace\":\"x\"}}"))
                .isEqualTo(
                        "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\",\"name\":\"n1\"}}");
    }

    @Test
    void numbersKeepTheirDigitsInObjectsAndDocuments() {
        assertThat(json(CONFIG_MAP, "{\"x\":" + NUMBERS + "}")).endsWith(",\"x\":" + NUMBERS + "}");
        assertThat(json("/flags/n", NUMBERS)).endsWith("\"spec\":{\"json\":" + NUMBERS + "}}");
    }

    @Test
    void lastOfAMemberThatStandsTwiceCountsAndThatIsCounted() {
        assertThat(json(CONFIG_MAP, "{\"data\":{\"a\":\"1\",\"a\":\"2\"}}")).endsWith("\"data\":{\"a\":\"2\"}}");
        assertThat(counted("duplicate")).isEqualTo(1);
    }

    @Test
    void customResourceKeepsItsKindAndVersion() {
        assertThat(
                        json(
                                "/registry/example.com/widgets/default/w",
                                "{\"apiVersion\":\"example.com/v1alpha1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\",\"namespace\":\"default\"},\"spec\":{}}"))
                .startsWith(
                        "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1alpha1\",\"metadata\":{\"resourceVersion\":\"7\"");
        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void storedVersionThatCanNotBeConvertedIsMarked() {
        ObjectValue made = value(
                "/registry/horizontalpodautoscalers/default/web",
                "{\"kind\":\"HorizontalPodAutoscaler\",\"apiVersion\":\"autoscaling/v1\",\"spec\":{\"maxReplicas\":3}}"
                        .getBytes(UTF_8));

        assertThat(made.encoding()).isEqualTo(Encoding.VERSION);
        assertThat(made.storedVersion()).isEqualTo("autoscaling/v1");
        assertThat(new String(made.json(), UTF_8))
                .isEqualTo("{\"kind\":\"HorizontalPodAutoscaler\",\"apiVersion\":\"autoscaling/v2\","
                        + "\"metadata\":{\"resourceVersion\":\"7\",\"name\":\"web\",\"namespace\":\"default\"},"
                        + "\"watershed\":{\"enc\":\"version\",\"storedVersion\":\"autoscaling/v1\"}}");
        assertThat(counted("version")).isEqualTo(1);
    }

    @Test
    void storedVersionWithTheSameFieldsIsRenamedAndKeptInTheHeader() {
        ObjectValue made = value(
                "/registry/leases/default/l",
                "{\"kind\":\"Lease\",\"apiVersion\":\"coordination.k8s.io/v1beta1\",\"spec\":{\"holderIdentity\":\"h\"}}"
                        .getBytes(UTF_8));

        assertThat(made.encoding()).isNull();
        assertThat(made.storedVersion()).isEqualTo("coordination.k8s.io/v1beta1");
        assertThat(new String(made.json(), UTF_8))
                .isEqualTo("{\"kind\":\"Lease\",\"apiVersion\":\"coordination.k8s.io/v1\","
                        + "\"metadata\":{\"resourceVersion\":\"7\",\"name\":\"l\",\"namespace\":\"default\"},"
                        + "\"spec\":{\"holderIdentity\":\"h\"}}");
        assertThat(meters.getMeters()).as("nothing to complain about").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "k8s\0\n\u000c\n\u0002v1\u0012\u0006",
                "k8s\0{\"kind\":\"ConfigMap\"}",
                "",
                "rubbish",
                "[1,2]",
                "\"text\"",
                "{\"a\":1} {\"b\":2}",
                "{\"a\":1",
                "{\"a\":01}",
                "{'a':1}",
                "\uFEFF{}",
            })
    void whatIsNoJsonObjectIsPublishedRaw(String stored) {
        ObjectValue made = value(CONFIG_MAP, stored.getBytes(UTF_8));

        assertThat(made.encoding()).isEqualTo(Encoding.RAW);
        assertThat(new String(made.json(), UTF_8))
                .startsWith("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\","
                        + "\"name\":\"a\",\"namespace\":\"default\"},\"watershed\":{\"enc\":\"raw\",\"reason\":\"")
                .endsWith(
                        "\",\"valueBase64\":\"" + Base64.getEncoder().encodeToString(stored.getBytes(UTF_8)) + "\"}}");
        assertThat(counted("raw")).isEqualTo(1);
    }

    @Test
    void cborIsPublishedAsItsJson() {
        byte[] cbor = HexFormat.of().parseHex("d9d9f7a14473706563a1416e1b7fffffffffffffff");

        assertThat(new String(
                        value("/registry/example.com/widgets/default/w", cbor).json(), UTF_8))
                .isEqualTo(
                        "{\"kind\":\"Widgets\",\"apiVersion\":\"example.com/v1\",\"metadata\":{\"resourceVersion\":\"7\","
                                + "\"name\":\"w\",\"namespace\":\"default\"},\"spec\":{\"n\":9223372036854775807}}");
        assertThat(value(CONFIG_MAP, Arrays.copyOf(cbor, cbor.length - 1)).encoding())
                .isEqualTo(Encoding.RAW);
    }

    @Test
    void brokenUtf8IsNotMended() {
        byte[] overlong = "{\"a\":\"??\"}".getBytes(UTF_8);
        overlong[6] = (byte) 0xc0;
        overlong[7] = (byte) 0x80;

        assertThat(value(CONFIG_MAP, overlong).encoding()).isEqualTo(Encoding.RAW);
        assertThat(new String(value("/flags/a", overlong).json(), UTF_8)).contains("\"valueBase64\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"k8s:enc:aescbc:v1:key1:xyz", "k8s:enc:kms:v2:p:{\"a\":1}"})
    void encryptedValueStaysOpaque(String stored) {
        assertThat(value(CONFIG_MAP, stored.getBytes(UTF_8)).encoding()).isEqualTo(Encoding.ENCRYPTED);
        assertThat(counted("encrypted")).isEqualTo(1);
    }

    @Test
    void documentHoldsTextJsonOrBytes() {
        String head = "{\"kind\":\"KeyValue\",\"apiVersion\":\"watershed.io/v1\","
                + "\"metadata\":{\"resourceVersion\":\"7\",\"name\":\"%2Fflags%2Fe\"},\"spec\":";

        assertThat(json("/flags/e", "")).isEqualTo(head + "{\"value\":\"\"}}");
        assertThat(json("/flags/e", "on é")).isEqualTo(head + "{\"value\":\"on é\"}}");
        assertThat(json("/flags/e", "[1]")).isEqualTo(head + "{\"value\":\"[1]\"}}");
        assertThat(json("/flags/e", "{}")).isEqualTo(head + "{\"json\":{}}}");
        assertThat(new String(value("/flags/e", new byte[] {(byte) 0xff, 1}).json(), UTF_8))
                .isEqualTo(head + "{\"valueBase64\":\"/wE=\"}}");
    }

    private String flag(String value) {
        ResourceType type = ResourceType.document(
                "flags.example.com", "v1", "Flag", "flags", KeyPattern.parse("/flags/{namespace}/{name}"));
        ValueDecoder flags = new ValueDecoder(new KeyCatalogue(EtcdKey.utf8("/registry/"), List.of(type)), meters);
        ObjectRecord record =
                flags.decode(new EtcdValue(EtcdKey.utf8("/flags/shop/a b"), value.getBytes(UTF_8), 5, 7, 2, 0));
        return new String(Objects.requireNonNull(record.value()).json(), UTF_8);
    }

    @Test
    void configuredDocumentHasItsMembersAtTheTopAndWhatIsNoObjectUnderSpec() {
        String head = "{\"kind\":\"Flag\",\"apiVersion\":\"flags.example.com/v1\","
                + "\"metadata\":{\"resourceVersion\":\"7\",\"name\":\"a%20b\",\"namespace\":\"shop\"}";

        assertThat(flag("{\"enabled\":true,\"spec\":1.50}")).isEqualTo(head + ",\"enabled\":true,\"spec\":1.50}");
        assertThat(flag("{}")).isEqualTo(head + "}");
        assertThat(flag("true")).isEqualTo(head + ",\"spec\":{\"value\":\"true\"}}");
        assertThat(counted("wrapped")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"kind\":1}", "{\"a\":2,\"apiVersion\":\"x\"}", "{\"metadata\":{\"name\":\"z\"}}"})
    void configuredDocumentThatHasAnIdentityOfItsOwnStandsUnderSpecAndIsCounted(String value) {
        assertThat(flag(value)).endsWith("\"namespace\":\"shop\"},\"spec\":" + value + "}");
        assertThat(counted("wrapped")).isEqualTo(1);
    }

    @Test
    void customResourceOfADocumentsNameIsCounted() {
        ResourceType type =
                ResourceType.document("flags.example.com", "v1", "Flag", "flags", KeyPattern.parse("/flags/{name}"));
        ValueDecoder flags = new ValueDecoder(new KeyCatalogue(EtcdKey.utf8("/registry/"), List.of(type)), meters);

        ObjectRecord record = flags.decode(
                new EtcdValue(EtcdKey.utf8("/registry/flags.example.com/flags/a"), "{}".getBytes(UTF_8), 5, 7, 2, 0));

        assertThat(record.resource()).isNull();
        assertThat(counted("displaced")).isEqualTo(1);
    }

    @Test
    void keyThatIsNoResourceIsADocumentWithoutResource() {
        ObjectRecord record = decode("/registry/ranges/serviceips", "x".getBytes(UTF_8));

        assertThat(record.resource()).isNull();
        assertThat(new String(Objects.requireNonNull(record.value()).json(), UTF_8))
                .startsWith("{\"kind\":\"KeyValue\"")
                .contains("\"name\":\"%2Fregistry%2Franges%2Fserviceips\"");
    }

    @Test
    void recordSaysWhichWriteOfTheKeyItIs() {
        ObjectRecord record = decode(CONFIG_MAP, "{}".getBytes(UTF_8));

        assertThat(record.version().createRevision()).isEqualTo(5);
        assertThat(record.version().modRevision()).isEqualTo(7);
        assertThat(record.version().version()).isEqualTo(2);
        assertThat(record.version().valueHash()).isEqualTo(ValueHash.of("{}".getBytes(UTF_8)));
    }

    @Test
    void deepNestingNeverEndsTheIngester() {
        for (int depth : new int[] {900, 998, 999, 1000, 1001, 100_000}) {
            String nested = "{\"a\":" + "[".repeat(depth) + "]".repeat(depth) + "}";

            assertThat(json("/flags/deep", nested)).startsWith("{\"kind\":\"KeyValue\"");
            assertThat(json(CONFIG_MAP, nested)).startsWith("{\"kind\":\"ConfigMap\"");
        }
    }

    @Test
    void valueThatIsNestedTooDeepSaysSoInItsStub() {
        String deepest = "{\"a\":" + "[".repeat(999) + "]".repeat(999) + "}";
        String deeper = "{\"a\":" + "[".repeat(1000) + "]".repeat(1000) + "}";

        assertThat(value(CONFIG_MAP, deepest.getBytes(UTF_8)).encoding()).isNull();
        assertThat(json("/flags/deep", deepest)).contains("\"json\":{\"a\":[[");
        assertThat(value(CONFIG_MAP, deeper.getBytes(UTF_8)).encoding()).isEqualTo(Encoding.RAW);
        assertThat(json(CONFIG_MAP, deeper))
                .contains("\"reason\":\"it is nested more than 1000 levels deep, which is the most; make it flatter");
        assertThat(json(CONFIG_MAP, "[]")).contains("\"reason\":\"it is no JSON object; write one to this key");
        assertThat(json("/flags/deep", deeper)).contains("\"spec\":{\"value\":\"{");
    }

    @Test
    void halfACharacterInTheNameOfAMemberIsNamedAsTheReason() {
        for (String name : List.of("a\\ud800b", "\\ud800", "\\udc00", "\\ud800\\u0041")) {
            String stored = "{\"data\":{\"" + name + "\":\"x\"}}";

            assertThat(value(CONFIG_MAP, stored.getBytes(UTF_8)).encoding())
                    .as(stored)
                    .isEqualTo(Encoding.RAW);
            assertThat(json(CONFIG_MAP, stored)).contains("\"reason\":\"the name of a member has half a character");
        }
        assertThat(json(CONFIG_MAP, "{\"data\":{\"\\ud83c\\udf0a\":\"x\"}}")).doesNotContain("watershed");
    }

    @Test
    void loneSurrogateSurvivesAsItsEscape() {
        assertThat(json(CONFIG_MAP, "{\"data\":{\"x\":\"\\ud800\"}}")).containsIgnoringCase("\\ud800");
    }

    @Test
    void decodingIsStableOverRandomJson() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 2000; round++) {
            String text = RandomJson.object(random, 0);
            String once = json(CONFIG_MAP, text);
            // What was published, put into etcd again, is published the same: nothing is lost or altered on the way.
            assertThat(json(CONFIG_MAP, once)).as("seed %d, %s", seed, text).isEqualTo(once);
            assertThat(RandomJson.members(once)).as("seed %d", seed).containsAllEntriesOf(RandomJson.members(text));
            ObjectJson parts = ObjectJson.of(once.getBytes(UTF_8));
            assertThat(parts.kind()).isEqualTo("ConfigMap");
        }
    }
}
