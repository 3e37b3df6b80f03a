/**
 * The log as both sides see it: what a record of the topic says, whoever writes or reads it. Values only; no I/O here.
 *
 * <p>A {@link io.watershed.log.LogRecord} is an {@link io.watershed.log.Entry} with its place in the log. {@code codec} turns it
 * into bytes and back, {@code state} says what a reader makes of a sequence of them, {@code kafka} writes and reads them.
 */
@NullMarked
package io.watershed.log;

import org.jspecify.annotations.NullMarked;
