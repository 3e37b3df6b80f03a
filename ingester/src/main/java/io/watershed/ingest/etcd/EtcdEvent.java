package io.watershed.ingest.etcd;

import io.watershed.log.EtcdKey;

/**
 * One change of one key. A put of an empty value is a put; a delete carries nothing but its key and revision.
 *
 * <p><em>Threads:</em> immutable.
 */
public sealed interface EtcdEvent {
    EtcdKey key();

    long revision();

    record Put(EtcdValue value) implements EtcdEvent {
        @Override
        public EtcdKey key() {
            return value.key();
        }

        @Override
        public long revision() {
            return value.modRevision();
        }
    }

    record Delete(EtcdKey key, long revision) implements EtcdEvent {}
}
