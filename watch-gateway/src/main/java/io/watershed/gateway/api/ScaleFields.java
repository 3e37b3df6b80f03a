package io.watershed.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.watershed.catalogue.ResourceType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a resource that can be scaled has the numbers of its Scale.
 *
 * @param replicas path of how many there are to be, as {@code .spec.replicas}
 * @param current path of how many there are
 * @param selector path of what selects them; empty for none
 * @param form what is there
 * @param required whether an object without {@code replicas} has no Scale
 */
public record ScaleFields(String replicas, String current, String selector, Form form, boolean required) {
    /** How what selects is written. */
    public enum Form {
        TEXT,
        LABELS,
        LABEL_SELECTOR
    }

    private static final ScaleFields OF_APPS = builtIn(Form.LABEL_SELECTOR);
    private static final Map<String, ScaleFields> BUILT_IN = Map.of(
            "deployments.apps", OF_APPS,
            "replicasets.apps", OF_APPS,
            "statefulsets.apps", OF_APPS,
            "replicationcontrollers", builtIn(Form.LABELS));

    private static ScaleFields builtIn(Form form) {
        return new ScaleFields(".spec.replicas", ".status.replicas", ".spec.selector", form, false);
    }

    /** Null of what can't be scaled, or is not built in. */
    static @Nullable ScaleFields builtIn(ResourceType type) {
        return BUILT_IN.get(type.resource());
    }

    /** Of a version of a definition; null if it has none. */
    static @Nullable ScaleFields of(JsonNode version) {
        JsonNode scale = version.path("subresources").path("scale");
        return scale.isObject()
                ? new ScaleFields(
                        scale.path("specReplicasPath").asText(),
                        scale.path("statusReplicasPath").asText(),
                        scale.path("labelSelectorPath").asText(),
                        Form.TEXT,
                        true)
                : null;
    }

    /** What is at a path of an object: names with dots between them. */
    public static JsonNode at(JsonNode object, String path) {
        JsonNode node = object;
        for (String name : (path.startsWith(".") ? path.substring(1) : path).split("\\.", -1)) {
            node = node.path(name);
        }
        return node;
    }
}
