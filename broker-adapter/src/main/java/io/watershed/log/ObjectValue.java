package io.watershed.log;

import org.jspecify.annotations.Nullable;

/**
 * The value of a live object: compact UTF-8 JSON with the fixed beginning that docs/log.md states, and what the header says about it.
 * The array is the object's own and is not written to after construction.
 */
public final class ObjectValue {
    private final byte[] json;
    private final int codec;
    private final @Nullable String storedVersion;
    private final @Nullable Encoding encoding;

    public ObjectValue(byte[] json, int codec, @Nullable String storedVersion, @Nullable Encoding encoding) {
        this.json = json;
        this.codec = codec;
        this.storedVersion = storedVersion;
        this.encoding = encoding;
    }

    public byte[] json() {
        return json;
    }

    /** Number of the codec that made the value: the {@code f=} of the header. */
    public int codec() {
        return codec;
    }

    /** The stored apiVersion, if another than the value's. */
    public @Nullable String storedVersion() {
        return storedVersion;
    }

    /** Null for a full object. */
    public @Nullable Encoding encoding() {
        return encoding;
    }
}
