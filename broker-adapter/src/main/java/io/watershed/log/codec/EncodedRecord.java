package io.watershed.log.codec;

import org.jspecify.annotations.Nullable;

/**
 * A record as it stands in the topic: key, value, and the bytes of its one header {@link RecordCodec#HEADER}.
 *
 * <p><em>Threads:</em> immutable; the arrays are its own and are not written to.
 */
public final class EncodedRecord {
    private final byte[] key;
    private final byte @Nullable [] value;
    private final byte[] header;

    EncodedRecord(byte[] key, byte @Nullable [] value, byte[] header) {
        this.key = key;
        this.value = value;
        this.header = header;
    }

    public byte[] key() {
        return key;
    }

    /** Null for a delete: Kafka's tombstone. */
    public byte @Nullable [] value() {
        return value;
    }

    public byte[] header() {
        return header;
    }

    /** Bytes of key, value and header with its name; Kafka's own framing comes on top, below 100 bytes. */
    public long size() {
        return (long) key.length + (value == null ? 0 : value.length) + header.length + RecordCodec.HEADER.length();
    }
}
