package io.watershed.gateway.represent;

import java.util.Comparator;

/** The order of members in Kubernetes' YAML: letters behind all else, and numbers inside names by what they count. */
final class YamlKeys {
    /** Consistent with equals: names that count the same are then taken letter by letter. */
    static final Comparator<String> ORDER =
            ((Comparator<String>) YamlKeys::compare).thenComparing(Comparator.naturalOrder());

    private YamlKeys() {}

    private static int compare(String one, String other) {
        boolean inDigits = false;
        int shorter = Math.min(one.length(), other.length());
        for (int i = 0; i < shorter; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a == b) {
                inDigits = isDigit(a);
                continue;
            }
            boolean aLetter = Character.isLetter(a);
            boolean bLetter = Character.isLetter(b);
            if (aLetter && bLetter) {
                return Character.compare(a, b);
            }
            if (aLetter || bLetter) {
                // Behind a number, the shorter number is the smaller one.
                return aLetter == inDigits ? -1 : 1;
            }
            return isDigit(a) && isDigit(b) ? compareNumbers(one, other, i) : Character.compare(a, b);
        }
        return Integer.compare(one.length(), other.length());
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** The number that both are in at a place where they differ: more digits, larger number. */
    private static int compareNumbers(String one, String other, int at) {
        int byLength = Integer.compare(digits(one, at), digits(other, at));
        return byLength != 0 ? byLength : Character.compare(one.charAt(at), other.charAt(at));
    }

    private static int digits(String text, int from) {
        int end = from;
        while (end < text.length() && isDigit(text.charAt(end))) {
            end++;
        }
        return end - from;
    }
}
