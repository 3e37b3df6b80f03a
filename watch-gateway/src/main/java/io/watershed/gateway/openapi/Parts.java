package io.watershed.gateway.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** What is the same in all documents; not to be written to. */
final class Parts {
    /** Members that every object has, by name: apiVersion, kind and metadata. */
    static final JsonNode OBJECT;

    /** The same of lists. */
    static final JsonNode LIST;

    static final JsonNode LIST_PARAMETERS;
    static final JsonNode READ_PARAMETERS;
    static final JsonNode NAME;
    static final JsonNode NAMESPACE;
    static final JsonNode PRETTY;

    /** Schemas that others refer to, by name. */
    static final JsonNode SCHEMAS;

    static {
        try (InputStream in = Parts.class.getResourceAsStream("parts.json")) {
            JsonNode parts = new ObjectMapper().readTree(Objects.requireNonNull(in, "parts.json is not packaged"));
            OBJECT = parts.required("object");
            LIST = parts.required("list");
            LIST_PARAMETERS = parts.required("listParameters");
            READ_PARAMETERS = parts.required("readParameters");
            NAME = parts.required("name");
            NAMESPACE = parts.required("namespace");
            PRETTY = parts.required("pretty");
            SCHEMAS = parts.required("schemas");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Parts() {}
}
