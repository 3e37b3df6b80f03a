package io.watershed.gateway.represent;

import static io.watershed.gateway.represent.RawJson.list;
import static io.watershed.gateway.represent.RawJson.map;
import static io.watershed.gateway.represent.RawJson.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.api.Resources;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/** Lists and objects in JSON, indented JSON and YAML, as a kube-apiserver 1.37 wrote them. */
class RecordedAnswersTest {
    static Stream<Named<Map<String, Object>>> lists() {
        return RawJson.lines("lists.jsonl").stream().map(list -> Named.of(text(list, "resource"), list));
    }

    @ParameterizedTest
    @MethodSource("lists")
    void listsInJson(Map<String, Object> recorded) {
        assertThat(RawJson.read(write(recorded, Syntax.JSON))).isEqualTo(recorded.get("list"));
    }

    @ParameterizedTest
    @MethodSource("lists")
    void listsInYaml(Map<String, Object> recorded) {
        String written = new String(write(recorded, Syntax.YAML), UTF_8);
        String expected = text(recorded, "yaml");

        assertThat(new Yaml().<Object>load(written))
                .isEqualTo(new Yaml().<Object>load(RawJson.write(recorded.get("list"))));
        // Go's writer escapes what is beyond 16 bits, and leaves line breaks that are no line feeds to chance.
        if (expected.chars().noneMatch(c -> c > 0x7f)) {
            assertThat(written).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("lists")
    void indentsWhatItWritesInPieces(Map<String, Object> recorded) {
        String indented = new String(write(recorded, Syntax.INDENTED_JSON), UTF_8);

        assertThat(indented).doesNotEndWith("\n").startsWith("{\n  \"kind\": ");
        assertThat(indented).isEqualTo(new String(Syntax.INDENTED_JSON.document(write(recorded, Syntax.JSON)), UTF_8));
        assertThat(RawJson.read(indented)).isEqualTo(recorded.get("list"));
    }

    @ParameterizedTest
    @EnumSource(Syntax.class)
    void listsNothingAsNothing(Syntax syntax) {
        ResourceType pods = BuiltInResources.byResource("pods").orElseThrow();
        Representation representation = new Representation(new Transform.Whole(pods, Conversion.NONE), syntax);
        String expected = switch (syntax) {
            case JSON ->
                "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"917\"},\"items\":[]}\n";
            case INDENTED_JSON -> """
                    {
                      "kind": "PodList",
                      "apiVersion": "v1",
                      "metadata": {
                        "resourceVersion": "917"
                      },
                      "items": []
                    }""";
            case YAML -> """
                    apiVersion: v1
                    items: []
                    kind: PodList
                    metadata:
                      resourceVersion: "917"
                    """;
        };

        assertThat(new String(write(representation, new ListMeta(917, null, 0), List.of()), UTF_8))
                .isEqualTo(expected);
    }

    @Test
    void saysWhereTheNextPageBegins() {
        ResourceType pods = BuiltInResources.byResource("pods").orElseThrow();
        Representation representation = new Representation(new Transform.Whole(pods, Conversion.NONE), Syntax.JSON);

        assertThat(new String(write(representation, new ListMeta(917, "abc", 4), List.of()), UTF_8))
                .contains("\"metadata\":{\"resourceVersion\":\"917\",\"continue\":\"abc\",\"remainingItemCount\":4}");
    }

    @Test
    void writesOneObjectInYaml() {
        Map<String, Object> recorded = answer("get-yaml");

        assertThat(new String(whole(recorded, Syntax.YAML), UTF_8)).isEqualTo(recorded.get("answer"));
    }

    @Test
    void indentsOneObject() {
        Map<String, Object> recorded = answer("get-pretty");
        byte[] compact = text(recorded, "compact").getBytes(UTF_8);

        assertThat(new String(Syntax.INDENTED_JSON.document(compact), UTF_8)).isEqualTo(recorded.get("answer"));
        assertThat(new String(Syntax.JSON.document(compact), UTF_8)).isEqualTo(text(recorded, "compact") + "\n");
    }

    @Test
    void cutsObjectsDownToTheirMetadata() {
        for (String name : List.of("get-meta", "get-meta-cr")) {
            Map<String, Object> recorded = answer(name);
            Transform metadata = new Transform.Metadata("meta.k8s.io/v1", Conversion.NONE);
            byte[] object = RawJson.canonical(Objects.requireNonNull(recorded.get("object")));

            assertThat(RawJson.read(metadata.object(object))).isEqualTo(RawJson.read(text(recorded, "answer")));
            assertThat(metadata.event(object)).isEqualTo(metadata.object(object));
        }
    }

    @Test
    void cutsWhereMetadataEnds() {
        String rest = ",\"name\":\"}\\\"{\\\\\",\"labels\":{\"a\":\"}}\"}}";

        for (String behind : List.of("}", ",\"spec\":{\"metadata\":{}}}")) {
            byte[] object = ("{\"kind\":\"K\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"5\"" + rest
                            + behind)
                    .getBytes(UTF_8);
            assertThat(new String(new Transform.Metadata("meta.k8s.io/v1beta1", Conversion.NONE).object(object), UTF_8))
                    .isEqualTo("{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1beta1\","
                            + "\"metadata\":{\"resourceVersion\":\"5\"" + rest + "}");
        }
    }

    private static Map<String, Object> answer(String name) {
        return RawJson.lines("objects.jsonl").stream()
                .filter(recorded -> name.equals(recorded.get("name")))
                .findFirst()
                .orElseThrow();
    }

    private static byte[] whole(Map<String, Object> recorded, Syntax syntax) {
        ResourceType any = BuiltInResources.byResource("configmaps").orElseThrow();
        return new Representation(new Transform.Whole(any, Conversion.NONE), syntax)
                .object(RawJson.canonical(Objects.requireNonNull(recorded.get("object"))));
    }

    private static byte[] write(Map<String, Object> recorded, Syntax syntax) {
        Map<String, Object> list = map(recorded.get("list"));
        String apiVersion = text(list, "apiVersion");
        ResourceType known = RecordedTablesTest.type(recorded);
        String kind = text(list, "kind");
        ResourceType type = new ResourceType(
                known.group(),
                known.version(),
                kind.substring(0, kind.length() - "List".length()),
                known.plural(),
                known.singular(),
                known.namespaced(),
                List.of(),
                List.of(),
                "");
        assertThat(type.apiVersion()).isEqualTo(apiVersion);
        assertThat(Resources.hasTypedItems(type)).isNotEqualTo(apiVersion.contains("example.com"));
        Representation representation = new Representation(new Transform.Whole(type, Conversion.NONE), syntax);
        long revision = Long.parseLong(text(recorded, "resourceVersion"));
        return write(representation, new ListMeta(revision, null, 0), list(recorded.get("items")));
    }

    private static byte[] write(Representation representation, ListMeta meta, List<Object> items) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ListWriter writer = representation.list(meta);
        writer.begin(out::write);
        items.forEach(item -> writer.item(RawJson.canonical(item), out::write));
        writer.end(out::write);
        return out.toByteArray();
    }
}
