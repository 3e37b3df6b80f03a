package io.watershed.e2e.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** OpenAPI v3, of which a read tier owes the custom resources: their schemas, and the path by which kubectl explain finds them. */
final class OpenApiComparison {
    private static final String WIDGETS = "/apis/example.com/v1/namespaces/{namespace}/widgets";

    private OpenApiComparison() {}

    /** The index names a document for the built-in kinds and for the custom group. */
    static List<String> ofIndexes(ObjectNode got) {
        List<String> found = new ArrayList<>();
        for (String group : List.of("apis/example.com/v1", "api/v1")) {
            if (!got.path("paths").has(group)) {
                found.add("paths: no " + group);
            }
        }
        return found;
    }

    static List<String> ofDocuments(ObjectNode want, ObjectNode got) {
        List<String> found = new ArrayList<>();
        JsonNode kind = got.path("paths").path(WIDGETS).path("get").path("x-kubernetes-group-version-kind");
        ObjectNode widget = JsonNodeFactory.instance
                .objectNode()
                .put("group", "example.com")
                .put("version", "v1")
                .put("kind", "Widget");
        if (!kind.equals(widget)) {
            found.add("paths: no GET of widgets with its group, version and kind");
        }
        found.addAll(JsonDifference.of("schemas", ownSchemas(want), ownSchemas(got)));
        return found;
    }

    private static ObjectNode ownSchemas(ObjectNode document) {
        ObjectNode own = JsonNodeFactory.instance.objectNode();
        document.path("components").path("schemas").properties().forEach(schema -> {
            if (schema.getKey().startsWith("com.example")) {
                own.set(schema.getKey(), schema.getValue());
            }
        });
        return own;
    }
}
