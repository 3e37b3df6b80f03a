package io.watershed.ingest.decode;

import static io.watershed.ingest.transcode.StoredForm.message;
import static io.watershed.ingest.transcode.StoredForm.stored;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.watershed.ingest.catalogue.KeyCatalogue;
import io.watershed.ingest.etcd.EtcdValue;
import io.watershed.log.Encoding;
import io.watershed.log.EtcdKey;
import io.watershed.log.ObjectValue;
import io.watershed.log.codec.ObjectJson;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProtobufValueTest {
    private static final byte[] METADATA = message(1, "a", 3, "default", 5, "u");

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final ValueDecoder decoder =
            new ValueDecoder(new KeyCatalogue(EtcdKey.utf8("/registry/"), List.of()), meters);

    private ObjectValue value(String key, byte[] value) {
        return Objects.requireNonNull(decoder.decode(new EtcdValue(EtcdKey.utf8(key), value, 5, 7, 2, 0))
                .value());
    }

    private static String json(ObjectValue value) {
        return new String(value.json(), UTF_8);
    }

    private double counted(String encoding) {
        return meters.counter("watershed_ingester_decode_failures", "encoding", encoding)
                .count();
    }

    @Test
    void protobufIsPublishedAsJson() {
        ObjectValue made = value(
                "/registry/configmaps/default/a",
                stored("v1", "ConfigMap", message(1, METADATA, 2, message(1, "k", 2, "v\n"), 4, 0)));

        assertThat(json(made))
                .isEqualTo(
                        "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\",\"name\":\"a\","
                                + "\"namespace\":\"default\",\"uid\":\"u\"},\"data\":{\"k\":\"v\\n\"},\"immutable\":false}");
        assertThat(made.encoding()).isNull();
        assertThat(made.storedVersion()).isNull();
        assertThat(meters.getMeters()).as("nothing to complain about").isEmpty();
    }

    @Test
    void keyWinsOverKindNameAndNamespaceAndThatIsCounted() {
        ObjectValue made = value(
                "/registry/configmaps/default/a", stored("v1", "Secret", message(1, message(1, "b"), 3, "Opaque")));

        assertThat(json(made))
                .isEqualTo(
                        "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\",\"name\":\"a\","
                                + "\"namespace\":\"default\"},\"type\":\"Opaque\"}");
        assertThat(counted("mismatch")).isEqualTo(1);
    }

    @Test
    void unknownFieldsMarkTheObjectAndAreCounted() {
        ObjectValue made =
                value("/registry/configmaps/default/a", stored("v1", "ConfigMap", message(1, METADATA, 77, "new")));

        assertThat(made.encoding()).isEqualTo(Encoding.PARTIAL);
        assertThat(json(made)).endsWith("\"uid\":\"u\"}}");
        assertThat(counted("partial")).isEqualTo(1);
    }

    @Test
    void unknownKindIsPublishedRaw() {
        ObjectValue made = value("/registry/configmaps/default/a", stored("v1", "Novelty", message(1, METADATA)));

        assertThat(made.encoding()).isEqualTo(Encoding.RAW);
        assertThat(json(made)).contains("\"valueBase64\":\"");
        assertThat(counted("raw")).isEqualTo(1);
    }

    @Test
    void renamedVersionIsShownByTheRulesOfToday() {
        // v1beta1 leaves out an absent signerName, v1 shows it.
        ObjectValue made = value(
                "/registry/certificatesigningrequests/a",
                stored("certificates.k8s.io/v1beta1", "CertificateSigningRequest", message(1, message(1, "a"))));

        assertThat(made.storedVersion()).isEqualTo("certificates.k8s.io/v1beta1");
        assertThat(made.encoding()).isNull();
        assertThat(json(made))
                .startsWith("{\"kind\":\"CertificateSigningRequest\",\"apiVersion\":\"certificates.k8s.io/v1\",")
                .contains("\"signerName\":\"\"");
        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void convertedVersionIsDecodedByItsOwnMessageFirst() {
        byte[] backend = message(1, "s", 2, message(1, 0, 2, 80));
        ObjectValue made = value(
                "/registry/ingress/default/a",
                stored("networking.k8s.io/v1beta1", "Ingress", message(1, METADATA, 2, message(1, backend))));

        assertThat(made.storedVersion()).isEqualTo("networking.k8s.io/v1beta1");
        assertThat(json(made))
                .isEqualTo(
                        "{\"kind\":\"Ingress\",\"apiVersion\":\"networking.k8s.io/v1\",\"metadata\":{\"resourceVersion\":\"7\","
                                + "\"name\":\"a\",\"namespace\":\"default\",\"uid\":\"u\"},\"spec\":{\"defaultBackend\":{\"service\":"
                                + "{\"name\":\"s\",\"port\":{\"number\":80}}}},\"status\":{\"loadBalancer\":{}}}");
    }

    @Test
    void versionThatTheTableLacksIsMarkedNotRaw() {
        ObjectValue made = value(
                "/registry/horizontalpodautoscalers/default/a",
                stored("autoscaling/v2beta2", "HorizontalPodAutoscaler", message(1, METADATA)));

        assertThat(made.encoding()).isEqualTo(Encoding.VERSION);
        assertThat(made.storedVersion()).isEqualTo("autoscaling/v2beta2");
    }

    @Test
    void versionThatNoHeaderCanHoldIsPublishedRaw() {
        String version = "v" + "1".repeat(10_000);

        assertThat(value("/registry/configmaps/default/a", stored(version, "ConfigMap", message(1, METADATA)))
                        .encoding())
                .isEqualTo(Encoding.RAW);
        assertThat(value("/registry/configmaps/default/a", ("{\"apiVersion\":\"" + version + "\"}").getBytes(UTF_8))
                        .encoding())
                .isEqualTo(Encoding.RAW);
    }

    @Test
    void oldObjectsAreCompleted() {
        ObjectValue made = value("/registry/secrets/default/a", stored("v1", "Secret", message(1, METADATA, 3, "")));

        assertThat(json(made)).endsWith(",\"type\":\"Opaque\"}");
    }

    @Test
    void anyBytesBehindTheMagicGiveAValueThatBeginsAsItMust() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] base = stored("v1", "Pod", message(1, METADATA, 2, message(3, "Always", 7, message(1, "k", 2, "v"))));
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = base.clone();
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
                bytes[4 + random.nextInt(bytes.length - 4)] = (byte) random.nextInt(256);
            }
            ObjectValue made = value("/registry/pods/default/a", bytes);
            assertThat(ObjectJson.of(made.json()).kind()).as("seed %d", seed).isEqualTo("Pod");
            assertThat(new JsonTree().parseObject(made.json()))
                    .as("seed %d", seed)
                    .isNotNull();
        }
    }
}
