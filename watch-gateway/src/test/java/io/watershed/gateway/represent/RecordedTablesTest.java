package io.watershed.gateway.represent;

import static io.watershed.gateway.represent.RawJson.list;
import static io.watershed.gateway.represent.RawJson.map;
import static io.watershed.gateway.represent.RawJson.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.api.Accept;
import io.watershed.gateway.api.ApiFailure;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tables as a kube-apiserver 1.37 answered them, beside the objects that they are of. In {@code made-tables} the objects were put into
 * etcd for the sake of every rule of every kind, some of them such as no client could write.
 */
class RecordedTablesTest {
    private static final Accept.Conversion TABLE = new Accept.Conversion("meta.k8s.io", "v1", "Table");

    static Stream<Named<Map<String, Object>>> recorded() {
        return Stream.of("golden-tables.jsonl", "made-tables.jsonl")
                .flatMap(file -> RawJson.lines(file).stream()
                        .map(table ->
                                Named.of(file.substring(0, file.indexOf('-')) + " " + text(table, "resource"), table)));
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void showsTheColumnsAndCellsOfKubeApiserver(Map<String, Object> recorded) throws ApiFailure {
        Map<String, Object> table = map(RawJson.read(answer(recorded, "")));

        assertThat(table).containsEntry("kind", "Table").containsEntry("apiVersion", "meta.k8s.io/v1");
        assertThat(columns(table)).isEqualTo(recorded.get("columns"));
        List<Object> rows = new ArrayList<>();
        for (Object row : list(table.get("rows"))) {
            Map<String, Object> shown = new TreeMap<>(map(row));
            shown.remove("object");
            rows.add(shown);
        }
        assertThat(rows).hasSameSizeAs(list(recorded.get("rows")));
        for (int i = 0; i < rows.size(); i++) {
            assertThat(rows.get(i)).isEqualTo(list(recorded.get("rows")).get(i));
        }
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void holdsWhatWasAskedForOfEachObject(Map<String, Object> recorded) throws ApiFailure {
        List<Object> items = list(recorded.get("items"));
        List<Object> whole = objects(answer(recorded, "Object"));
        List<Object> metadata = objects(answer(recorded, "Metadata"));
        List<Object> none = objects(answer(recorded, "None"));

        assertThat(whole).containsExactlyInAnyOrderElementsOf(items);
        assertThat(metadata)
                .containsExactlyInAnyOrderElementsOf(items.stream()
                        .map(item -> (Object) new TreeMap<>(Map.of(
                                "kind",
                                "PartialObjectMetadata",
                                "apiVersion",
                                "meta.k8s.io/v1",
                                "metadata",
                                shown(recorded, Objects.requireNonNull(map(item).get("metadata"))))))
                        .toList());
        assertThat(none).hasSameSizeAs(items).containsOnlyNulls();
    }

    /** Of DaemonSets one annotation is no metadata to kube-apiserver. */
    private static Object shown(Map<String, Object> recorded, Object metadata) {
        Object annotations = map(metadata).get("annotations");
        if (!text(recorded, "resource").equals("daemonsets.apps") || annotations == null) {
            return metadata;
        }
        Map<String, Object> left = new TreeMap<>(map(annotations));
        left.remove("deprecated.daemonset.template.generation");
        Map<String, Object> shown = new TreeMap<>(map(metadata));
        if (left.isEmpty()) {
            shown.remove("annotations");
        } else {
            shown.put("annotations", left);
        }
        return shown;
    }

    @Test
    void coversEveryKindThatHasColumns() {
        List<String> covered =
                recorded().map(table -> text(table.getPayload(), "resource")).toList();

        assertThat(covered)
                .containsAll(BuiltInPrinters.resources().stream()
                        .filter(resource -> !resource.equals("scale.autoscaling"))
                        .toList());
    }

    private static byte[] answer(Map<String, Object> recorded, String includeObject) throws ApiFailure {
        ResourceType type = type(recorded);
        Object definition = recorded.get("definition");
        Printer custom = definition == null
                ? Representations.nameAndAge()
                : CustomPrinters.of(JsonTree.of(RawJson.canonical(definition)), type.version());
        Instant now = Instant.ofEpochSecond(
                Long.parseLong(((RawJson.Digits) Objects.requireNonNull(recorded.get("now"))).text()));
        Representation representation = new Representations(() -> now, other -> custom, other -> Conversion.NONE)
                .of(TABLE, Syntax.JSON, type, true, false, includeObject);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ListWriter writer = representation.list(new ListMeta(7, null, 0));
        writer.begin(out::write);
        for (Object item : list(recorded.get("items"))) {
            writer.item(RawJson.canonical(item), out::write);
        }
        writer.end(out::write);
        return out.toByteArray();
    }

    static ResourceType type(Map<String, Object> recorded) {
        String resource = text(recorded, "resource");
        int dot = resource.indexOf('.');
        String plural = dot < 0 ? resource : resource.substring(0, dot);
        String group = dot < 0 ? "" : resource.substring(dot + 1);
        return BuiltInResources.byResource(resource)
                .orElseGet(() -> new ResourceType(
                        group, text(recorded, "version"), "Kind", plural, "", true, List.of(), List.of(), ""));
    }

    private static List<Object> columns(Map<String, Object> table) {
        List<Object> columns = new ArrayList<>();
        for (Object definition : list(table.get("columnDefinitions"))) {
            Map<String, Object> column = map(definition);
            assertThat(column).containsOnlyKeys("name", "type", "format", "description", "priority");
            columns.add(List.of(
                    text(column, "name"),
                    text(column, "type"),
                    text(column, "format"),
                    Objects.requireNonNull(column.get("priority"))));
        }
        return columns;
    }

    private static List<Object> objects(byte[] table) {
        List<Object> objects = new ArrayList<>();
        list(map(RawJson.read(table)).get("rows")).forEach(row -> objects.add(map(row).get("object")));
        return objects;
    }
}
