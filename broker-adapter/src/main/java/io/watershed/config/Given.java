package io.watershed.config;

import java.util.List;

/**
 * What somebody wrote for a key, not parsed yet.
 *
 * @param items the items of a YAML list; one item when it was a plain text
 * @param isList whether it was written as a YAML list
 * @param mappings the items of a YAML list of mappings; {@code items} is empty then
 * @param place where: {@code flag --x}, {@code environment variable X}, {@code FILE line 3}
 */
record Given(List<String> items, boolean isList, List<Mapping> mappings, String place) {
    Given {
        items = List.copyOf(items);
        mappings = List.copyOf(mappings);
    }

    static Given text(String text, String place) {
        return new Given(List.of(text), false, List.of(), place);
    }

    String text() {
        return items.get(0);
    }
}
