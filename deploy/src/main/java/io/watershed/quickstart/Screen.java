package io.watershed.quickstart;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** What the person at the terminal sees. */
final class Screen {
    private final PrintStream out;

    Screen(PrintStream out) {
        this.out = out;
    }

    void line(String text) {
        out.println(text);
        out.flush();
    }

    /** {@code 0.6 s} */
    static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    }

    static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
