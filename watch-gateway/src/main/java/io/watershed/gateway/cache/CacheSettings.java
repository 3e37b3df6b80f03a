package io.watershed.gateway.cache;

import java.time.Duration;

/**
 * What the operator decides about the cache.
 *
 * @param historyBytes bound of the history in memory
 * @param imageWindow how long images stay exact reads can ask for
 * @param stalenessLimit the staleness below which a gateway first becomes ready
 */
public record CacheSettings(long historyBytes, Duration imageWindow, Duration stalenessLimit) {}
