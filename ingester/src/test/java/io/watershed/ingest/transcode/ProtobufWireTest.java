package io.watershed.ingest.transcode;

import static io.watershed.ingest.transcode.StoredForm.message;
import static io.watershed.ingest.transcode.StoredForm.stored;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.ingest.transcode.ProtobufObject.Identity;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What protobuf allows beyond what Kubernetes writes, and what is no protobuf. */
class ProtobufWireTest {
    private static final Identity POD = new Identity("Pod", "v1", 7, "web-0", "default");

    static Stream<Path> generated() {
        return Vector.generated();
    }

    private static DecodedObject pod(byte[] message) throws Undecodable {
        ProtobufObject object = ProtobufObject.of(stored("v1", "Pod", message));
        return object.json("v1", "Pod", POD);
    }

    private static String podJson(byte[] message) throws Undecodable {
        return new String(pod(message).json(), UTF_8);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("generated")
    void orderOfFieldsAndPiecesOfMessagesDoNotMatter(Path file) throws Undecodable {
        long seed = new Random().nextLong();
        Reencoding reencoding = new Reencoding(new Random(seed));
        for (Vector vector : Vector.read(file)) {
            byte[] other = reencoding.of(vector.stored());
            assertThat(ProtobufVectorsTest.json(ProtobufObject.of(other)))
                    .as("seed %d", seed)
                    .isEqualTo(vector.json());
        }
    }

    @Test
    void truncatedValuesAreRefusedAndNothingElseIsThrown() {
        List<Vector> vectors = Vector.full();
        int refused = 0;
        for (int index = 0; index < vectors.size(); index += 8) {
            byte[] stored = vectors.get(index).stored();
            for (int length = 4; length < stored.length; length++) {
                refused += refuses(Arrays.copyOf(stored, length)) ? 1 : 0;
            }
        }
        assertThat(refused).isGreaterThan(10_000);
    }

    @Test
    void damagedValuesAreDecodedOrRefusedAndNothingElseIsThrown() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int refused = 0;
        for (Vector vector : Vector.full()) {
            for (int round = 0; round < 40; round++) {
                byte[] damaged = vector.stored().clone();
                for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                    damaged[4 + random.nextInt(damaged.length - 4)] = (byte) random.nextInt(256);
                }
                refused += refuses(damaged) ? 1 : 0;
            }
        }
        assertThat(refused).as("seed %d", seed).isGreaterThan(500);
    }

    private static boolean refuses(byte[] value) {
        try {
            ProtobufObject object = ProtobufObject.of(value);
            // What is decoded is JSON: this parser fails on anything else.
            assertThat(Vector.tree(new String(object.plainJson(object.apiVersion(), object.kind()), UTF_8)))
                    .isNotNull();
            return false;
        } catch (Undecodable e) {
            return true;
        }
    }

    @Test
    void unknownFieldIsLeftOutAndMarksTheObject() throws Undecodable {
        DecodedObject known = pod(message(1, message(1, "web-0"), 2, message(3, "Always")));
        DecodedObject inSpec = pod(message(1, message(1, "web-0"), 2, message(3, "Always", 1000, "new")));
        DecodedObject atTop = pod(message(1, message(1, "web-0"), 2, message(3, "Always"), 9, 1));
        DecodedObject inMetadata = pod(message(1, message(1, "web-0", 99, ""), 2, message(3, "Always")));
        DecodedObject inTime = pod(message(1, message(1, "web-0", 9, message(1, 5, 7, 1)), 2, message(3, "Always")));
        DecodedObject inEntry = pod(message(1, message(1, "web-0", 11, message(1, "a", 2, "b", 3, 1))));

        assertThat(known.isPartial()).isFalse();
        assertThat(inSpec.isPartial()).isTrue();
        assertThat(inSpec.json()).isEqualTo(known.json());
        assertThat(atTop.isPartial()).isTrue();
        assertThat(inMetadata.isPartial()).isTrue();
        assertThat(inTime.isPartial()).isTrue();
        assertThat(inEntry.isPartial()).isTrue();
    }

    @Test
    void clusterNameThatOldReleasesWroteEmptyMarksNothing() throws Undecodable {
        assertThat(pod(message(1, message(1, "web-0", 15, ""))).isPartial()).isFalse();
        assertThat(pod(message(1, message(1, "web-0", 15, "kcp"))).isPartial()).isTrue();
    }

    @Test
    void objectBeginsWithItsIdentityWhereverMetadataStands() throws Undecodable {
        String expected =
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\",\"name\":\"web-0\","
                        + "\"namespace\":\"default\",\"uid\":\"u\"},\"spec\":{\"containers\":null,\"restartPolicy\":\"Never\"},"
                        + "\"status\":{}}";
        byte[] metadata = message(1, "web-0", 3, "default", 5, "u", 6, "3");

        assertThat(podJson(message(1, metadata, 2, message(3, "Never")))).isEqualToIgnoringWhitespace(order(expected));
        assertThat(Vector.tree(podJson(message(2, message(3, "Never"), 1, metadata))))
                .isEqualTo(Vector.tree(expected));
        assertThat(podJson(message(2, message(3, "Never"), 1, metadata))).startsWith(expected.substring(0, 60));
    }

    /** What is not on the wire comes behind what is. */
    private static String order(String json) {
        return json.replace(
                "\"containers\":null,\"restartPolicy\":\"Never\"", "\"restartPolicy\":\"Never\",\"containers\":null");
    }

    @Test
    void keyWinsOverNameAndNamespace() throws Undecodable {
        assertThat(pod(message(1, message(1, "other"))).contradictsKey()).isTrue();
        assertThat(pod(message(1, message(1, "web-0", 3, "x"))).contradictsKey())
                .isTrue();
        assertThat(pod(message(1, message(1, "web-0", 3, "default"))).contradictsKey())
                .isFalse();
        assertThat(pod(message(1, message(1, "", 3, ""))).contradictsKey()).isFalse();
        assertThat(podJson(message(1, message(1, "other", 3, "x"))))
                .contains("\"name\":\"web-0\",\"namespace\":\"default\"")
                .doesNotContain("other");
    }

    @Test
    void lastOfAScalarCountsAndPiecesOfAMessageAreOne() throws Undecodable {
        assertThat(podJson(message(
                        1, message(5, "a"), 1, message(5, "b", 2, "g"), 2, message(3, "x"), 2, message(3, "y"))))
                .contains("\"generateName\":\"g\",\"uid\":\"b\"")
                .contains("\"restartPolicy\":\"y\"");
    }

    @Test
    void numbersOfAListMayBePackedAndPackedNothingIsNothing() throws Undecodable {
        byte[] packed = {1, 2};
        byte[] nothing = {};

        assertThat(podJson(message(2, message(14, message(4, packed, 4, 3, 4, nothing)))))
                .contains("\"supplementalGroups\":[1,2,3]}");
        assertThat(podJson(message(2, message(14, message(4, nothing, 4, 3))))).contains("\"supplementalGroups\":[3]}");
        assertThat(podJson(message(2, message(14, message(4, nothing))))).contains("\"securityContext\":{}");
    }

    @Test
    void wrongWireTypeIsRefused() {
        assertThatThrownBy(() -> pod(message(1, message(5, 1)))).isInstanceOf(Undecodable.class);
        assertThatThrownBy(() -> pod(message(1, 1))).isInstanceOf(Undecodable.class);
    }

    @Test
    void nestingIsBounded() throws Undecodable {
        byte[] schema = message(5, "object");
        for (int depth = 0; depth < 390; depth++) {
            schema = message(28, schema); // not
        }
        assertThat(crd(schema)).contains("\"type\":\"object\"");
        byte[] tooDeep = schema;
        for (int depth = 0; depth < 1000; depth++) {
            tooDeep = message(28, tooDeep);
        }
        byte[] refused = tooDeep;
        assertThatThrownBy(() -> crd(refused)).isInstanceOf(Undecodable.class).hasMessageContaining("nested");
    }

    private static String crd(byte[] schema) throws Undecodable {
        byte[] version = message(1, "v1", 4, message(1, schema));
        ProtobufObject object = ProtobufObject.of(
                stored("apiextensions.k8s.io/v1", "CustomResourceDefinition", message(2, message(7, version))));
        return new String(object.plainJson(object.apiVersion(), object.kind()), UTF_8);
    }

    @Test
    void missingOfWhatTodaysReleasesWriteIsNoticed() throws Undecodable {
        byte[] full = message(3, "Always", 6, "ClusterFirst", 19, "default-scheduler");

        assertThat(pod(message(2, full)).isIncomplete()).isFalse();
        assertThat(pod(message(2, message(3, "Always", 6, "ClusterFirst", 19, "")))
                        .isIncomplete())
                .isTrue();
        assertThat(pod(message(2, full, 3, message(6, "10.0.0.1"))).isIncomplete())
                .isTrue();
        assertThat(pod(message(2, full, 3, message(6, "10.0.0.1", 12, message(1, "10.0.0.1"))))
                        .isIncomplete())
                .isFalse();
        assertThat(pod(message(1, message(1, "web-0"))).isIncomplete())
                .as("no spec")
                .isTrue();
    }

    @Test
    void unknownEncodingOfTheEnvelopeIsRefused() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(stored("v1", "Pod", message(1, message(1, "web-0"))));
        out.writeBytes(message(3, "gzip"));

        assertThatThrownBy(() -> ProtobufObject.of(out.toByteArray())).isInstanceOf(Undecodable.class);
    }
}
