package io.watershed.ingest.decode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.watershed.ingest.catalogue.KeyCatalogue;
import io.watershed.ingest.etcd.EtcdValue;
import io.watershed.log.EtcdKey;
import io.watershed.log.ObjectValue;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a kube-apiserver 1.37.2 held in etcd, and what it answered for it. {@code check} names the members that count: of objects as older
 * releases stored them it shows defaults that are left out here.
 */
class RecordedObjectsTest {
    /** One object: key, revision, stored value in base64, the answer. */
    record Recorded(String key, long revision, String stored, Map<String, @Nullable Object> answer, List<?> check) {
        @Override
        public String toString() {
            return key + "@" + revision;
        }
    }

    static Stream<Recorded> recorded() throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(
                        Objects.requireNonNull(RecordedObjectsTest.class.getResourceAsStream("recorded.jsonl.gz"))),
                UTF_8))) {
            return lines.lines().map(RecordedObjectsTest::parse).toList().stream();
        }
    }

    private static Recorded parse(String line) {
        Map<String, @Nullable Object> row = Objects.requireNonNull(new JsonTree().parseObject(line.getBytes(UTF_8)));
        return new Recorded(
                Members.text(row, "key"),
                Long.parseLong(((JsonTree.Digits) Objects.requireNonNull(row.get("revision"))).text()),
                Members.text(row, "pb"),
                Members.child(row, "json"),
                row.get("check") instanceof List<?> check ? check : List.of());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("recorded")
    void objectIsPublishedAsKubeApiserverShowsIt(Recorded recorded) {
        Map<String, @Nullable Object> ours = decoded(recorded);
        if (recorded.check.isEmpty()) {
            assertThat(ours).isEqualTo(recorded.answer);
        }
        for (Object path : recorded.check) {
            assertThat(at(ours, (String) path)).as("%s", path).isEqualTo(at(recorded.answer, (String) path));
        }
    }

    @Test
    void allAreThere() throws IOException {
        assertThat(recorded().count()).isEqualTo(219);
        assertThat(recorded().filter(recorded -> !recorded.check.isEmpty()).count())
                .isEqualTo(9);
    }

    private static Map<String, @Nullable Object> decoded(Recorded recorded) {
        ValueDecoder decoder =
                new ValueDecoder(new KeyCatalogue(EtcdKey.utf8("/registry/"), List.of()), new SimpleMeterRegistry());
        ObjectValue value = Objects.requireNonNull(decoder.decode(new EtcdValue(
                        EtcdKey.utf8(recorded.key),
                        Base64.getDecoder().decode(recorded.stored),
                        1,
                        recorded.revision,
                        1,
                        0))
                .value());
        assertThat(value.encoding()).isNull();
        return Objects.requireNonNull(new JsonTree().parseObject(value.json()));
    }

    private static @Nullable Object at(Map<String, @Nullable Object> object, String path) {
        int dot = path.indexOf('.');
        return dot < 0
                ? object.get(path)
                : at(Objects.requireNonNull(Members.object(object, path.substring(0, dot))), path.substring(dot + 1));
    }
}
