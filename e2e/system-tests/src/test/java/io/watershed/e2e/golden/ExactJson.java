package io.watershed.e2e.golden;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** JSON whose numbers keep the digits that were written: {@code 1.0}, {@code 1.00} and {@code 1} are three different ones. */
final class ExactJson {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** A number as written; it stands in the tree as a {@code POJONode}. */
    record Digits(@JsonValue @JsonRawValue String text) {}

    private ExactJson() {}

    static JsonNode parse(String text) throws UnreadableAnswerException {
        try (JsonParser parser = FACTORY.createParser(text)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw new UnreadableAnswerException("no JSON: an empty text");
            }
            JsonNode value = value(parser, first);
            if (parser.nextToken() != null) {
                throw new UnreadableAnswerException("more after the end of the JSON");
            }
            return value;
        } catch (JsonProcessingException e) {
            throw new UnreadableAnswerException("no JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new UnreadableAnswerException("no JSON: " + e.getMessage());
        }
    }

    static ObjectNode parseObject(String text) throws UnreadableAnswerException {
        return object(parse(text), "the answer");
    }

    /** The node as an object; something else can't be the answer that was recorded. */
    static ObjectNode object(@Nullable JsonNode node, String what) throws UnreadableAnswerException {
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw new UnreadableAnswerException(what + " is no JSON object");
    }

    /** The node's text; empty if it is absent, null or something else. */
    static String textOf(JsonNode node) {
        return node.isTextual() ? node.textValue() : "";
    }

    /** A member that has to be there and to be a text. */
    static String text(ObjectNode object, String name) throws UnreadableAnswerException {
        JsonNode value = object.get(name);
        if (value == null || !value.isTextual()) {
            throw new UnreadableAnswerException("no text " + name);
        }
        return value.textValue();
    }

    /** A member that has to be there and to be an array. */
    static ArrayNode array(ObjectNode object, String name) throws UnreadableAnswerException {
        if (object.get(name) instanceof ArrayNode array) {
            return array;
        }
        throw new UnreadableAnswerException("no array " + name);
    }

    private static JsonNode value(JsonParser parser, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> {
                ObjectNode object = NODES.objectNode();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    object.set(name, value(parser, parser.nextToken()));
                }
                yield object;
            }
            case START_ARRAY -> {
                ArrayNode array = NODES.arrayNode();
                for (JsonToken next = parser.nextToken(); next != JsonToken.END_ARRAY; next = parser.nextToken()) {
                    array.add(value(parser, next));
                }
                yield array;
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> NODES.pojoNode(new Digits(parser.getText()));
            case VALUE_STRING -> NODES.textNode(parser.getText());
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            case VALUE_NULL -> NODES.nullNode();
            default -> throw new IOException("unexpected " + token);
        };
    }
}
