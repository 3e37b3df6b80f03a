package io.watershed.gateway.cache;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the cache is.
 *
 * @param caughtUp whether there is a whole state to serve
 * @param logReachable whether the broker answered when it was last asked
 * @param reasons why it is not ready, for people; empty when it is
 * @param staleness age of the last head of etcd that was reached; null before the first
 * @param barrierAddress base URL of the ingester that wrote last; null when it told none
 */
public record CacheHealth(
        boolean caughtUp,
        boolean logReachable,
        List<String> reasons,
        @Nullable Duration staleness,
        @Nullable String barrierAddress) {
    public CacheHealth {
        reasons = List.copyOf(reasons);
    }

    public boolean ready() {
        return reasons.isEmpty();
    }
}
