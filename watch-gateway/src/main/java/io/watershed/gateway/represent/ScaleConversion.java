package io.watershed.gateway.represent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.watershed.gateway.api.ScaleFields;
import java.nio.charset.StandardCharsets;

/**
 * What can be scaled as an autoscaling/v1 Scale: how many there are to be, how many there are, and what selects them.
 *
 * <p><em>Source:</em> the scale subresources of kube-apiserver 1.37.
 */
record ScaleConversion(ScaleFields fields) implements Conversion {
    /** Of an object's metadata a Scale has these; the revision comes first in all objects. */
    private static final String[] METADATA = {"resourceVersion", "name", "namespace", "uid", "creationTimestamp"};

    @Override
    public byte[] convert(byte[] json) {
        JsonNode object = JsonTree.of(json);
        ObjectNode scale = JsonTree.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
        ObjectNode metadata = scale.putObject("metadata");
        for (String name : METADATA) {
            JsonNode value = object.path("metadata").path(name);
            if (!value.isMissingNode()) {
                metadata.set(name, value);
            }
        }
        ObjectNode spec = scale.putObject("spec");
        long replicas = ScaleFields.at(object, fields.replicas()).asLong();
        if (replicas != 0) {
            spec.put("replicas", replicas);
        }
        ObjectNode status = scale.putObject("status");
        status.put("replicas", ScaleFields.at(object, fields.current()).asLong());
        String selector = selector(object);
        if (!selector.isEmpty()) {
            status.put("selector", selector);
        }
        return scale.toString().getBytes(StandardCharsets.UTF_8);
    }

    private String selector(JsonNode object) {
        JsonNode selector = ScaleFields.at(object, fields.selector());
        return switch (fields.form()) {
            case TEXT -> selector.isTextual() ? selector.textValue() : "";
            case LABELS -> selector.isEmpty() ? "" : Cells.labels(selector);
            case LABEL_SELECTOR -> Cells.selector(selector, "", "");
        };
    }

    /** Whether an object has a Scale. */
    static boolean isIn(byte[] json, ScaleFields fields) {
        return !fields.required()
                || ScaleFields.at(JsonTree.of(json), fields.replicas()).isNumber();
    }
}
