/**
 * Kubernetes' stored forms as JSON bytes: protobuf by a table of messages and fields ({@code fields.tsv}, which names how it was made), and
 * CBOR. {@code ProtobufObject} and {@code Cbor} are the entries. What is thrown for bytes that can't be read is {@code Undecodable} and
 * nothing else. Tables are immutable, any thread; a decoding belongs to one thread.
 */
@NullMarked
package io.watershed.ingest.transcode;

import org.jspecify.annotations.NullMarked;
