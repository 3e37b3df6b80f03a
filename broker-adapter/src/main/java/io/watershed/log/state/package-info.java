/**
 * What a reader makes of the log: docs/log.md as pure code, without I/O, clocks or threads. Gateways and ingester run the same rules.
 * {@code LogState} is the entry; the caller owns the thread.
 */
@NullMarked
package io.watershed.log.state;

import org.jspecify.annotations.NullMarked;
