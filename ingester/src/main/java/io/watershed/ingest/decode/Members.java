package io.watershed.ingest.decode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and changes trees of {@link JsonTree}. A member of another type than asked for counts as absent. */
final class Members {
    private Members() {}

    @SuppressWarnings("unchecked") // JsonTree's objects are maps from String
    static @Nullable Map<String, @Nullable Object> object(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : null;
    }

    static @Nullable Map<String, @Nullable Object> object(Map<String, @Nullable Object> parent, String member) {
        return object(parent.get(member));
    }

    /** The object under that name, made where there is none. */
    static Map<String, @Nullable Object> child(Map<String, @Nullable Object> parent, String member) {
        Map<String, @Nullable Object> child = object(parent, member);
        if (child == null) {
            child = new LinkedHashMap<>();
            parent.put(member, child);
        }
        return child;
    }

    /** The objects of a list; none where there is no list. */
    static List<Map<String, @Nullable Object>> objects(Map<String, @Nullable Object> parent, String member) {
        List<Map<String, @Nullable Object>> objects = new ArrayList<>();
        if (parent.get(member) instanceof List<?> list) {
            for (Object element : list) {
                Map<String, @Nullable Object> object = object(element);
                if (object != null) {
                    objects.add(object);
                }
            }
        }
        return objects;
    }

    /** Empty where there is no text. */
    static String text(Map<String, @Nullable Object> parent, String member) {
        return parent.get(member) instanceof String text ? text : "";
    }

    static boolean isEmptyList(Map<String, @Nullable Object> parent, String member) {
        return !(parent.get(member) instanceof List<?> list) || list.isEmpty();
    }

    /** Sets a member that is absent or null. */
    static void orSet(Map<String, @Nullable Object> parent, String member, Object value) {
        if (parent.get(member) == null) {
            parent.put(member, value);
        }
    }

    /** Sets a text that is absent or empty. */
    static void orSetText(Map<String, @Nullable Object> parent, String member, String value) {
        if (text(parent, member).isEmpty()) {
            parent.put(member, value);
        }
    }

    static void rename(Map<String, @Nullable Object> parent, String from, String to) {
        if (parent.containsKey(from)) {
            parent.put(to, parent.remove(from));
        }
    }
}
