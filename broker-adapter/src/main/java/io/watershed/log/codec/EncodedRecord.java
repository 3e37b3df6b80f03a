package io.watershed.log.codec;

import org.jspecify.annotations.Nullable;

/** A record as bytes. The arrays are its own and are not written to. */
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

    /** Null for a delete. */
    public byte @Nullable [] value() {
        return value;
    }

    /** Value of the one header, named {@link RecordCodec#HEADER}. */
    public byte[] header() {
        return header;
    }

    /** Bytes of key, value and header together. */
    public int size() {
        return key.length + (value == null ? 0 : value.length) + header.length;
    }
}
