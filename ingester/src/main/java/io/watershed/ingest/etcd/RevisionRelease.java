package io.watershed.ingest.etcd;

import io.watershed.log.EtcdKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The release rule over several ranges (S1): a revision is released when every range has passed it, since one transaction over two
 * ranges comes as two responses in any order. Pure.
 *
 * <p>Monotone: what is not above the last release is dropped and counted, as a member that lags may send it again. An event has a
 * revision and a key for a name, so one that comes twice before its release is one event.
 *
 * <p><em>Threads:</em> confined to its owner.
 */
final class RevisionRelease {
    /** What an event takes beside its key and value: objects, references, the entries of two maps. */
    private static final long EVENT_BYTES = 160;

    private final KeyFilter filter;
    private final long[] passed;
    private final TreeMap<Long, TreeMap<EtcdKey, EtcdEvent>> waiting = new TreeMap<>();
    private long waitingBytes;
    private long released;
    private long dropped;

    /**
     * @param ranges how many
     * @param filter what of the ranges is wanted; the rest counts as progress, and not in a revision's events
     * @param released everything up to here has been released before
     */
    RevisionRelease(int ranges, KeyFilter filter, long released) {
        this.filter = filter;
        this.passed = new long[ranges];
        Arrays.fill(passed, released);
        this.released = released;
    }

    /** Events of a range up to the end of a revision: of the last one, all have come. */
    void events(int range, List<EtcdEvent> events) {
        for (EtcdEvent event : events) {
            passed[range] = Math.max(passed[range], event.revision());
            if (event.revision() <= released) {
                dropped++;
            } else if (filter.includes(event.key())) {
                add(event);
            }
        }
    }

    private void add(EtcdEvent event) {
        EtcdEvent same =
                waiting.computeIfAbsent(event.revision(), r -> new TreeMap<>()).put(event.key(), event);
        waitingBytes += bytes(event) - (same == null ? 0 : bytes(same));
    }

    /** Everything of this range up to the revision has come. */
    void progress(int range, long revision) {
        passed[range] = Math.max(passed[range], revision);
    }

    /** Everything of every range up to the revision has come. */
    void progressOfAll(long revision) {
        for (int range = 0; range < passed.length; range++) {
            progress(range, revision);
        }
    }

    /** What all ranges have passed since the last call. */
    Released release() {
        long upTo = Math.max(released, Arrays.stream(passed).min().orElseThrow());
        List<RevisionEvents> revisions = new ArrayList<>();
        Map<Long, TreeMap<EtcdKey, EtcdEvent>> ready = waiting.headMap(upTo, true);
        ready.forEach((revision, events) -> {
            events.values().forEach(event -> waitingBytes -= bytes(event));
            revisions.add(new RevisionEvents(revision, List.copyOf(events.values())));
        });
        ready.clear();
        released = upTo;
        return new Released(revisions, upTo);
    }

    long released() {
        return released;
    }

    /** Whether events wait for a range that has not passed them. */
    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /** About how much memory the waiting events take. */
    long waitingBytes() {
        return waitingBytes;
    }

    /** Events that came again after their release. */
    long dropped() {
        return dropped;
    }

    static long bytes(EtcdEvent event) {
        return EVENT_BYTES
                + event.key().length()
                + (event instanceof EtcdEvent.Put put ? put.value().value().length : 0);
    }
}
