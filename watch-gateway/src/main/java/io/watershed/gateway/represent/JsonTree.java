package io.watershed.gateway.represent;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Objects as trees, for columns to look into. What is nested deeper than any column looks is left out, so that a tree can be walked by
 * methods that call themselves.
 *
 * <p><em>Threads:</em> stateless.
 */
final class JsonTree {
    private static final int LARGEST = 64 << 20;
    private static final int DEEPEST = 200;

    /** Reads without limits of its own, as the log's values were read before. Writes ASCII. */
    static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(LARGEST)
                    .maxStringLength(LARGEST)
                    .maxNameLength(LARGEST)
                    .maxNestingDepth(LARGEST)
                    .build())
            .streamWriteConstraints(
                    StreamWriteConstraints.builder().maxNestingDepth(LARGEST).build())
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .build();

    private JsonTree() {}

    /** A new one without members. */
    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static JsonNode of(byte[] json) {
        try (JsonParser parser = FACTORY.createParser(json)) {
            parser.nextToken();
            return value(parser, 0);
        } catch (IOException e) {
            throw new UncheckedIOException("no JSON: " + e.getMessage(), e);
        }
    }

    private static JsonNode value(JsonParser parser, int depth) throws IOException {
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> object(parser, depth);
            case START_ARRAY -> array(parser, depth);
            case VALUE_STRING -> TextNode.valueOf(parser.getText());
            case VALUE_TRUE -> BooleanNode.TRUE;
            case VALUE_FALSE -> BooleanNode.FALSE;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getText());
            default -> NullNode.getInstance();
        };
    }

    /** As Kubernetes reads them: what is no 64-bit integer is a double. */
    private static JsonNode number(String digits) {
        if (digits.length() <= 20) {
            try {
                return LongNode.valueOf(Long.parseLong(digits));
            } catch (NumberFormatException e) {
                // Too large, or with a fraction.
            }
        }
        return DoubleNode.valueOf(Double.parseDouble(digits));
    }

    private static JsonNode object(JsonParser parser, int depth) throws IOException {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        if (depth == DEEPEST) {
            parser.skipChildren();
            return object;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            object.set(name, value(parser, depth + 1));
        }
        return object;
    }

    private static JsonNode array(JsonParser parser, int depth) throws IOException {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        if (depth == DEEPEST) {
            parser.skipChildren();
            return array;
        }
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            array.add(value(parser, depth + 1));
        }
        return array;
    }
}
