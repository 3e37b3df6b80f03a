package io.watershed.gateway.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.api.CustomDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The document of one group and version: for each resource the paths that can be read, and the schemas of what they answer. */
final class GroupVersionDocument {
    private static final String[] MEDIA_TYPES = {"application/json", "application/yaml"};

    private final String root;

    GroupVersionDocument(String groupVersion) {
        this.root = "/apis/" + groupVersion;
    }

    ObjectNode of(List<CustomDefinition.Version> versions) {
        ObjectNode document = JsonNodeFactory.instance.objectNode().put("openapi", "3.0.0");
        document.putObject("info").put("title", "Kubernetes CRD Swagger").put("version", "v0.1.0");
        ObjectNode paths = document.putObject("paths");
        ObjectNode schemas = document.putObject("components").putObject("schemas");
        for (CustomDefinition.Version version : versions) {
            ResourceType type = version.type();
            paths(paths, type);
            schemas.set(CustomSchema.name(type, type.kind()), CustomSchema.ofObjects(version));
            schemas.set(CustomSchema.name(type, type.listKind()), CustomSchema.ofLists(version));
        }
        Parts.SCHEMAS.properties().forEach(schema -> schemas.set(schema.getKey(), schema.getValue()));
        return document;
    }

    private void paths(ObjectNode paths, ResourceType type) {
        String scope = type.namespaced() ? "Namespaced" : "";
        List<JsonNode> parameters = new ArrayList<>();
        if (type.namespaced()) {
            parameters.add(Parts.NAMESPACE);
        }
        parameters.add(Parts.PRETTY);
        String collection = root + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.plural();
        list(paths.putObject(collection), type, scope, "", parameters);
        if (type.namespaced()) {
            list(paths.putObject(root + "/" + type.plural()), type, "", "ForAllNamespaces", List.of(Parts.PRETTY));
        }
        parameters.add(0, Parts.NAME);
        read(paths.putObject(collection + "/{name}"), type, "", scope, parameters);
        if (type.hasStatus()) {
            read(paths.putObject(collection + "/{name}/status"), type, "status", scope, parameters);
        }
    }

    private static void list(ObjectNode path, ResourceType type, String scope, String where, List<JsonNode> own) {
        ObjectNode get = path.putObject("get");
        describe(get, type, "list objects of kind " + type.kind(), "list" + operation(type, scope) + where);
        get.set("parameters", Parts.LIST_PARAMETERS);
        answers(get, type, type.listKind(), "list");
        path.putArray("parameters").addAll(own);
    }

    private static void read(ObjectNode path, ResourceType type, String part, String scope, List<JsonNode> own) {
        ObjectNode get = path.putObject("get");
        String of = part.isEmpty() ? "" : part + " of ";
        describe(
                get,
                type,
                "read " + of + "the specified " + type.kind(),
                "read" + operation(type, scope) + capitalized(part));
        get.set("parameters", Parts.READ_PARAMETERS);
        answers(get, type, type.kind(), "get");
        path.putArray("parameters").addAll(own);
    }

    private static void describe(ObjectNode get, ResourceType type, String description, String operation) {
        ArrayNode tags = get.putArray("tags");
        String group = camelCase(type.group());
        tags.add(group.substring(0, 1).toLowerCase(Locale.ROOT) + group.substring(1) + "_" + type.version());
        get.put("description", description).put("operationId", operation);
    }

    private static void answers(ObjectNode get, ResourceType type, String kind, String action) {
        ObjectNode responses = get.putObject("responses");
        ObjectNode content = responses.putObject("200").put("description", "OK").putObject("content");
        for (String mediaType : MEDIA_TYPES) {
            content.putObject(mediaType)
                    .putObject("schema")
                    .put("$ref", CustomSchema.REFERENCE + CustomSchema.name(type, kind));
        }
        responses.putObject("401").put("description", "Unauthorized");
        get.put("x-kubernetes-action", action);
        get.set("x-kubernetes-group-version-kind", CustomSchema.groupVersionKind(type, type.kind()));
    }

    /** As {@code ExampleComV1NamespacedWidget}. */
    private static String operation(ResourceType type, String scope) {
        return camelCase(type.group()) + capitalized(type.version()) + scope + type.kind();
    }

    private static String camelCase(String group) {
        StringBuilder name = new StringBuilder();
        for (String part : group.split("[.-]", -1)) {
            name.append(capitalized(part));
        }
        return name.toString();
    }

    private static String capitalized(String word) {
        return word.isEmpty() ? "" : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }
}
