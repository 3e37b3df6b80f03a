package io.watershed.log;

import java.util.random.RandomGenerator;

/**
 * One history of the source: a number that a restore of etcd raises, and eight random hex digits, so that a topic which was
 * deleted and made anew is never taken for the old one (docs/log.md). Written {@code 3-5f0c9a12}.
 */
public record Generation(long number, String random) {
    public Generation {
        if (number < 1 || !random.matches("[0-9a-f]{8}")) {
            throw new IllegalArgumentException("not a generation: " + number + "-" + random);
        }
    }

    /** The first generation of a topic. */
    public static Generation first(RandomGenerator random) {
        return new Generation(1, digits(random));
    }

    public Generation next(RandomGenerator random) {
        return new Generation(number + 1, digits(random));
    }

    private static String digits(RandomGenerator random) {
        return String.format("%08x", random.nextInt());
    }

    public static Generation parse(String text) {
        int dash = text.indexOf('-');
        try {
            return new Generation(Long.parseLong(text.substring(0, Math.max(dash, 0))), text.substring(dash + 1));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a generation: " + text, e);
        }
    }

    @Override
    public String toString() {
        return number + "-" + random;
    }
}
