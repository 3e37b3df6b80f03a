package io.watershed.gateway.api;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order of an API's versions: stable ones before beta before alpha, higher numbers first; then all others by name.
 *
 * <p><em>Source:</em> Kubernetes' version priority, by which a group of custom resources prefers its first.
 */
final class KubernetesVersions {
    private static final Pattern VERSION = Pattern.compile("v([1-9][0-9]{0,8})(?:(alpha|beta)([1-9][0-9]{0,8}))?");

    private record Rank(int stability, int major, int minor) {}

    private static final Comparator<Rank> BY_RANK = Comparator.comparingInt(Rank::stability)
            .thenComparingInt(Rank::major)
            .thenComparingInt(Rank::minor)
            .reversed();

    /** The preferred one first. */
    static final Comparator<String> PREFERRED_FIRST =
            Comparator.comparing(KubernetesVersions::rank, BY_RANK).thenComparing(Comparator.naturalOrder());

    private KubernetesVersions() {}

    private static Rank rank(String version) {
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches()) {
            return new Rank(0, 0, 0);
        }
        String stage = parts.group(2);
        int stability = stage == null ? 3 : stage.equals("beta") ? 2 : 1;
        return new Rank(
                stability, Integer.parseInt(parts.group(1)), stage == null ? 0 : Integer.parseInt(parts.group(3)));
    }
}
