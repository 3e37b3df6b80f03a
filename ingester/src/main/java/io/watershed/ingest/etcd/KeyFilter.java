package io.watershed.ingest.etcd;

import io.watershed.log.EtcdKey;
import java.util.List;

/** Which keys of the ranges that are read are ingested. What it leaves out counts as progress. */
record KeyFilter(List<EtcdKey> prefixes, List<EtcdKey> exclude) {
    boolean includes(EtcdKey key) {
        return prefixes.stream().anyMatch(key::startsWith) && exclude.stream().noneMatch(key::startsWith);
    }
}
