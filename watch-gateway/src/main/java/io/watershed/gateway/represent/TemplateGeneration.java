package io.watershed.gateway.represent;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * Of a DaemonSet's metadata alone, kube-apiserver leaves out the annotation that it makes of a field of older versions: it cuts metadata
 * out of its internal DaemonSet, which has the field, and not the annotation.
 *
 * <p><em>Source:</em> kube-apiserver 1.37's conversion of apps/v1 DaemonSets.
 */
final class TemplateGeneration implements Conversion {
    static final Conversion LEFT_OUT = new TemplateGeneration();

    private static final String ANNOTATION = "deprecated.daemonset.template.generation";

    private TemplateGeneration() {}

    @Override
    public byte[] convert(byte[] json) {
        return JsonCopy.object(json, TemplateGeneration::members);
    }

    private static void members(JsonParser from, JsonGenerator to) throws IOException {
        while (from.nextToken() == JsonToken.FIELD_NAME) {
            String name = from.currentName();
            to.writeFieldName(name);
            if (from.nextToken() == JsonToken.START_OBJECT && name.equals("metadata")) {
                to.writeStartObject();
                metadata(from, to);
                to.writeEndObject();
            } else {
                JsonCopy.value(from, to);
            }
        }
    }

    private static void metadata(JsonParser from, JsonGenerator to) throws IOException {
        while (from.nextToken() == JsonToken.FIELD_NAME) {
            String name = from.currentName();
            if (from.nextToken() == JsonToken.START_OBJECT && name.equals("annotations")) {
                annotations(from, to);
            } else {
                to.writeFieldName(name);
                JsonCopy.value(from, to);
            }
        }
    }

    /** No member at all where nothing is left. */
    private static void annotations(JsonParser from, JsonGenerator to) throws IOException {
        boolean begun = false;
        while (from.nextToken() == JsonToken.FIELD_NAME) {
            String name = from.currentName();
            from.nextToken();
            if (name.equals(ANNOTATION)) {
                from.skipChildren();
                continue;
            }
            if (!begun) {
                to.writeObjectFieldStart("annotations");
                begun = true;
            }
            to.writeFieldName(name);
            JsonCopy.value(from, to);
        }
        if (begun) {
            to.writeEndObject();
        }
    }
}
