package io.watershed.gateway.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.watershed.catalogue.BuiltInResources;
import io.watershed.gateway.api.CustomDefinition;
import io.watershed.gateway.api.Resources;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OpenApiTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SCHEMA = "'type':'object','description':'a widget','properties':{"
            + "'metadata':{'type':'object'},'spec':{'type':'object','properties':{'color':{'type':'string'}}}}";
    private static final String WIDGETS = definition("widgets", "Widget", "Namespaced", "v1", SCHEMA);
    private static final String PLANETS = definition("planets", "Planet", "Cluster", "v1", "");

    private final OpenApi openApi = new OpenApi();

    private static String definition(String plural, String kind, String scope, String version, String schema) {
        return "{'metadata':{'name':'" + plural + ".a-b.example.com'},'spec':{'group':'a-b.example.com','scope':'"
                + scope
                + "','names':{'plural':'" + plural + "','kind':'" + kind + "'},'versions':[{'name':'" + version
                + "','served':true,'storage':true"
                + (schema.isEmpty()
                        ? ""
                        : ",'subresources':{'status':{}},'selectableFields':[{'jsonPath':'.spec.color'}],"
                                + "'schema':{'openAPIV3Schema':{" + schema + "}}")
                + "}]}}";
    }

    private static Resources resources(String... definitions) throws IOException {
        List<CustomDefinition> all = new ArrayList<>();
        for (String definition : definitions) {
            all.add(CustomDefinition.of(JSON.readTree(definition.replace('\'', '"'))));
        }
        return new Resources(BuiltInResources.kubernetes(), all);
    }

    private JsonNode document(String... definitions) throws IOException {
        return JSON.readTree(Objects.requireNonNull(openApi.document(resources(definitions), "a-b.example.com/v1"))
                .json());
    }

    private static JsonNode json(String text) throws IOException {
        return JSON.readTree(text.replace('\'', '"'));
    }

    @Test
    void aSchemaIsThatOfTheDefinitionWithWhatEveryObjectHas() throws IOException {
        JsonNode schema = document(WIDGETS).at("/components/schemas").path("com.example.a-b.v1.Widget");

        assertThat(schema.path("description").asText()).isEqualTo("a widget");
        assertThat(names(schema.path("properties"))).containsExactly("apiVersion", "kind", "metadata", "spec");
        assertThat(schema.at("/properties/spec"))
                .isEqualTo(json("{'type':'object','properties':{'color':{'type':'string'}}}"));
        assertThat(schema.at("/properties/metadata/allOf"))
                .isEqualTo(json("[{'$ref':'#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'}]"));
        assertThat(schema.path("x-kubernetes-group-version-kind"))
                .isEqualTo(json("[{'group':'a-b.example.com','version':'v1','kind':'Widget'}]"));
        assertThat(schema.path("x-kubernetes-selectable-fields")).isEqualTo(json("[{'fieldPath':'spec.color'}]"));
    }

    @Test
    void aDefinitionWithoutASchemaHasObjects() throws IOException {
        JsonNode schema = document(PLANETS).at("/components/schemas").path("com.example.a-b.v1.Planet");

        assertThat(schema.path("type").asText()).isEqualTo("object");
        assertThat(names(schema.path("properties"))).containsExactly("apiVersion", "kind", "metadata");
        assertThat(schema.has("x-kubernetes-selectable-fields")).isFalse();
    }

    @Test
    void objectsInsideOfObjectsHaveWhatEveryObjectHas() throws IOException {
        String template = "'type':'object','x-kubernetes-embedded-resource':true";
        String schema = "'type':'object','properties':{'one':{" + template + "},'many':{'type':'array','items':{"
                + template
                + ",'properties':{'x':{'type':'string'}}}},'named':{'type':'object','additionalProperties':{" + template
                + "}},'open':{'type':'object','additionalProperties':true},'plain':{'type':'object'}}";

        JsonNode properties = document(definition("widgets", "Widget", "Namespaced", "v1", schema))
                .at("/components/schemas")
                .path("com.example.a-b.v1.Widget")
                .path("properties");

        assertThat(names(properties.at("/one/properties"))).containsExactly("apiVersion", "kind", "metadata");
        assertThat(names(properties.at("/many/items/properties")))
                .containsExactly("apiVersion", "kind", "metadata", "x");
        assertThat(names(properties.at("/named/additionalProperties/properties")))
                .containsExactly("apiVersion", "kind", "metadata");
        assertThat(properties.path("open")).isEqualTo(json("{'type':'object','additionalProperties':true}"));
        assertThat(properties.path("plain")).isEqualTo(json("{'type':'object'}"));
    }

    @Test
    void pathsAreThoseThatCanBeRead() throws IOException {
        JsonNode document = document(WIDGETS, PLANETS);
        JsonNode paths = document.path("paths");
        String root = "/apis/a-b.example.com/v1/";

        assertThat(names(paths))
                .containsExactlyInAnyOrder(
                        root + "namespaces/{namespace}/widgets",
                        root + "namespaces/{namespace}/widgets/{name}",
                        root + "namespaces/{namespace}/widgets/{name}/status",
                        root + "widgets",
                        root + "planets",
                        root + "planets/{name}");
        for (JsonNode path : paths) {
            assertThat(names(path)).containsExactly("get", "parameters");
        }
        JsonNode list = paths.path(root + "namespaces/{namespace}/widgets").path("get");
        assertThat(list.path("operationId").asText()).isEqualTo("listABExampleComV1NamespacedWidget");
        assertThat(list.path("tags")).isEqualTo(json("['aBExampleCom_v1']"));
        assertThat(list.path("x-kubernetes-action").asText()).isEqualTo("list");
        assertThat(list.path("x-kubernetes-group-version-kind"))
                .isEqualTo(json("{'group':'a-b.example.com','version':'v1','kind':'Widget'}"));
        assertThat(list.at("/responses/200/content").path("application/json"))
                .isEqualTo(json("{'schema':{'$ref':'#/components/schemas/com.example.a-b.v1.WidgetList'}}"));
        assertThat(paths.path(root + "namespaces/{namespace}/widgets/{name}/status")
                        .at("/get/operationId")
                        .asText())
                .isEqualTo("readABExampleComV1NamespacedWidgetStatus");
        assertThat(parameters(paths.path(root + "planets/{name}"))).containsExactly("name", "pretty");
        assertThat(parameters(paths.path(root + "namespaces/{namespace}/widgets")))
                .containsExactly("namespace", "pretty");
    }

    @Test
    void everyReferenceLeadsSomewhere() throws IOException {
        JsonNode document = document(WIDGETS, PLANETS);
        List<String> references = document.findValuesAsText("$ref");

        assertThat(references)
                .isNotEmpty()
                .allSatisfy(reference -> assertThat(document.at("/components/schemas")
                                .has(reference.substring("#/components/schemas/".length())))
                        .as(reference)
                        .isTrue());
    }

    @Test
    void theIndexNamesTheDocumentsOfCustomGroupsByTheirHashes() throws IOException {
        Resources resources = resources(WIDGETS, definition("odds", "Odd", "Cluster", "v2", ""));
        OpenApi.Document document = Objects.requireNonNull(openApi.document(resources, "a-b.example.com/v1"));

        JsonNode paths = JSON.readTree(openApi.index(resources)).path("paths");
        assertThat(names(paths)).containsExactly("apis/a-b.example.com/v1", "apis/a-b.example.com/v2");
        assertThat(paths.path("apis/a-b.example.com/v1")
                        .path("serverRelativeURL")
                        .asText())
                .isEqualTo("/openapi/v3/apis/a-b.example.com/v1?hash=" + document.hash());
        assertThat(document.hash()).matches("[0-9A-F]{128}");
        assertThat(openApi.document(resources, "apps/v1")).isNull();
        assertThat(openApi.document(resources, "a-b.example.com/v3")).isNull();
        assertThat(names(JSON.readTree(openApi.index(resources())).path("paths")))
                .isEmpty();
    }

    @Test
    void aHashChangesWithWhatItIsOfAndOnlyThen() throws IOException {
        String first = openApi.index(resources(WIDGETS));

        assertThat(openApi.index(resources(WIDGETS))).isEqualTo(first);
        assertThat(new OpenApi().index(resources(WIDGETS))).isEqualTo(first);
        assertThat(openApi.index(resources(WIDGETS.replace("a widget", "the widget"))))
                .isNotEqualTo(first);
        assertThat(openApi.index(resources(WIDGETS, PLANETS))).isNotEqualTo(first);
        assertThat(openApi.index(resources(WIDGETS))).isEqualTo(first);
    }

    private static List<String> parameters(JsonNode path) {
        List<String> names = new ArrayList<>();
        path.path("parameters")
                .forEach(parameter -> names.add(parameter.path("name").asText()));
        return names;
    }

    private static Set<String> names(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
