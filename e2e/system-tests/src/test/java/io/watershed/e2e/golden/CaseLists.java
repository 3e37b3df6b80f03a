package io.watershed.e2e.golden;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Files that name cases, a line each: the id, and for an exception its reason. {@code #} begins a comment. */
public final class CaseLists {
    private CaseLists() {}

    /** Ids with what stands behind each. */
    public static Map<String, String> read(Path file) {
        try {
            Map<String, String> reasons = new LinkedHashMap<>();
            for (String line : Files.readAllLines(file, UTF_8)) {
                String entry = line.strip();
                if (entry.isEmpty() || entry.startsWith("#")) {
                    continue;
                }
                String[] parts = entry.split("\\s+", 2);
                if (reasons.put(parts[0], parts.length < 2 ? "" : parts[1]) != null) {
                    throw new IllegalArgumentException(file + " names " + parts[0] + " twice");
                }
            }
            return reasons;
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }

    /** Replaces the ids under the file's first lines of comment, a paragraph a section. */
    public static void write(Path file, Collection<String> ids, Collection<GoldenCase> cases) {
        Map<String, Set<String>> sections = new TreeMap<>();
        for (GoldenCase one : cases) {
            if (ids.contains(one.id())) {
                sections.computeIfAbsent(one.section(), name -> new TreeSet<>()).add(one.id());
            }
        }
        try {
            List<String> head = Files.readAllLines(file, UTF_8).stream()
                    .takeWhile(line -> line.startsWith("#"))
                    .toList();
            StringBuilder text = new StringBuilder(String.join("\n", head)).append('\n');
            sections.forEach((section, members) -> text.append("\n# ")
                    .append(section)
                    .append('\n')
                    .append(String.join("\n", members))
                    .append('\n'));
            Files.writeString(file, text, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }
}
