package io.watershed.ingest.transcode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProtobufVectorsTest {
    static Stream<Path> generated() {
        return Vector.generated();
    }

    static void assertEqual(Vector vector) throws Undecodable {
        assertThat(json(ProtobufObject.of(vector.stored()))).isEqualTo(vector.json());
    }

    static Map<String, @Nullable Object> json(ProtobufObject object) throws Undecodable {
        if (object.kind().isEmpty()) { // the one kind that is written without a name
            return Vector.members(Vector.tree(new String(object.plainJson("v1", "WatchEvent"), UTF_8)));
        }
        byte[] json = object.plainJson(object.apiVersion(), object.kind());
        Map<String, @Nullable Object> decoded = new TreeMap<>();
        decoded.put("kind", object.kind());
        decoded.put("apiVersion", object.apiVersion());
        decoded.putAll(Vector.members(Vector.tree(new String(json, UTF_8))));
        return decoded;
    }

    @Test
    void everyKindWithEveryFieldIsDecodedAsKubernetesShowsIt() throws Undecodable {
        List<Vector> vectors = Vector.full();
        assertThat(vectors).hasSize(193);
        for (Vector vector : vectors) {
            assertEqual(vector);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("generated")
    void randomObjectsOfAKindAreDecodedAsKubernetesShowsThem(Path file) throws Undecodable {
        for (Vector vector : Vector.read(file)) {
            assertEqual(vector);
        }
    }

    @Test
    void allGeneratedVectorsAreThere() {
        assertThat(Vector.generated().mapToInt(file -> Vector.read(file).size()).sum())
                .isEqualTo(2408);
    }
}
