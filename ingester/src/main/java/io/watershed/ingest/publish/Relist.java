package io.watershed.ingest.publish;

import io.micrometer.core.instrument.MeterRegistry;
import io.watershed.ingest.decode.ValueDecoder;
import io.watershed.ingest.etcd.EtcdFailure;
import io.watershed.ingest.etcd.EtcdSource;
import io.watershed.ingest.etcd.EtcdValue;
import io.watershed.ingest.etcd.Head;
import io.watershed.log.Entry;
import io.watershed.log.EtcdKey;
import io.watershed.log.KeyVersion;
import io.watershed.log.ListHash;
import io.watershed.log.LogFailure;
import io.watershed.log.ObjectRecord;
import io.watershed.log.ValueHash;
import io.watershed.log.codec.RecordCodec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the log a whole listing of its source again: publishes what differs, deletes what is gone, and ends with a record that says so.
 * Unchanged keys are not published anew (L2), and what a leader before us has published of its relist counts (L3).
 *
 * <p><em>Threads:</em> the ingester's one. Memory: the keys of one listing.
 */
final class Relist {
    private static final Logger LOGGER = LoggerFactory.getLogger(Relist.class);
    private static final int BATCH_RECORDS = 5000;
    private static final long BATCH_BYTES = 8 << 20;
    private static final int DELETES_UNASKED = 100;
    private static final long SOON_MILLIS = 1000;
    private static final long LATER_MILLIS = 30_000;

    /** Why a relist is not done, and when to try again. */
    record Wait(String why, long againMillis) {}

    private final Lead lead;
    private final EtcdSource etcd;
    private final ValueDecoder decoder;
    private final ProgressRecords progress;
    private final SourceIdentity identity;
    private final MeterRegistry meters;

    Relist(
            Lead lead,
            EtcdSource etcd,
            ValueDecoder decoder,
            ProgressRecords progress,
            SourceIdentity identity,
            MeterRegistry meters) {
        this.lead = lead;
        this.etcd = etcd;
        this.decoder = decoder;
        this.progress = progress;
        this.identity = identity;
        this.meters = meters;
    }

    /** Tries once. Null: it is done. Else what it waits for. */
    private @Nullable Wait run() throws LogFailure, EtcdFailure, Halted {
        Lead.Debt debt = Objects.requireNonNull(lead.debt());
        Head head = etcd.head();
        Lineage.verify(head, lead.clusterId(), lead.watermark());
        if (head.revision() <= debt.least()) {
            beat();
            return new Wait(
                    "a relist (" + debt.reason() + ") must be pinned above revision " + debt.least()
                            + ", and etcd has none yet: any write to etcd ends this",
                    SOON_MILLIS);
        }
        LOGGER.atInfo()
                .addKeyValue("reason", debt.reason())
                .addKeyValue("resourceVersion", head.revision())
                .log("relisting etcd");
        Listing listing = new Listing(head.revision());
        etcd.list(head.revision(), listing::page);
        List<EtcdKey> gone = listing.gone();
        if (gone.size() > Math.max(DELETES_UNASKED, listing.knownBefore / 5)
                && gone.size() > identity.acceptDeletes()) {
            String why = "a relist at revision " + head.revision() + " would delete " + gone.size() + " of "
                    + listing.knownBefore + " keys. If that is meant, start once with ingester.acceptDeletes="
                    + gone.size();
            LOGGER.atWarn().log(why);
            return new Wait(why, LATER_MILLIS);
        }
        listing.finish(gone);
        lead.paid();
        meters.counter("watershed_ingester_relists", "reason", debt.reason()).increment();
        LOGGER.atInfo()
                .addKeyValue("reason", debt.reason())
                .addKeyValue("resourceVersion", head.revision())
                .addKeyValue("keys", listing.hash.count())
                .addKeyValue("published", listing.published)
                .addKeyValue("deleted", gone.size())
                .log("relist complete");
        return null;
    }

    /** Gateways see that this ingester lives, and that the watermark stands still (L4). */
    void beat() throws LogFailure, EtcdFailure {
        Entry.Progress due = progress.due(lead.watermark());
        if (due != null) {
            lead.commit(List.of(due));
        }
    }

    /** Carries a failure of the log out of a callback that may not throw it. */
    private static final class Interrupted extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient @Nullable LogFailure log;
        private final transient @Nullable EtcdFailure etcd;

        Interrupted(@Nullable LogFailure log, @Nullable EtcdFailure etcd) {
            super(null, null, false, false);
            this.log = log;
            this.etcd = etcd;
        }
    }

    private final class Listing {
        private final long revision;
        private final Set<EtcdKey> listed = new HashSet<>();
        private final ListHash hash = new ListHash();
        private final List<Entry> batch = new ArrayList<>();
        private long batchBytes;
        private final int knownBefore = lead.table().size();
        private long published;

        Listing(long revision) {
            this.revision = revision;
        }

        void page(List<EtcdValue> values) {
            try {
                for (EtcdValue value : values) {
                    take(value);
                }
                flush();
                beat();
            } catch (LogFailure e) {
                throw new Interrupted(e, null);
            } catch (EtcdFailure e) {
                throw new Interrupted(null, e);
            }
        }

        private void take(EtcdValue value) throws LogFailure {
            EtcdKey key = value.key();
            if (key.startsWith(RecordCodec.CONTROL_PREFIX)) {
                refuse(key, meters);
                return;
            }
            KeyVersion version = new KeyVersion(
                    value.createRevision(),
                    value.modRevision(),
                    value.version(),
                    value.lease(),
                    ValueHash.of(value.value()));
            listed.add(key);
            hash.add(key, version);
            KeyTable.Known known = lead.table().get(key);
            if (known == null
                    || known.codec() != ValueDecoder.CODEC
                    || !known.inPlace()
                    || !same(known.version(), version)) {
                Entry.Snapshot snapshot = new Entry.Snapshot(decoder.decode(value));
                if (!lead.fits(snapshot)) {
                    snapshot = new Entry.Snapshot(decoder.oversize(snapshot.object(), value.value().length));
                }
                add(snapshot, value.value().length + 512L);
                published++;
            }
        }

        private void add(Entry entry, long bytes) throws LogFailure {
            batch.add(entry);
            batchBytes += bytes;
            if (batch.size() >= BATCH_RECORDS || batchBytes >= BATCH_BYTES) {
                flush();
            }
        }

        private void flush() throws LogFailure {
            if (!batch.isEmpty()) {
                lead.commit(batch);
                batch.clear();
                batchBytes = 0;
            }
        }

        /** Keys of the log that the list lacks. */
        List<EtcdKey> gone() {
            List<EtcdKey> gone = new ArrayList<>();
            lead.table().forEach((key, known) -> {
                if (!listed.contains(key)) {
                    gone.add(key);
                }
            });
            return gone;
        }

        void finish(List<EtcdKey> gone) throws LogFailure, EtcdFailure {
            for (int from = 0; from < gone.size(); from += BATCH_RECORDS - 1) {
                List<Entry> tombstones = new ArrayList<>();
                for (EtcdKey key : gone.subList(from, Math.min(gone.size(), from + BATCH_RECORDS - 1))) {
                    tombstones.add(new Entry.Snapshot(
                            new ObjectRecord(key, new KeyVersion(0, revision, 0, 0, 0), decoder.name(key), null)));
                }
                tombstones.add(progress.now(lead.watermark())); // never a tombstone last
                lead.commit(tombstones);
            }
            lead.commit(List.of(new Entry.RelistEnd(
                    revision, hash.count(), hash.hash(), identity.fingerprint(), identity.documents())));
        }
    }

    /** Runs a listing and lets failures of its callback out as what they are. */
    static @Nullable Wait attempt(Relist relist) throws LogFailure, EtcdFailure, Halted {
        try {
            return relist.run();
        } catch (Interrupted e) {
            if (e.log != null) {
                throw e.log;
            }
            throw Objects.requireNonNull(e.etcd);
        }
    }

    private static boolean same(KeyVersion known, KeyVersion listed) {
        return known.createRevision() == listed.createRevision()
                && known.modRevision() == listed.modRevision()
                && known.version() == listed.version()
                && known.valueHash() == listed.valueHash();
    }

    static void refuse(EtcdKey key, MeterRegistry meters) {
        meters.counter("watershed_ingester_refused_keys").increment();
        LOGGER.atWarn()
                .addKeyValue("key", key)
                .log("an etcd key that starts with !watershed/ is not published: rename it in etcd");
    }
}
