package io.watershed.gateway.select;

import java.util.List;
import java.util.OptionalLong;

/**
 * One term of a {@link LabelSelector}, normalised: {@code =}, {@code ==} and {@code in} are one operator, as are {@code !=} and
 * {@code notin}.
 *
 * @param values sorted and unique; empty for the operators that take none, one decimal number for the two that compare
 */
public record Requirement(String key, Operator operator, List<String> values) {
    /** What a requirement asks of its label. */
    public enum Operator {
        /** The label is there and has one of the values. */
        IN,
        /** The label is absent, or has none of the values. */
        NOT_IN,
        /** The label is there. */
        EXISTS,
        /** The label is absent. */
        ABSENT,
        /** The label is an integer above the value. */
        ABOVE,
        /** The label is an integer below the value. */
        BELOW
    }

    public Requirement {
        values = values.stream().sorted().distinct().toList();
    }

    boolean matches(Selectable object) {
        String label = object.label(key);
        return switch (operator) {
            case IN -> label != null && values.contains(label);
            case NOT_IN -> label == null || !values.contains(label);
            case EXISTS -> label != null;
            case ABSENT -> label == null;
            case ABOVE, BELOW -> label != null && compares(label);
        };
    }

    private boolean compares(String label) {
        OptionalLong actual = integer(label);
        if (actual.isEmpty()) {
            return false;
        }
        long bound = integer(values.get(0)).orElseThrow();
        return operator == Operator.ABOVE ? actual.getAsLong() > bound : actual.getAsLong() < bound;
    }

    /** A decimal int64 with an optional sign, in ASCII digits; empty for anything else. */
    static OptionalLong integer(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > '9') {
                return OptionalLong.empty();
            }
        }
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    @Override
    public String toString() {
        return switch (operator) {
            case IN -> key + " in (" + String.join(",", values) + ")";
            case NOT_IN -> key + " notin (" + String.join(",", values) + ")";
            case EXISTS -> key;
            case ABSENT -> "!" + key;
            case ABOVE -> key + ">" + values.get(0);
            case BELOW -> key + "<" + values.get(0);
        };
    }
}
