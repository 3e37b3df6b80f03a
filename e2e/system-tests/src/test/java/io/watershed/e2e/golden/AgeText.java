package io.watershed.e2e.golden;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/** Kubernetes' short form of a time span: {@code 119s}, {@code 9m59s}, {@code 179m}, {@code 7h59m}, {@code 47h}, {@code 7d23h}, {@code 729d}. */
final class AgeText {
    private static final Pattern FORM =
            Pattern.compile("<unknown>|<invalid>|<none>|(?=.)(\\d+y)?(\\d+d)?(\\d+h)?(\\d+m)?(\\d+s)?");
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long YEAR = 365 * DAY;
    /** How far the server's clock may lie beside ours, and how long an answer may have lain about. */
    private static final int SECONDS_BACK = 4;

    private AgeText() {}

    /** Whether the text has the form, whatever it says. */
    static boolean isOne(String text) {
        return FORM.matcher(text).matches();
    }

    /** Whether a server that answered at some time from {@code asked} to {@code now} could say so of something that old. */
    static boolean fits(String text, Instant created, Instant asked, Instant now) {
        long newest = Duration.between(created, now).toSeconds() + 1;
        long oldest = Math.min(Duration.between(created, asked).toSeconds(), newest - 1 - SECONDS_BACK);
        for (long seconds = oldest; seconds <= newest; seconds++) {
            if (text.equals(of(seconds))) {
                return true;
            }
        }
        return false;
    }

    static String of(long seconds) {
        if (seconds < 0) {
            return seconds == -1 ? "0s" : "<invalid>";
        } else if (seconds < 2 * MINUTE) {
            return seconds + "s";
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

    private static String pair(long seconds, long big, String bigUnit, long small, String smallUnit) {
        long rest = seconds % big / small;
        return seconds / big + bigUnit + (rest == 0 ? "" : rest + smallUnit);
    }
}
