package io.watershed.ingest.etcd;

/** The etcd of the system's path: 3.4.23 on Debian 12, below every version gate. */
class SystemEtcdIT extends EtcdSourceContract {
    SystemEtcdIT() {
        super("etcd");
    }
}
