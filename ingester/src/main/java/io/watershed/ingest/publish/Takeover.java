package io.watershed.ingest.publish;

import io.watershed.ingest.catalogue.KeyCatalogue;
import io.watershed.ingest.etcd.EtcdFailure;
import io.watershed.ingest.etcd.EtcdSource;
import io.watershed.ingest.etcd.Head;
import io.watershed.log.AppendedRecord;
import io.watershed.log.Entry;
import io.watershed.log.Generation;
import io.watershed.log.LogFailure;
import io.watershed.log.codec.RecordCodec;
import io.watershed.log.state.LogState;
import io.watershed.log.state.Resync;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How an ingester becomes the writer, at a start and after any doubt: what the log holds is read to its end behind a fence, and only
 * then is anything written.
 */
public final class Takeover {
    private static final Logger LOGGER = LoggerFactory.getLogger(Takeover.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long DEADLINE_MILLIS = 60_000;

    private final EtcdSource etcd;
    private final Log log;
    private final Leadership leadership;
    private final SourceIdentity identity;
    private final KeyCatalogue catalogue;
    private final Duration window;
    private final InstantSource clock;
    private final RandomGenerator random;

    public Takeover(
            EtcdSource etcd,
            Log log,
            Leadership leadership,
            SourceIdentity identity,
            KeyCatalogue catalogue,
            Duration window,
            InstantSource clock,
            RandomGenerator random) {
        this.etcd = etcd;
        this.log = log;
        this.leadership = leadership;
        this.identity = identity;
        this.catalogue = catalogue;
        this.window = window;
        this.clock = clock;
        this.random = random;
    }

    /** What was read of the log. */
    private static final class Read {
        private final KeyTable table;
        private final LogState<KeyTable.Known> state;
        private Entry.@Nullable Lineage lineage;
        private Entry.@Nullable RelistEnd end;

        Read(KeyCatalogue catalogue, Duration window) {
            table = new KeyTable(catalogue::isInPlace);
            state = new LogState<>(table, window);
        }
    }

    /** Takes over, or says why not. Leaves the topic untouched unless it succeeds. */
    public Lead run() throws LogFailure, EtcdFailure, Halted {
        etcd.head(); // one that can't be reached costs no reading of the log
        log.requireContract();
        try (Log.Reader reader = log.openReader()) {
            Read read = new Read(catalogue, window);
            // Before the fence, so that an ingester at a wrong etcd does not stop a healthy one.
            readTo(reader, reader.endOffset(), read, false);
            // Asked after the log was read: another leader publishes meanwhile, and etcd's head may not be older than
            // what is compared.
            verifyLineage(etcd.head(), read);
            Log.Writer writer = log.openWriter();
            try {
                if (!leadership.holds()) {
                    throw new LogFailure.InDoubt("another ingester was given the lead meanwhile");
                }
                Lead lead = lead(reader, writer, read);
                if (!leadership.holds()) {
                    throw new LogFailure.InDoubt("another ingester was given the lead meanwhile");
                }
                return lead;
            } catch (LogFailure | EtcdFailure | Halted | RuntimeException e) {
                writer.close();
                throw e;
            }
        }
    }

    private Lead lead(Log.Reader reader, Log.Writer writer, Read read) throws LogFailure, EtcdFailure, Halted {
        long bound = reader.endOffset();
        readTo(reader, bound, read, true);
        LogState<KeyTable.Known> state = read.state;
        Head head = etcd.head();
        verifyLineage(head, read);
        Lead.Debt debt = debt(read, head);
        Generation known = state.generation();
        Generation generation = known == null ? Generation.first(random) : known;
        long watermark = state.watermark();
        Entry.Lineage lineage = new Entry.Lineage(
                watermark,
                RecordCodec.FORMAT,
                null,
                head.clusterId(),
                read.lineage == null ? 0 : read.lineage.oldMax(),
                "takeover",
                identity.ranges(),
                identity.fingerprint(),
                identity.ingester(),
                identity.address());
        List<Entry> first = new ArrayList<>(List.of(lineage));
        if (debt != null) {
            first.add(new Entry.RelistBegin(debt.least(), debt.reason()));
        }
        long lastSequence = state.lastSequence();
        writer.resumeAt(generation, lastSequence, bound - 1);
        writer.commit(first);
        confirm(reader, writer.lastOffset(), lastSequence + 1, lineage);
        state.settlePending();
        LOGGER.atInfo()
                .addKeyValue("generation", generation)
                .addKeyValue("resourceVersion", watermark)
                .addKeyValue("keys", read.table.size())
                .addKeyValue("relist", debt == null ? "no" : debt.reason())
                .log("this ingester leads");
        return new Lead(writer, read.table, generation, head.clusterId(), watermark, debt);
    }

    private Lead.@Nullable Debt debt(Read read, Head head) {
        LogState<KeyTable.Known> state = read.state;
        long watermark = state.watermark();
        switch (state.phase()) {
            case OPEN -> {
                return watermark == 0
                        ? new Lead.Debt(0, "first")
                        : new Lead.Debt(Math.max(watermark, state.least()), "carried");
            }
            case LOST -> {
                // Clients may hold any revision that the log lost, and none above the head.
                return watermark == 0 ? new Lead.Debt(0, "first") : new Lead.Debt(head.revision(), "damaged");
            }
            case WHOLE -> {
                boolean same = identity.fingerprint()
                        .equals(Objects.requireNonNull(read.end).fingerprint());
                return same ? null : new Lead.Debt(watermark, "configuration");
            }
        }
        throw new IllegalStateException("no such phase: " + state.phase());
    }

    private void readTo(Log.Reader reader, long bound, Read read, boolean fenced) throws LogFailure, Halted {
        long idleSince = clock.millis();
        while (reader.position() < bound) {
            List<AppendedRecord> records = reader.poll(POLL);
            for (AppendedRecord record : records) {
                apply(record, read);
            }
            if (!records.isEmpty()) {
                idleSince = clock.millis();
            } else if (!fenced && clock.millis() - idleSince > 1000) {
                return; // what follows is a predecessor's open transaction: the fence ends it
            } else if (fenced && clock.millis() - idleSince > DEADLINE_MILLIS) {
                throw new LogFailure.Unavailable(
                        "the log can't be read to its end: offset " + reader.position() + " of " + bound
                                + " for 60 s. Look for a hanging transaction with bin/kafka transactions find-hanging");
            }
        }
    }

    private void apply(AppendedRecord record, Read read) throws Halted {
        try {
            read.state.apply(record, clock.millis());
        } catch (Resync e) {
            throw new Halted("the log contradicts itself: " + e.getMessage()
                    + ". Nothing is written to it. Make a new topic (kafka.topic.name), or restore this one");
        }
        Entry entry = record.record().entry();
        if (entry instanceof Entry.Lineage lineage) {
            read.lineage = lineage;
        } else if (entry instanceof Entry.RelistEnd end) {
            read.end = end;
        }
    }

    private static void verifyLineage(Head head, Read read) throws Halted {
        Entry.Lineage lineage = read.lineage;
        if (lineage != null) {
            Lineage.verify(head, lineage.clusterId(), read.state.watermark());
        }
    }

    /** Reads until our lineage record has come back. It must be the very next: else somebody wrote behind the bound. */
    private void confirm(Log.Reader reader, long lastOffset, long sequence, Entry.Lineage lineage) throws LogFailure {
        boolean seen = false;
        long since = clock.millis();
        while (!seen && reader.position() <= lastOffset && clock.millis() - since < DEADLINE_MILLIS) {
            for (AppendedRecord record : reader.poll(POLL)) {
                if (!seen
                        && (record.record().sequence() != sequence
                                || !record.record().entry().equals(lineage))) {
                    throw new LogFailure.InDoubt("offset " + record.offset()
                            + " was written between the end of the log and this ingester's first record");
                }
                seen = true;
            }
        }
        if (!seen) {
            throw new LogFailure.InDoubt("this ingester's first record did not come back");
        }
    }
}
