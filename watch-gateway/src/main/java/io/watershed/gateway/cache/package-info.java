/**
 * The watch cache: what the log says, in memory. A {@link io.watershed.gateway.cache.CacheView} is one moment of it, immutable; its
 * {@link io.watershed.gateway.cache.History} is the changes that led there.
 *
 * <p>One thread, the feed, writes; any thread reads.
 */
@NullMarked
package io.watershed.gateway.cache;

import org.jspecify.annotations.NullMarked;
