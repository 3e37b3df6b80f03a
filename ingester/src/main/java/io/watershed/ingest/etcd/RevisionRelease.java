package io.watershed.ingest.etcd;

import io.watershed.log.EtcdKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The release rule over several ranges (S1): a revision is released when every range has passed it, since one transaction over two
 * ranges comes as two responses in any order. Pure.
 *
 * <p>Drops what is not above the last release, as a member that lags may send it again; so releases only rise.
 *
 * <p><em>Threads:</em> confined to its owner.
 */
final class RevisionRelease {
    private final KeyFilter filter;
    private final long[] passed;
    private final TreeMap<Long, List<EtcdEvent>> waiting = new TreeMap<>();
    private long waitingBytes;
    private long released;

    RevisionRelease(int ranges, KeyFilter filter, long released) {
        this.filter = filter;
        this.passed = new long[ranges];
        Arrays.fill(passed, released);
        this.released = released;
    }

    /** A whole response of a range, fragments joined: it ends at a whole revision of that range. */
    void events(int range, List<EtcdEvent> events) {
        for (EtcdEvent event : events) {
            passed[range] = Math.max(passed[range], event.revision());
            if (event.revision() > released && filter.includes(event.key())) {
                waiting.computeIfAbsent(event.revision(), r -> new ArrayList<>())
                        .add(event);
                waitingBytes += bytes(event);
            }
        }
    }

    void progress(int range, long revision) {
        passed[range] = Math.max(passed[range], revision);
    }

    void progressOfAll(long revision) {
        for (int range = 0; range < passed.length; range++) {
            progress(range, revision);
        }
    }

    /** What all ranges have passed since the last call. */
    Released release() {
        long upTo = Math.max(released, Arrays.stream(passed).min().orElseThrow());
        List<RevisionEvents> revisions = new ArrayList<>();
        Map<Long, List<EtcdEvent>> ready = waiting.headMap(upTo, true);
        ready.forEach((revision, events) -> {
            events.sort(Comparator.comparing(EtcdEvent::key));
            events.forEach(event -> waitingBytes -= bytes(event));
            revisions.add(new RevisionEvents(revision, events));
        });
        ready.clear();
        released = upTo;
        return new Released(revisions, upTo);
    }

    long released() {
        return released;
    }

    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    long waitingBytes() {
        return waitingBytes;
    }

    private static long bytes(EtcdEvent event) {
        EtcdKey key = event.key();
        return 64L
                + key.length()
                + (event instanceof EtcdEvent.Put put ? put.value().value().length : 0);
    }
}
