package io.watershed.ingest.etcd;

import io.watershed.log.EtcdKey;

/** A live key as etcd holds it. Immutable; the array is not written to. */
public final class EtcdValue {
    private final EtcdKey key;
    private final byte[] value;
    private final long createRevision;
    private final long modRevision;
    private final long version;
    private final long lease;

    public EtcdValue(EtcdKey key, byte[] value, long createRevision, long modRevision, long version, long lease) {
        this.key = key;
        this.value = value;
        this.createRevision = createRevision;
        this.modRevision = modRevision;
        this.version = version;
        this.lease = lease;
    }

    public EtcdKey key() {
        return key;
    }

    public byte[] value() {
        return value;
    }

    public long createRevision() {
        return createRevision;
    }

    public long modRevision() {
        return modRevision;
    }

    public long version() {
        return version;
    }

    /** The lease's id, or 0. */
    public long lease() {
        return lease;
    }
}
