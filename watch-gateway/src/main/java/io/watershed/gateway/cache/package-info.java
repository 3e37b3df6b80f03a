/**
 * The watch cache: what the log says, as images that readers walk without locks and a history that watches move along. {@code WatchCache}
 * is the entry. One thread, the feed, reads the log and owns everything that changes; what it publishes is immutable, or grows at its end
 * only.
 */
@NullMarked
package io.watershed.gateway.cache;

import org.jspecify.annotations.NullMarked;
