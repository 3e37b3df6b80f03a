package io.watershed.gateway.select;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object that is only what selectors see. */
record Labelled(Map<String, String> labels, Map<String, String> fields) implements Selectable {
    static Labelled labels(String... pairs) {
        Map<String, String> labels = new java.util.HashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            labels.put(pairs[i], pairs[i + 1]);
        }
        return new Labelled(labels, Map.of());
    }

    static Labelled fields(String key, String value) {
        return new Labelled(Map.of(), Map.of(key, value));
    }

    @Override
    public @Nullable String label(String key) {
        return labels.get(key);
    }

    @Override
    public @Nullable String field(String key) {
        return fields.get(key);
    }
}
