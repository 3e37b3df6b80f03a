package io.watershed.gateway.represent;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * Events of the core group, which is how they are stored, as those of {@code events.k8s.io/v1}: the same values under other names.
 *
 * <p><em>Source:</em> kube-apiserver 1.37's conversion of both to its internal Event.
 */
final class GroupEvents implements Conversion {
    static final Conversion INSTANCE = new GroupEvents();

    private static final Map<String, String> RENAMED = Map.of(
            "involvedObject", "regarding",
            "message", "note",
            "reportingComponent", "reportingController",
            "source", "deprecatedSource",
            "firstTimestamp", "deprecatedFirstTimestamp",
            "lastTimestamp", "deprecatedLastTimestamp",
            "count", "deprecatedCount");

    /** The core group shows these even when they are empty. */
    private static final Set<String> LEFT_OUT_IF_EMPTY = Set.of("reportingComponent", "reportingInstance");

    private GroupEvents() {}

    @Override
    public byte[] convert(byte[] json) {
        return JsonCopy.object(json, GroupEvents::members);
    }

    private static void members(JsonParser from, JsonGenerator to) throws IOException {
        while (from.nextToken() == JsonToken.FIELD_NAME) {
            String name = from.currentName();
            JsonToken value = from.nextToken();
            if (name.equals("apiVersion")) {
                to.writeStringField(name, "events.k8s.io/v1");
            } else if (!LEFT_OUT_IF_EMPTY.contains(name)
                    || value != JsonToken.VALUE_STRING
                    || !from.getText().isEmpty()) {
                to.writeFieldName(RENAMED.getOrDefault(name, name));
                JsonCopy.value(from, to);
            }
        }
    }
}
