package io.watershed.ingest.etcd;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A member's version, and what it can be trusted with. The gates are etcd's fixes, the same that Kubernetes asks for. */
record EtcdVersion(int major, int minor, int patch) implements Comparable<EtcdVersion> {
    private static final Pattern FORM = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+).*");

    static EtcdVersion parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a version of etcd: " + text);
        }
        return new EtcdVersion(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3)));
    }

    /** Whether a progress notification is in step with the events, also when it was asked for. Below: one range only (S2). */
    boolean trustworthyProgress() {
        return switch (minor) {
            case 4 -> major > 3 || patch >= 31;
            case 5 -> major > 3 || patch >= 13;
            default -> major > 3 || minor > 5;
        };
    }

    /** Whether a limited range reads no more than it returns. */
    boolean cheapPages() {
        return major > 3 || minor > 4 || patch >= 24;
    }

    /** The flag that makes etcd report progress often. */
    String progressFlag() {
        return major > 3 || minor > 5
                ? "--watch-progress-notify-interval"
                : "--experimental-watch-progress-notify-interval";
    }

    @Override
    public int compareTo(EtcdVersion other) {
        int byMinor = major != other.major ? major - other.major : minor - other.minor;
        return byMinor != 0 ? byMinor : patch - other.patch;
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
