package io.watershed.gateway.cache;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the cache is.
 *
 * @param caughtUp whether there is a whole state to serve
 * @param logReachable whether the broker answered when it was last asked
 * @param reasons why it is not ready, for people; empty when it is
 * @param conditions what is not as it should be although it is no reason for unreadiness, for people
 * @param staleness age of the last head of etcd that was reached; null before the first
 * @param barrierAddress base URL of the ingester that wrote last; null when it told none
 */
public record CacheHealth(
        boolean caughtUp,
        boolean logReachable,
        List<String> reasons,
        List<String> conditions,
        @Nullable Duration staleness,
        @Nullable String barrierAddress) {
    public CacheHealth {
        reasons = List.copyOf(reasons);
        conditions = List.copyOf(conditions);
    }

    /** The same with more conditions. */
    CacheHealth with(List<String> more) {
        List<String> all = new ArrayList<>(conditions);
        all.addAll(more);
        return new CacheHealth(caughtUp, logReachable, reasons, all, staleness, barrierAddress);
    }

    public boolean ready() {
        return reasons.isEmpty();
    }
}
