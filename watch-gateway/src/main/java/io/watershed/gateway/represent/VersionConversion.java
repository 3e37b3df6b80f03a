package io.watershed.gateway.represent;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import io.watershed.log.codec.ObjectJson;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A custom resource's version whose conversion strategy is {@code None}: the same object under the other apiVersion, without the members
 * that the version's schema does not know. Objects that are stored in the version already are left as they are.
 *
 * <p><em>Source:</em> kube-apiserver's conversion {@code None} and its pruning.
 *
 * @param schema the version's {@code openAPIV3Schema}; missing to keep everything
 */
public record VersionConversion(String apiVersion, JsonNode schema) implements Conversion {
    private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
    private static final String EMBEDDED = "x-kubernetes-embedded-resource";

    /** Without the schema, which may be large: each watch that opens asks. */
    @Override
    public int hashCode() {
        return apiVersion.hashCode();
    }

    @Override
    public boolean keeps(byte[] json) {
        return ObjectJson.of(json).apiVersion().equals(apiVersion);
    }

    @Override
    public byte[] convert(byte[] json) {
        if (keeps(json)) {
            return json;
        }
        return JsonCopy.object(json, (from, to) -> {
            while (from.nextToken() == JsonToken.FIELD_NAME) {
                String name = from.currentName();
                from.nextToken();
                if (name.equals("apiVersion")) {
                    to.writeStringField(name, apiVersion);
                } else {
                    member(from, to, schema, name, true);
                }
            }
        });
    }

    /** {@code resource}: whether the object is one of the API, whose kind, apiVersion and metadata no schema names. */
    private static void member(JsonParser from, JsonGenerator to, JsonNode schema, String name, boolean resource)
            throws IOException {
        JsonNode own = schema.path("properties").path(name);
        boolean identity = resource && (name.equals("kind") || name.equals("apiVersion") || name.equals("metadata"));
        if (identity || (own.isMissingNode() && keepsUnknown(schema))) {
            to.writeFieldName(name);
            JsonCopy.value(from, to);
            return;
        }
        JsonNode of = own.isMissingNode() ? additional(schema) : own;
        if (of == null) {
            from.skipChildren();
        } else {
            to.writeFieldName(name);
            value(from, to, of);
        }
    }

    /** A schema that says nothing about the members keeps them all. */
    private static boolean keepsUnknown(JsonNode schema) {
        return schema.isMissingNode()
                || schema.path(PRESERVE).asBoolean()
                || schema.path("additionalProperties").asBoolean();
    }

    private static @Nullable JsonNode additional(JsonNode schema) {
        JsonNode additional = schema.path("additionalProperties");
        return additional.isObject() ? additional : null;
    }

    private static void value(JsonParser from, JsonGenerator to, JsonNode schema) throws IOException {
        if (from.currentToken() == JsonToken.START_OBJECT) {
            boolean resource = schema.path(EMBEDDED).asBoolean();
            to.writeStartObject();
            while (from.nextToken() == JsonToken.FIELD_NAME) {
                String name = from.currentName();
                from.nextToken();
                member(from, to, schema, name, resource);
            }
            to.writeEndObject();
        } else if (from.currentToken() == JsonToken.START_ARRAY
                && schema.path("items").isObject()) {
            to.writeStartArray();
            while (from.nextToken() != JsonToken.END_ARRAY) {
                value(from, to, schema.path("items"));
            }
            to.writeEndArray();
        } else {
            JsonCopy.value(from, to);
        }
    }
}
