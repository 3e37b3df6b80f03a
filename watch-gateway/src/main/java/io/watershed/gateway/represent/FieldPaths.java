package io.watershed.gateway.represent;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.Status;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Which members of objects a client wants, as a tree of their names: {@code metadata.name,status.phase}. Dots in a name are escaped,
 * {@code metadata.annotations.example\.com/owner}. A path goes into each element of an array. What the client needs to tell objects
 * apart is always there: kind, apiVersion, and name, namespace, uid and resourceVersion in the metadata.
 *
 * <p><em>Threads:</em> immutable. Equal ones keep the same.
 *
 * @param members by name; none where everything is wanted
 */
public record FieldPaths(Map<String, FieldPaths> members) {
    private static final FieldPaths ALL = new FieldPaths(Map.of());
    private static final String IDENTITY =
            "kind,apiVersion,metadata.name,metadata.namespace,metadata.uid,metadata.resourceVersion";
    private static final int LONGEST = 4096;
    private static final int DEEPEST = 32;

    public FieldPaths {
        members = Map.copyOf(members);
    }

    /**
     * Reads paths that are set apart by commas.
     *
     * @throws ApiFailure 400 for what is no such list
     */
    public static FieldPaths parse(String text) throws ApiFailure {
        if (text.isEmpty() || text.length() > LONGEST) {
            throw bad(text.isEmpty() ? "names no path" : "is longer than " + LONGEST + " characters");
        }
        Branch root = new Branch();
        add(root, IDENTITY);
        add(root, text);
        return root.freeze();
    }

    private static void add(Branch root, String text) throws ApiFailure {
        Branch at = root;
        StringBuilder name = new StringBuilder();
        int depth = 1;
        for (int i = 0; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : ',';
            if (c == '\\' && i + 1 < text.length()) {
                name.append(text.charAt(++i));
            } else if (c != '.' && c != ',') {
                name.append(c);
            } else {
                if (name.isEmpty() || depth > DEEPEST) {
                    throw bad(
                            name.isEmpty()
                                    ? "has an empty name in it"
                                    : "has a path of more than " + DEEPEST + " names");
                }
                at = at.members.computeIfAbsent(name.toString(), absent -> new Branch());
                name.setLength(0);
                depth++;
                if (c == ',') {
                    at.whole = true;
                    at = root;
                    depth = 1;
                }
            }
        }
    }

    private static ApiFailure bad(String why) {
        return new ApiFailure(Status.badRequest("fields " + why + "; write it as fields=metadata.name,status.phase"));
    }

    /** The object without the other members. Begins with the log's fixed prefix if the object does. */
    byte[] cut(byte[] json) {
        return JsonCopy.object(json, this::members);
    }

    private void members(JsonParser from, JsonGenerator to) throws IOException {
        while (from.nextToken() == JsonToken.FIELD_NAME) {
            FieldPaths wanted = members.get(from.currentName());
            JsonToken value = from.nextToken();
            if (wanted == null || (!wanted.members.isEmpty() && value.isScalarValue())) {
                from.skipChildren();
            } else {
                to.writeFieldName(from.currentName());
                wanted.value(from, to);
            }
        }
    }

    private void value(JsonParser from, JsonGenerator to) throws IOException {
        if (members.isEmpty()) {
            JsonCopy.value(from, to);
        } else if (from.currentToken() == JsonToken.START_OBJECT) {
            to.writeStartObject();
            members(from, to);
            to.writeEndObject();
        } else {
            elements(from, to);
        }
    }

    /** Of an array, the objects. An array of arrays holds none that has a name. */
    private void elements(JsonParser from, JsonGenerator to) throws IOException {
        to.writeStartArray();
        while (from.nextToken() != JsonToken.END_ARRAY) {
            if (from.currentToken() == JsonToken.START_OBJECT) {
                value(from, to);
            } else {
                from.skipChildren();
            }
        }
        to.writeEndArray();
    }

    private static final class Branch {
        private final Map<String, Branch> members = new HashMap<>();
        private boolean whole;

        FieldPaths freeze() {
            if (whole) {
                return ALL;
            }
            Map<String, FieldPaths> frozen = new HashMap<>();
            members.forEach((name, branch) -> frozen.put(name, branch.freeze()));
            return new FieldPaths(frozen);
        }
    }

    /** Objects of a version, cut down to these members. */
    record Cut(Conversion version, FieldPaths paths) implements Conversion {
        @Override
        public byte[] convert(byte[] json) {
            return paths.cut(version.convert(json));
        }
    }
}
