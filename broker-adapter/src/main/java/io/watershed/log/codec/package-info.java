/** Records as bytes: key, value and the one header of log.md §5.1. {@code RecordCodec} is the entry. Final: golden records pin every byte. */
@NullMarked
package io.watershed.log.codec;

import org.jspecify.annotations.NullMarked;
