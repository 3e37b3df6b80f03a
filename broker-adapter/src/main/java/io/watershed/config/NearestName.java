package io.watershed.config;

import java.util.Collection;
import java.util.Locale;

/** Finds what somebody who mistyped a name most likely meant. */
final class NearestName {
    private NearestName() {}

    /** {@code ; did you mean X?}, or nothing when no name is near. */
    static String hint(String name, Collection<String> known) {
        String best = "";
        int least = Integer.MAX_VALUE;
        for (String candidate : known) {
            int distance = distance(name.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < least) {
                least = distance;
                best = candidate;
            }
        }
        return least <= Math.max(3, name.length() / 3) ? "; did you mean " + best + "?" : "";
    }

    /** Levenshtein's distance: insertions, deletions and replacements. */
    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(previous[j], row[j - 1]) + 1);
            }
            previous = row;
        }
        return previous[b.length()];
    }
}
