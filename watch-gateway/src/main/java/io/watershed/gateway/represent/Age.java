package io.watershed.gateway.represent;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Times as Kubernetes writes them, and how long ago they are in its short form: {@code 47h}, {@code 7d23h}. */
final class Age {
    static final String UNKNOWN = "<unknown>";
    static final String INVALID = "<invalid>";

    private static final Pattern RFC_3339 =
            Pattern.compile("(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d)(?:[.,](\\d{1,9})\\d*)?(Z|[+-]\\d\\d:\\d\\d)");
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long YEAR = 365 * DAY;

    private Age() {}

    /** The time that a text names, or null if it is no time. */
    static @Nullable Instant parse(String text) {
        Matcher time = RFC_3339.matcher(text);
        if (!time.matches()) {
            return null;
        }
        try {
            String fraction = time.group(2);
            return OffsetDateTime.parse(time.group(1) + (fraction == null ? "" : "." + fraction) + time.group(3))
                    .toInstant();
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    /** How long ago a time is. Empty: not known. */
    static String since(String time, Instant now) {
        if (time.isEmpty()) {
            return UNKNOWN;
        }
        Instant then = parse(time);
        return then == null ? INVALID : of(Duration.between(then, now));
    }

    /** A length of time, cut to what matters at its size. A clock may be off by less than two seconds. */
    static String of(Duration duration) {
        // Towards zero, as Go cuts.
        long seconds = duration.isNegative() ? -duration.negated().toSeconds() : duration.toSeconds();
        if (seconds < 2 * MINUTE) {
            return seconds < -1 ? INVALID : Math.max(0, seconds) + "s";
        } else if (seconds < 10 * MINUTE) {
            return pair(seconds, MINUTE, "m", 1, "s");
        } else if (seconds < 3 * HOUR) {
            return seconds / MINUTE + "m";
        } else if (seconds < 8 * HOUR) {
            return pair(seconds, HOUR, "h", MINUTE, "m");
        } else if (seconds < 2 * DAY) {
            return seconds / HOUR + "h";
        } else if (seconds < 8 * DAY) {
            return pair(seconds, DAY, "d", HOUR, "h");
        } else if (seconds < 2 * YEAR) {
            return seconds / DAY + "d";
        } else if (seconds < 8 * YEAR) {
            return pair(seconds, YEAR, "y", DAY, "d");
        }
        return seconds / YEAR + "y";
    }

    private static String pair(long seconds, long large, String largeUnit, long small, String smallUnit) {
        long rest = seconds % large / small;
        return seconds / large + largeUnit + (rest == 0 ? "" : rest + smallUnit);
    }
}
