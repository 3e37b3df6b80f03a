package io.watershed.gateway.cache;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.watershed.gateway.select.FieldLabels;
import io.watershed.log.EtcdKey;
import io.watershed.log.ObjectRecord;
import io.watershed.log.ObjectValue;
import io.watershed.log.ResourceName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes entries of records: one pass over the JSON that takes out the labels and the fields that selectors can ask for, and skips the rest.
 *
 * <p><em>Threads:</em> the feed's.
 */
final class EntryReader {
    /** Of keys that are no API resource: kept for the log's rules, in no list. */
    static final ResourceName NO_RESOURCE = new ResourceName("", null, "");

    private static final int LARGEST = 64 << 20;
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(LARGEST)
                    .maxStringLength(LARGEST)
                    .maxNameLength(LARGEST)
                    .maxNestingDepth(LARGEST)
                    .build())
            .build();

    /** Where wanted values are, as a tree of member names. A value may be the candidate of several fields. */
    private static final class Node {
        private final Map<String, Node> members = new HashMap<>();
        private final Map<Integer, Integer> candidates = new HashMap<>();
    }

    private record Wanted(List<FieldLabels.Field> fields, Node root) {}

    /** Of a member that is gone through for what lies in it alone. */
    private static final Node NOTHING = new Node();

    private final Map<String, Wanted> byResource = new HashMap<>();
    private final Interned strings = new Interned();

    ObjectEntry read(ObjectRecord record) {
        ObjectValue value = Objects.requireNonNull(record.value());
        EtcdKey key = record.key();
        ResourceName given = record.resource();
        if (given == null) {
            return new ObjectEntry(key, NO_RESOURCE, record.version(), new byte[0], null, Map.of(), Map.of());
        }
        ResourceName name = interned(given);
        Wanted wanted = byResource.computeIfAbsent(name.resource(), EntryReader::wanted);
        Map<String, String> labels = new LinkedHashMap<>();
        @Nullable String[] found = new @Nullable String[wanted.fields().size()];
        int[] rank = new int[found.length];
        try (JsonParser parser = JSON.createParser(value.json())) {
            parser.nextToken();
            object(parser, wanted.root(), labels, 0, found, rank);
        } catch (IOException e) {
            throw new UncheckedIOException("the value of " + key + " is no JSON: " + e.getMessage(), e);
        }
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < found.length; i++) {
            FieldLabels.Field field = wanted.fields().get(i);
            String text = found[i] == null ? field.absent() : found[i];
            if (!text.isEmpty()) {
                fields.put(field.key(), text.equals(name.name()) ? name.name() : strings.of(text));
            }
        }
        return new ObjectEntry(key, name, record.version(), value.json(), value.encoding(), labels, fields);
    }

    private ResourceName interned(ResourceName name) {
        String namespace = name.namespace();
        return new ResourceName(
                strings.of(name.resource()), namespace == null ? null : strings.of(namespace), name.name());
    }

    private static Wanted wanted(String resource) {
        List<FieldLabels.Field> fields = FieldLabels.of(resource).fields();
        Node root = new Node();
        for (int i = 0; i < fields.size(); i++) {
            List<List<String>> paths = fields.get(i).paths();
            for (int p = 0; p < paths.size(); p++) {
                Node node = root;
                for (String member : paths.get(p)) {
                    node = node.members.computeIfAbsent(member, m -> new Node());
                }
                node.candidates.put(i, p + 1);
            }
        }
        return new Wanted(fields, root);
    }

    /** {@code inMetadata}: 0 at the root, 1 inside metadata, 2 anywhere else. */
    private void object(
            JsonParser parser,
            Node node,
            Map<String, String> labels,
            int inMetadata,
            @Nullable String[] found,
            int[] rank)
            throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String member = parser.currentName();
            JsonToken token = parser.nextToken();
            if (inMetadata == 1 && member.equals("labels") && token == JsonToken.START_OBJECT) {
                labels(parser, labels);
                continue;
            }
            boolean metadata = inMetadata == 0 && member.equals("metadata");
            Node child = node.members.get(member);
            if (child == null && !metadata) {
                parser.skipChildren();
                continue;
            }
            value(parser, child == null ? NOTHING : child, labels, metadata ? 1 : 2, found, rank);
        }
    }

    private void value(
            JsonParser parser,
            Node node,
            Map<String, String> labels,
            int inMetadata,
            @Nullable String[] found,
            int[] rank)
            throws IOException {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            object(parser, node, labels, inMetadata, found, rank);
        } else if (token == JsonToken.START_ARRAY) {
            Node first = node.members.get(FieldLabels.FIRST);
            boolean atFirst = true;
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (atFirst && first != null) {
                    value(parser, first, labels, 2, found, rank);
                } else {
                    parser.skipChildren();
                }
                atFirst = false;
            }
        } else if (token != JsonToken.VALUE_NULL) {
            String text = parser.getText();
            if (!text.isEmpty()) {
                node.candidates.forEach((field, candidate) -> {
                    if (rank[field] == 0 || candidate < rank[field]) {
                        found[field] = text;
                        rank[field] = candidate;
                    }
                });
            }
        }
    }

    private void labels(JsonParser parser, Map<String, String> labels) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String label = parser.currentName();
            if (parser.nextToken() == JsonToken.VALUE_STRING) {
                labels.put(strings.of(label), strings.of(parser.getText()));
            } else {
                parser.skipChildren();
            }
        }
    }
}
