package io.watershed.log;

import java.nio.ByteBuffer;

/**
 * Count and order-free hash of a list of keys, as the end of a relist states them: the sum modulo 2⁶⁴ of the hash of each key's bytes,
 * then its create_revision, mod_revision, version and value hash, eight bytes each, big-endian (docs/log.md, E).
 *
 * <p><em>Threads:</em> confined to its owner.
 */
public final class ListHash {
    private long count;
    private long sum;

    public void add(EtcdKey key, KeyVersion version) {
        byte[] bytes = new byte[key.length() + 32];
        ByteBuffer.wrap(bytes)
                .put(key.bytes())
                .putLong(version.createRevision())
                .putLong(version.modRevision())
                .putLong(version.version())
                .putLong(version.valueHash());
        sum += ValueHash.of(bytes);
        count++;
    }

    public long count() {
        return count;
    }

    public long hash() {
        return sum;
    }
}
