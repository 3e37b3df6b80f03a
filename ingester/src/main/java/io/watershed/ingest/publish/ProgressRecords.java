package io.watershed.ingest.publish;

import io.watershed.ingest.etcd.EtcdFailure;
import io.watershed.ingest.etcd.EtcdSource;
import io.watershed.log.Entry;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * When a progress record is due: each second, also when idle; at once when a barrier waits for one, but at most ten a second.
 *
 * <p><em>Threads:</em> the ingester's one.
 */
final class ProgressRecords {
    private static final long EVERY_MILLIS = 1000;
    private static final long APART_MILLIS = 100;

    private final EtcdSource etcd;
    private final ProgressDemand demand;
    private final InstantSource clock;
    private final @Nullable String address;
    private long lastMillis;
    private long lastHead;

    ProgressRecords(EtcdSource etcd, ProgressDemand demand, InstantSource clock, @Nullable String address) {
        this.etcd = etcd;
        this.demand = demand;
        this.clock = clock;
        this.address = address;
    }

    /** The record that is due when everything up to {@code watermark} stands before it; null when none is. */
    Entry.@Nullable Progress due(long watermark) throws EtcdFailure {
        long now = clock.millis();
        if (now - lastMillis >= EVERY_MILLIS) {
            return now(watermark);
        }
        boolean waitedFor = demand.head() > lastHead && demand.head() <= watermark;
        if (waitedFor && now - lastMillis >= APART_MILLIS) {
            return made(watermark, demand.head(), demand.timestampMillis(), now);
        }
        return null;
    }

    /** One with a fresh look at etcd's head. */
    Entry.Progress now(long watermark) throws EtcdFailure {
        long before = clock.millis();
        long head = etcd.head().revision();
        return made(watermark, head, before, before);
    }

    private Entry.Progress made(long watermark, long head, long timestampMillis, long nowMillis) {
        lastMillis = nowMillis;
        lastHead = Math.min(head, watermark);
        return new Entry.Progress(watermark, head, timestampMillis, address);
    }
}
