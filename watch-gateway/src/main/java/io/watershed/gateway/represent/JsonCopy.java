package io.watershed.gateway.represent;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Objects rewritten in one pass, digit by digit. */
final class JsonCopy {
    /** Writes what is left of the members of an object; the parser stands behind its opening brace. */
    interface Members {
        void write(JsonParser from, JsonGenerator to) throws IOException;
    }

    private JsonCopy() {}

    /** An object, its members rewritten. */
    static byte[] object(byte[] json, Members members) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(json.length + 64);
        try (JsonParser from = JsonTree.FACTORY.createParser(json);
                JsonGenerator to = JsonTree.FACTORY.createGenerator(out)) {
            from.nextToken();
            to.writeStartObject();
            members.write(from, to);
            to.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("no JSON: " + e.getMessage(), e);
        }
        return out.toByteArray();
    }

    /** Copies the value that the parser stands at. Without recursion: values may be nested deeper than a stack is. */
    static void value(JsonParser from, JsonGenerator to) throws IOException {
        int depth = 0;
        do {
            JsonToken token = from.currentToken();
            if (token.isStructStart()) {
                depth++;
            } else if (token.isStructEnd()) {
                depth--;
            }
            if (token.isNumeric()) {
                to.writeNumber(from.getText());
            } else {
                to.copyCurrentEvent(from);
            }
        } while (depth > 0 && from.nextToken() != null);
    }
}
