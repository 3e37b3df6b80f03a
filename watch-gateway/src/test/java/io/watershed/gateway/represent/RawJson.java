package io.watershed.gateway.represent;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** JSON as maps, lists, texts and digits, so that documents are equal if they say the same, digit by digit. */
final class RawJson {
    /** A number as it was written. */
    record Digits(String text) {}

    private static final JsonFactory JSON = new JsonFactory();

    private RawJson() {}

    static @Nullable Object read(byte[] json) {
        try (JsonParser parser = JSON.createParser(json)) {
            parser.nextToken();
            Object value = value(parser);
            if (parser.nextToken() != null) {
                throw new AssertionError("more than one document: " + new String(json, UTF_8));
            }
            return value;
        } catch (IOException e) {
            throw new AssertionError("no JSON: " + new String(json, UTF_8), e);
        }
    }

    static @Nullable Object read(String json) {
        return read(json.getBytes(UTF_8));
    }

    /** Compact, members sorted. */
    static String write(@Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            List<String> members = new ArrayList<>();
            map.forEach((name, member) -> members.add(GoJson.quoted((String) name) + ":" + write(member)));
            return "{" + String.join(",", members) + "}";
        } else if (value instanceof List<?> list) {
            return "[" + String.join(",", list.stream().map(RawJson::write).toList()) + "]";
        } else if (value instanceof String text) {
            return GoJson.quoted(text);
        }
        return value instanceof Digits digits ? digits.text() : String.valueOf(value);
    }

    /** An object as the log has it: kind, apiVersion, and metadata that begins with the revision. */
    static byte[] canonical(Object object) {
        TreeMap<String, Object> rest = new TreeMap<>(map(object));
        String head = "{\"kind\":" + write(rest.remove("kind")) + ",\"apiVersion\":" + write(rest.remove("apiVersion"));
        TreeMap<String, Object> metadata = new TreeMap<>(map(Objects.requireNonNull(rest.remove("metadata"))));
        String meta = ",\"metadata\":{\"resourceVersion\":" + write(metadata.remove("resourceVersion"))
                + behind(write(metadata)) + "}";
        return (head + meta + behind(write(rest)) + "}").getBytes(UTF_8);
    }

    /** Members of an object, to be written behind others. */
    private static String behind(String object) {
        return object.equals("{}") ? "" : "," + object.substring(1, object.length() - 1);
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(@Nullable Object value) {
        return (Map<String, Object>) Objects.requireNonNull(value);
    }

    @SuppressWarnings("unchecked")
    static List<Object> list(@Nullable Object value) {
        return (List<Object>) Objects.requireNonNull(value);
    }

    static String text(Map<String, Object> map, String member) {
        return (String) Objects.requireNonNull(map.get(member), member);
    }

    /** Lines of a resource beside the tests. */
    static List<Map<String, Object>> lines(String resource) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(RawJson.class.getResourceAsStream(resource), resource), UTF_8))) {
            return reader.lines().map(line -> map(read(line))).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static @Nullable Object value(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> map = new TreeMap<>();
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    parser.nextToken();
                    map.put(name, value(parser));
                }
                yield map;
            }
            case START_ARRAY -> {
                List<@Nullable Object> list = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    list.add(value(parser));
                }
                yield list;
            }
            case VALUE_STRING -> parser.getText();
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new Digits(parser.getText());
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }
}
