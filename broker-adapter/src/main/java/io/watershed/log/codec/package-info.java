/** Records as bytes: key, value and the one header of docs/log.md. {@code RecordCodec} is the entry; it runs on any thread. Final: golden records pin every byte. */
@NullMarked
package io.watershed.log.codec;

import org.jspecify.annotations.NullMarked;
