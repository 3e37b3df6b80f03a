package io.watershed.gateway.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.api.CustomDefinition;

/**
 * Schemas of a custom resource's objects and of lists of them.
 *
 * <p><em>Source:</em> what kube-apiserver 1.37 makes of a definition's {@code openAPIV3Schema}.
 */
final class CustomSchema {
    static final String REFERENCE = "#/components/schemas/";

    private static final String EMBEDDED = "x-kubernetes-embedded-resource";
    private static final String PROPERTIES = "properties";

    /** Where schemas stand in a schema, besides the members of {@link #PROPERTIES}. */
    private static final String[] INNER = {"items", "additionalProperties"};

    private CustomSchema() {}

    /** As {@code com.example.v1.Widget}. */
    static String name(ResourceType type, String kind) {
        String[] labels = type.group().split("\\.", -1);
        StringBuilder name = new StringBuilder();
        for (int i = labels.length - 1; i >= 0; i--) {
            name.append(labels[i]).append('.');
        }
        return name.append(type.version()).append('.').append(kind).toString();
    }

    static ObjectNode ofObjects(CustomDefinition.Version version) {
        ObjectNode schema = version.schema() instanceof ObjectNode own
                ? own.deepCopy()
                : JsonNodeFactory.instance.objectNode().put("type", "object");
        embedded(schema);
        setAll(schema, Parts.OBJECT);
        extensions(schema, version, version.type().kind());
        return schema;
    }

    static ObjectNode ofLists(CustomDefinition.Version version) {
        ResourceType type = version.type();
        ObjectNode schema = JsonNodeFactory.instance
                .objectNode()
                .put("description", type.listKind() + " is a list of " + type.kind())
                .put("type", "object");
        schema.putArray("required").add("items");
        setAll(schema, Parts.LIST);
        schema.withObjectProperty(PROPERTIES)
                .putObject("items")
                .put(
                        "description",
                        "List of " + type.plural()
                                + ". More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md")
                .put("type", "array")
                .putObject("items")
                .put("$ref", REFERENCE + name(type, type.kind()));
        extensions(schema, version, type.listKind());
        return schema;
    }

    private static void setAll(ObjectNode schema, JsonNode members) {
        ObjectNode properties = schema.path(PROPERTIES) instanceof ObjectNode own ? own : schema.putObject(PROPERTIES);
        members.properties().forEach(member -> properties.set(member.getKey(), member.getValue()));
    }

    /** What holds a whole object has an object's members. */
    private static void embedded(ObjectNode schema) {
        schema.path(PROPERTIES).forEach(CustomSchema::embeddedIn);
        for (String inner : INNER) {
            embeddedIn(schema.path(inner));
        }
        if (schema.path(EMBEDDED).asBoolean()) {
            setAll(schema, Parts.OBJECT);
        }
    }

    private static void embeddedIn(JsonNode schema) {
        if (schema instanceof ObjectNode object) {
            embedded(object);
        }
    }

    private static void extensions(ObjectNode schema, CustomDefinition.Version version, String kind) {
        schema.putArray("x-kubernetes-group-version-kind").add(groupVersionKind(version.type(), kind));
        if (!version.selectable().isEmpty()) {
            ArrayNode fields = schema.putArray("x-kubernetes-selectable-fields");
            version.selectable().forEach(path -> fields.addObject().put("fieldPath", path.substring(1)));
        }
    }

    static ObjectNode groupVersionKind(ResourceType type, String kind) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("group", type.group())
                .put("version", type.version())
                .put("kind", kind);
    }
}
