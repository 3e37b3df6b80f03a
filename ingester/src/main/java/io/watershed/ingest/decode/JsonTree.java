package io.watershed.ingest.decode;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.watershed.log.codec.ObjectJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * JSON as a tree that keeps the digits of numbers as they were written: 1.10, -0, 1e400 and integers beyond 2⁵³ come out unchanged.
 * Objects are maps in the order of the text, of members that stand twice the last counts; numbers are {@link Digits}.
 */
final class JsonTree {
    /** A number's text. */
    record Digits(String text) {}

    private static final int LARGEST = 64 << 20;
    /** What is read may be written some levels deeper, inside a document. */
    private static final StreamWriteConstraints DEEPER =
            StreamWriteConstraints.builder().maxNestingDepth(ObjectJson.DEEPEST).build();
    /** Members' names come from anyone: none of them stays in memory for ever. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .streamWriteConstraints(DEEPER)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(LARGEST)
                    .maxStringLength(LARGEST)
                    .maxNameLength(LARGEST)
                    .maxNestingDepth(ObjectJson.DEEPEST_STORED)
                    .build())
            .build();

    private static final JsonFactory ASCII = JsonFactory.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .streamWriteConstraints(DEEPER)
            .build();

    private boolean duplicates;
    private @Nullable String refusal;

    /** Whether an object of the text had a member twice. */
    boolean hadDuplicates() {
        return duplicates;
    }

    /** Why the text, though it is JSON, is not taken, and what to do; null when that is not why. */
    @Nullable
    String refusal() {
        return refusal;
    }

    /** Parses a whole text; null when it is not a JSON object. */
    @Nullable
    Map<String, @Nullable Object> parseObject(byte[] text) {
        String decoded = Utf8.decode(text); // the parser itself would take broken UTF-8, and UTF-16
        if (decoded == null) {
            return null;
        }
        try (JsonParser parser = FACTORY.createParser(decoded)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            Map<String, @Nullable Object> object = object(parser);
            return parser.nextToken() == null ? object : null;
        } catch (StreamConstraintsException e) {
            // The other limits are larger than any value.
            refusal = "it is nested more than " + ObjectJson.DEEPEST_STORED
                    + " levels deep, which is the most; make it flatter, or delete the key";
            return null;
        } catch (IOException e) {
            String message = String.valueOf(e.getMessage());
            if (message.contains("surrogate") && message.contains("field name")) {
                refusal =
                        "the name of a member has half a character, as \\ud800 without its other half; write the name in whole"
                                + " characters, or delete the key";
            }
            return null;
        }
    }

    private Map<String, @Nullable Object> object(JsonParser parser) throws IOException {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            duplicates |= members.containsKey(name);
            members.put(name, value(parser));
        }
        return members;
    }

    private @Nullable Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> {
                List<@Nullable Object> elements = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(value(parser));
                }
                yield elements;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Digits(parser.getText());
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new IOException("unexpected " + parser.currentToken());
        };
    }

    /** Compact UTF-8. Text that is not valid Unicode (a lone surrogate, which JSON can escape) is written with escapes only. */
    static byte[] write(Object value) {
        try {
            return write(value, FACTORY);
        } catch (IOException e) {
            try {
                return write(value, ASCII);
            } catch (IOException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }

    private static byte[] write(Object value, JsonFactory factory) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
        try (JsonGenerator generator = factory.createGenerator(bytes)) {
            write(value, generator);
        }
        return bytes.toByteArray();
    }

    private static void write(@Nullable Object value, JsonGenerator generator) throws IOException {
        if (value instanceof Map<?, ?> object) {
            generator.writeStartObject();
            for (Map.Entry<?, ?> member : object.entrySet()) {
                generator.writeFieldName((String) member.getKey());
                write(member.getValue(), generator);
            }
            generator.writeEndObject();
        } else if (value instanceof List<?> array) {
            generator.writeStartArray();
            for (Object element : array) {
                write(element, generator);
            }
            generator.writeEndArray();
        } else if (value instanceof String text) {
            generator.writeString(text);
        } else if (value instanceof Digits number) {
            generator.writeNumber(number.text());
        } else if (value instanceof Boolean truth) {
            generator.writeBoolean(truth);
        } else {
            generator.writeNull();
        }
    }
}
