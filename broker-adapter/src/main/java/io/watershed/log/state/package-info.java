/**
 * What a reader makes of the log: log.md §5.6 as pure code, without I/O, clocks or threads. Gateways and ingester run the same rules.
 * {@code LogState} is the entry; the caller owns the thread.
 */
@NullMarked
package io.watershed.log.state;

import org.jspecify.annotations.NullMarked;
