/**
 * From the watch cache's history to open watches. A watch is a cursor into the shared history, never a queue: its memory does not
 * grow with what its client has not read.
 *
 * <p>{@link io.watershed.gateway.fanout.Fanout} hears of every new view of the cache, on the feed thread, and wakes the
 * {@link io.watershed.gateway.fanout.LoopDispatcher} of each event loop, at most one task a loop at a time. All other types are
 * confined to their event loop. Watches with equal targets are one class on their loop: a pass finds the classes that an event can
 * concern by index, joins a class's frames once into one buffer, and hands each of its watches one shared duplicate. A watch whose
 * {@link io.watershed.gateway.fanout.WatchSink} can't be written to stays behind at its place and reads on from there later.
 */
@NullMarked
package io.watershed.gateway.fanout;

import org.jspecify.annotations.NullMarked;
