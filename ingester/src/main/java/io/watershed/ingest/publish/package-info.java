/**
 * The one writer of the log. {@code Takeover} fences and learns what the log holds, {@code Relist} makes it a whole listing again,
 * {@code Publisher} appends what etcd releases, {@code Progress} says how far that is. The rules and their names are in docs/log.md.
 * All of it runs on the ingester's one thread; {@code ProgressDemand} and {@code KafkaWait} are the only things that others touch.
 */
@NullMarked
package io.watershed.ingest.publish;

import org.jspecify.annotations.NullMarked;
