package io.watershed.gateway.cache;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Looks one scalar up in an object's JSON: for fields that any object of a resource may have, and that are not worth memory in all of them.
 * Reads up to the scalar and builds nothing on the way.
 *
 * <p><em>Threads:</em> stateless.
 */
final class ScalarAt {
    private static final int LARGEST = 64 << 20;
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(LARGEST)
                    .maxStringLength(LARGEST)
                    .maxNameLength(LARGEST)
                    .maxNestingDepth(LARGEST)
                    .build())
            .build();

    private ScalarAt() {}

    /**
     * The scalar as JSON spells it, unquoted; null where there is none, and for null itself.
     *
     * @param path member names with a dot before each
     */
    static @Nullable String path(byte[] json, String path) {
        String[] members = path.substring(1).split("\\.", -1);
        try (JsonParser parser = JSON.createParser(json)) {
            parser.nextToken();
            for (String member : members) {
                if (!enter(parser, member)) {
                    return null;
                }
            }
            JsonToken token = parser.currentToken();
            return token.isScalarValue() && token != JsonToken.VALUE_NULL ? parser.getText() : null;
        } catch (IOException e) {
            throw new UncheckedIOException("an object in the cache is no JSON: " + e.getMessage(), e);
        }
    }

    /** From the beginning of an object to the value of its member. */
    private static boolean enter(JsonParser parser, String member) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            return false;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean found = parser.currentName().equals(member);
            parser.nextToken();
            if (found) {
                return true;
            }
            parser.skipChildren();
        }
        return false;
    }
}
