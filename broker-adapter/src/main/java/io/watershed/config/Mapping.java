package io.watershed.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One item of a setting that is a list of mappings.
 *
 * @param members by name, in the order in which they were written
 * @param place where it was written: {@code FILE line 3}, {@code flag --documents}
 */
public record Mapping(Map<String, String> members, String place) {
    public Mapping {
        members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    /** A member that the setting requires. */
    public String get(String member) {
        String value = members.get(member);
        if (value == null) {
            throw new IllegalArgumentException(place + " has no " + member);
        }
        return value;
    }

    /** As YAML in one line. */
    String text() {
        StringBuilder text = new StringBuilder("{");
        members.forEach((name, value) -> text.append(text.length() == 1 ? "" : ", ")
                .append(name)
                .append(": \"")
                .append(value.replace("\\", "\\\\").replace("\"", "\\\""))
                .append('"'));
        return text.append('}').toString();
    }
}
