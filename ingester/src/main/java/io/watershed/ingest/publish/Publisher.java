package io.watershed.ingest.publish;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.watershed.ingest.decode.ValueDecoder;
import io.watershed.ingest.etcd.EtcdEvent;
import io.watershed.ingest.etcd.EtcdFailure;
import io.watershed.ingest.etcd.EtcdSource;
import io.watershed.ingest.etcd.Released;
import io.watershed.ingest.etcd.RevisionEvents;
import io.watershed.ingest.etcd.RevisionStream;
import io.watershed.log.Entry;
import io.watershed.log.EtcdKey;
import io.watershed.log.KeyVersion;
import io.watershed.log.LogFailure;
import io.watershed.log.ObjectRecord;
import io.watershed.log.codec.RecordCodec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends what etcd releases. Everything that is there when a commit has ended goes into the next one, whole revisions only: batches
 * grow with the load and there is no timer. etcd is asked for more only after a commit.
 *
 * <p>Before a revision is published each event is held against what the log says of its key: an event that does not follow means that
 * one was lost, and nothing of that revision is published but a relist is due.
 *
 * <p><em>Threads:</em> the ingester's one.
 */
public final class Publisher {
    private static final Logger LOGGER = LoggerFactory.getLogger(Publisher.class);
    private static final int BATCH_EVENTS = 5000;
    private static final long BATCH_BYTES = 8 << 20;
    private static final Duration IDLE = Duration.ofMillis(100);
    private static final long CHECK_MILLIS = 10_000;
    private static final long SLACK_MILLIS = 100;

    private final Lead lead;
    private final EtcdSource etcd;
    private final Log log;
    private final ValueDecoder decoder;
    private final ProgressDemand demand;
    private final ProgressRecords progress;
    private final SourceIdentity identity;
    private final MeterRegistry meters;
    private final InstantSource clock;
    private final Counter puts;
    private final Counter deletes;
    /**
     * What the stream has passed and the log has all of. Above the log's watermark when only what is not ingested happened since the last
     * progress record: the stream says that once, and the next record, which may be due much later, must still know it.
     */
    private long passed;

    private long checkedMillis;
    private long relistAgainMillis;
    private String waiting = "no relist was tried yet";

    public Publisher(
            Lead lead,
            EtcdSource etcd,
            Log log,
            ValueDecoder decoder,
            ProgressDemand demand,
            SourceIdentity identity,
            MeterRegistry meters,
            InstantSource clock) {
        this.lead = lead;
        this.etcd = etcd;
        this.log = log;
        this.decoder = decoder;
        this.demand = demand;
        this.identity = identity;
        this.meters = meters;
        this.clock = clock;
        this.progress = new ProgressRecords(etcd, demand, clock, identity.address());
        this.puts = meters.counter("watershed_ingester_events", "type", "put");
        this.deletes = meters.counter("watershed_ingester_events", "type", "delete");
        this.checkedMillis = clock.millis();
    }

    /** Whether a relist is due before anything can be streamed. */
    public boolean owesRelist() {
        return lead.debt() != null;
    }

    /** Why the relist that is due is not done. */
    public String waiting() {
        return waiting;
    }

    /** Does the relist that is due. False: not possible yet, for {@link #waiting()}; to be asked again each second. */
    public boolean relist() throws LogFailure, EtcdFailure, Halted {
        check();
        Relist relist = new Relist(lead, etcd, decoder, progress, identity, meters);
        long now = clock.millis();
        if (now < relistAgainMillis) {
            relist.beat();
            return false;
        }
        Relist.Wait wait = Relist.attempt(relist);
        if (wait == null) {
            return true;
        }
        waiting = wait.why();
        // Of the second that the caller waits the clock may have counted less.
        relistAgainMillis = now + wait.againMillis() - SLACK_MILLIS;
        return false;
    }

    /** A stream that goes on where the log ends. That etcd has compacted what comes next shows in the first {@link #step}. */
    public RevisionStream resume() throws LogFailure, EtcdFailure, Halted {
        Lineage.verify(etcd.head(), lead.clusterId(), lead.watermark());
        passed = lead.watermark();
        return etcd.stream(passed + 1);
    }

    /** Publishes one batch, or waits a moment. False when a relist has become due. */
    public boolean step(RevisionStream stream) throws LogFailure, EtcdFailure {
        check();
        if (demand.head() > lead.watermark()) {
            stream.requestProgress();
        }
        Batch batch = new Batch(passed);
        try {
            Released released = stream.next(IDLE);
            while (released != null) {
                for (RevisionEvents revision : released.revisions()) {
                    if (batch.isFullWith(revision)) {
                        commit(batch.entries, batch.upTo);
                        batch = new Batch(batch.upTo);
                    }
                    List<Entry> changes = changes(revision, batch.staged);
                    if (changes == null) {
                        lead.owe("integrity", batch.entries);
                        return false;
                    }
                    batch.add(revision, changes);
                }
                batch.upTo = Math.max(batch.upTo, released.upTo());
                released = batch.isFull() ? null : stream.next(Duration.ZERO);
            }
        } catch (EtcdFailure.Compacted e) {
            LOGGER.atWarn()
                    .addKeyValue("resourceVersion", lead.watermark())
                    .addKeyValue("compacted", e.compactRevision())
                    .log(
                            "etcd has compacted what comes next: every open watch of this source will end with 410, and clients list"
                                    + " again from the gateways. Keep more history in etcd if ingesters can be down for longer");
            lead.owe("compacted", batch.entries);
            return false;
        }
        commit(batch.entries, batch.upTo);
        passed = batch.upTo;
        return true;
    }

    /** Whole revisions that go into one transaction. One that is larger than a batch is a batch of its own. */
    private static final class Batch {
        private final List<Entry> entries = new ArrayList<>();
        private final Map<EtcdKey, KeyTable.@Nullable Known> staged = new HashMap<>();
        private long upTo;
        private long bytes;

        Batch(long upTo) {
            this.upTo = upTo;
        }

        void add(RevisionEvents revision, List<Entry> changes) {
            entries.addAll(changes);
            bytes += bytes(revision);
            upTo = Math.max(upTo, revision.revision());
        }

        boolean isFull() {
            return entries.size() >= BATCH_EVENTS || bytes >= BATCH_BYTES;
        }

        boolean isFullWith(RevisionEvents revision) {
            return !entries.isEmpty()
                    && (entries.size() + revision.events().size() > BATCH_EVENTS
                            || bytes + bytes(revision) > BATCH_BYTES);
        }
    }

    private void commit(List<Entry> entries, long upTo) throws LogFailure, EtcdFailure {
        Entry.Progress due = progress.due(upTo);
        boolean tombstoneLast = !entries.isEmpty()
                && entries.get(entries.size() - 1) instanceof Entry.Change change
                && change.object().isDelete();
        if (due == null && tombstoneLast) {
            due = progress.now(upTo);
        }
        if (due != null) {
            entries.add(due);
        }
        if (!entries.isEmpty()) {
            lead.commit(entries);
            for (Entry entry : entries) {
                if (entry instanceof Entry.Change change) {
                    (change.object().isDelete() ? deletes : puts).increment();
                }
            }
        }
    }

    /** The entries of a revision; null when an event does not follow what is known of its key. */
    private @Nullable List<Entry> changes(RevisionEvents revision, Map<EtcdKey, KeyTable.@Nullable Known> staged) {
        List<EtcdEvent> events = new ArrayList<>(revision.events().size());
        for (EtcdEvent event : revision.events()) {
            if (event.key().startsWith(RecordCodec.CONTROL_PREFIX)) {
                Relist.refuse(event.key(), meters);
            } else {
                events.add(event);
            }
        }
        List<Entry> entries = new ArrayList<>(events.size());
        for (int place = 0; place < events.size(); place++) {
            EtcdEvent event = events.get(place);
            KeyTable.Known known = staged.containsKey(event.key())
                    ? staged.get(event.key())
                    : lead.table().get(event.key());
            ObjectRecord object = record(event, known);
            if (object == null) {
                meters.counter("watershed_ingester_integrity_violations").increment();
                LOGGER.atError()
                        .addKeyValue("key", event.key())
                        .addKeyValue("revision", event.revision())
                        .log("an event of this key was lost: relisting");
                return null;
            }
            Entry.Change change = new Entry.Change(object, place, events.size());
            if (event instanceof EtcdEvent.Put put && !lead.fits(change)) {
                change = new Entry.Change(decoder.oversize(object, put.value().value().length), place, events.size());
            }
            entries.add(change);
            staged.put(event.key(), object.isDelete() ? null : lead.table().keep(change.object()));
        }
        return entries;
    }

    private @Nullable ObjectRecord record(EtcdEvent event, KeyTable.@Nullable Known known) {
        if (event instanceof EtcdEvent.Put put) {
            boolean first = put.value().version() == 1;
            boolean follows = first
                    ? known == null && put.value().createRevision() == put.revision()
                    : known != null
                            && known.version().createRevision() == put.value().createRevision()
                            && known.version().version() == put.value().version() - 1;
            return follows ? decoder.decode(put.value()) : null;
        }
        if (known == null) {
            return null;
        }
        KeyVersion last = known.version();
        return new ObjectRecord(
                event.key(),
                new KeyVersion(last.createRevision(), event.revision(), last.version() + 1, 0, 0),
                decoder.name(event.key()),
                null);
    }

    private static long bytes(RevisionEvents revision) {
        long bytes = 0;
        for (EtcdEvent event : revision.events()) {
            bytes += 512 + (event instanceof EtcdEvent.Put put ? put.value().value().length : 0);
        }
        return bytes;
    }

    private void check() throws LogFailure {
        long now = clock.millis();
        if (now - checkedMillis >= CHECK_MILLIS) {
            checkedMillis = now;
            log.checkWhilePublishing();
        }
    }
}
