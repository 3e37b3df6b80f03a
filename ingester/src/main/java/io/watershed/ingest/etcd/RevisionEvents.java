package io.watershed.ingest.etcd;

import java.util.List;

/** All events of one revision over all ranges, in byte order of their keys. Never empty. */
public record RevisionEvents(long revision, List<EtcdEvent> events) {
    public RevisionEvents {
        events = List.copyOf(events);
    }
}
