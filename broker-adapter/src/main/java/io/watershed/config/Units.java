package io.watershed.config;

import java.math.BigInteger;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as {@code 30s} and sizes as {@code 64MiB}: a number never stands without its unit. */
final class Units {
    private static final Pattern QUANTITY = Pattern.compile("([0-9]+)([A-Za-z]+)");
    private static final Map<String, Long> MILLIS = new LinkedHashMap<>();
    private static final Map<String, Long> BYTES = new LinkedHashMap<>();

    static {
        MILLIS.put("d", 86_400_000L);
        MILLIS.put("h", 3_600_000L);
        MILLIS.put("m", 60_000L);
        MILLIS.put("s", 1_000L);
        MILLIS.put("ms", 1L);
        BYTES.put("GiB", 1L << 30);
        BYTES.put("MiB", 1L << 20);
        BYTES.put("KiB", 1L << 10);
        BYTES.put("B", 1L);
    }

    private Units() {}

    static Duration duration(String text) {
        return Duration.ofMillis(quantity(text, MILLIS, "a duration with its unit, as 100ms, 30s, 5m, 1h or 1d"));
    }

    static long size(String text) {
        return quantity(text, BYTES, "a size with its unit, as 512B, 64KiB, 64MiB or 1GiB");
    }

    static String text(Duration duration) {
        return text(duration.toMillis(), MILLIS, "s");
    }

    static String text(long bytes) {
        return text(bytes, BYTES, "B");
    }

    private static long quantity(String text, Map<String, Long> units, String wanted) {
        Matcher matcher = QUANTITY.matcher(text);
        Long factor = matcher.matches() ? units.get(matcher.group(2)) : null;
        if (factor == null) {
            throw new IllegalArgumentException("must be " + wanted);
        }
        BigInteger value = new BigInteger(matcher.group(1)).multiply(BigInteger.valueOf(factor));
        if (value.bitLength() > 62) {
            throw new IllegalArgumentException("is too large");
        }
        return value.longValue();
    }

    private static String text(long value, Map<String, Long> units, String unitOfZero) {
        if (value == 0) {
            return "0" + unitOfZero;
        }
        for (Map.Entry<String, Long> unit : units.entrySet()) {
            // A day reads worse than 24h, and nobody writes 1d for a window.
            if (value % unit.getValue() == 0 && !unit.getKey().equals("d")) {
                return value / unit.getValue() + unit.getKey();
            }
        }
        throw new AssertionError("the smallest unit divides everything");
    }
}
