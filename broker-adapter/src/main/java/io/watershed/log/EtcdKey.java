package io.watershed.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/**
 * A key of etcd, byte for byte; also the key of its record in the topic. Ordered as etcd orders: by unsigned bytes.
 *
 * <p><em>Threads:</em> immutable. The array is not copied: who hands one in gives it away, who takes one out does not write to it.
 */
public final class EtcdKey implements Comparable<EtcdKey> {
    private final byte[] bytes;
    private final int hash;

    private EtcdKey(byte[] bytes) {
        this.bytes = bytes;
        this.hash = Arrays.hashCode(bytes);
    }

    public static EtcdKey of(byte[] bytes) {
        return new EtcdKey(bytes);
    }

    public static EtcdKey utf8(String text) {
        return new EtcdKey(text.getBytes(UTF_8));
    }

    /** The key's own array. Not to be written to. */
    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return bytes.length;
    }

    public boolean startsWith(EtcdKey prefix) {
        return bytes.length >= prefix.bytes.length
                && Arrays.equals(bytes, 0, prefix.bytes.length, prefix.bytes, 0, prefix.bytes.length);
    }

    @Override
    public int compareTo(EtcdKey other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EtcdKey that && hash == that.hash && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** For messages: text where the bytes are printable ASCII, {@code \xNN} where they are not. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(bytes.length);
        for (byte b : bytes) {
            if (b >= 0x20 && b < 0x7f && b != '\\') {
                text.append((char) b);
            } else {
                text.append(String.format("\\x%02x", b & 0xff));
            }
        }
        return text.toString();
    }
}
