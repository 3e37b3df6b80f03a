/**
 * etcd's values as the JSON that the log holds. {@code ValueDecoder} is the entry. Stateless but for its counters, any thread; nothing
 * that etcd holds is dropped: what can't be decoded is published marked, and counted.
 */
@NullMarked
package io.watershed.ingest.decode;

import org.jspecify.annotations.NullMarked;
