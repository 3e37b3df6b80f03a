package io.watershed.e2e.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where two trees differ: members in any order, items in order, numbers digit by digit. The first few places only. */
final class JsonDifference {
    private static final int LIMIT = 6;
    private static final int SHORT = 100;

    private final List<String> found = new ArrayList<>();

    private JsonDifference() {}

    /** {@code want / got} of each place, named from {@code root} on. */
    static List<String> of(String root, JsonNode want, JsonNode got) {
        JsonDifference difference = new JsonDifference();
        difference.compare(root, want, got);
        return difference.found;
    }

    /** A value as it stands in a report: short, and in ASCII, whatever the bytes of an answer were. */
    static String brief(@Nullable JsonNode value) {
        if (value == null || value.isMissingNode()) {
            return "missing";
        }
        String text = value.toString();
        return ascii(text.length() < SHORT ? text : text.substring(0, SHORT - 3) + "...");
    }

    private static String ascii(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c <= '~') {
                escaped.append(c);
            } else {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            }
        }
        return escaped.toString();
    }

    private void compare(String path, JsonNode want, JsonNode got) {
        if (found.size() >= LIMIT) {
            return;
        }
        if (want.isObject() && got.isObject()) {
            compareMembers(path, want, got);
        } else if (want.isArray() && got.isArray()) {
            compareItems(path, want, got);
        } else if (!want.equals(got)) {
            found.add(path + ": " + brief(want) + " / " + brief(got));
        }
    }

    private void compareMembers(String path, JsonNode want, JsonNode got) {
        Set<String> names = new LinkedHashSet<>();
        want.fieldNames().forEachRemaining(names::add);
        got.fieldNames().forEachRemaining(names::add);
        for (Iterator<String> left = names.iterator(); left.hasNext() && found.size() < LIMIT; ) {
            String name = left.next();
            JsonNode a = want.get(name);
            JsonNode b = got.get(name);
            if (a == null || b == null) {
                found.add(path + "." + name + ": " + brief(a) + " / " + brief(b));
            } else {
                compare(path + "." + name, a, b);
            }
        }
    }

    private void compareItems(String path, JsonNode want, JsonNode got) {
        if (want.size() != got.size()) {
            found.add(path + ": " + want.size() + " items / " + got.size() + " items");
        }
        for (int i = 0; i < Math.min(want.size(), got.size()); i++) {
            compare(path + "[" + i + "]", want.get(i), got.get(i));
        }
    }

    /** A text in quotes, its ends told apart. */
    static String quote(String text) {
        return brief(TextNode.valueOf(text));
    }
}
