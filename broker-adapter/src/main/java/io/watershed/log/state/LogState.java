package io.watershed.log.state;

import io.watershed.log.AppendedRecord;
import io.watershed.log.Entry;
import io.watershed.log.EtcdKey;
import io.watershed.log.Generation;
import io.watershed.log.KeyVersion;
import io.watershed.log.ListHash;
import io.watershed.log.LogRecord;
import io.watershed.log.ObjectRecord;
import io.watershed.log.ObjectValue;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the reader: which state, which history and which resume points follow from the records so far. docs/log.md states them;
 * the names in the comments (A1–A6, V4, L3) are its.
 *
 * <p>Records come in offset order, committed ones only. {@link #watermark()} is the revision of the state that may be shown,
 * {@link #floor()} the lowest resource version that a watch can be resumed from. Relist records stay pending, shown to nobody, until
 * their end has come.
 *
 * <p><em>Threads:</em> confined to the thread that applies records.
 *
 * @param <V> what the store keeps of an object
 */
public final class LogState<V> {
    /** Whether the log holds a whole listing of its source. */
    public enum Phase {
        /** No relist has begun yet, or a part of the log is missing that compaction did not take. */
        LOST,
        /** A relist was begun and has not ended. */
        OPEN,
        WHOLE
    }

    /** A relist's record of one key that waits for the relist's end; a tombstone has no object. */
    private record Pending<V>(@Nullable V object) {}

    private final StateStore<V> store;
    private final long youngMillis;
    private final Map<EtcdKey, Pending<V>> pending = new LinkedHashMap<>();
    private Phase phase = Phase.LOST;
    private boolean live;
    private long watermark;
    private long floor;
    private long least;
    private long lastSequence;
    private @Nullable Generation generation;
    private @Nullable Generation servedGeneration;

    /** {@code window}: the topic's min.compaction.lag.ms. */
    public LogState(StateStore<V> store, Duration window) {
        this.store = store;
        // A tenth of the window is left to clocks that differ.
        this.youngMillis = window.toMillis() * 9 / 10;
    }

    /** Applies the next committed record. {@code nowMillis}: the reader's clock, to judge the age of gaps by. */
    public void apply(AppendedRecord next, long nowMillis) throws Resync {
        LogRecord record = next.record();
        boolean gap = checkContinuity(next, record);
        if (gap && next.timestampMillis() > nowMillis - youngMillis) {
            phase = Phase.LOST; // A3: compaction never takes so young a record
        }
        lastSequence = record.sequence();
        generation = record.generation();

        Entry entry = record.entry();
        if (entry instanceof Entry.Change change) {
            change(change, gap);
        } else if (entry instanceof Entry.Snapshot snapshot) {
            pending.put(snapshot.object().key(), new Pending<>(kept(snapshot.object())));
        } else if (entry instanceof Entry.RelistBegin begin) {
            phase = Phase.OPEN;
            least = begin.least();
        } else if (entry instanceof Entry.RelistEnd end) {
            relistEnd(end);
        } else if (entry instanceof Entry.Progress || entry instanceof Entry.Lineage) {
            progress(entry.revision(), gap);
        } else {
            throw new IllegalStateException("no rule for " + entry);
        }
    }

    private boolean checkContinuity(AppendedRecord next, LogRecord record) throws Resync {
        if (live && !record.generation().equals(generation) && !announces(record)) {
            throw new Resync(
                    Resync.Reason.GENERATION,
                    "generation " + record.generation() + " follows " + generation + " unannounced, at offset "
                            + next.offset());
        }
        if (record.sequence() <= lastSequence) {
            throw new Resync(
                    Resync.Reason.SEQUENCE_BACK,
                    "sequence " + record.sequence() + " follows " + lastSequence + ", at offset " + next.offset());
        }
        boolean gap = record.sequence() > lastSequence + 1;
        if (gap && live) {
            throw new Resync(
                    Resync.Reason.SEQUENCE_GAP,
                    "sequence jumps from " + lastSequence + " to " + record.sequence() + ", at offset "
                            + next.offset());
        }
        return gap;
    }

    private boolean announces(LogRecord record) {
        return record.entry() instanceof Entry.Lineage lineage
                && lineage.previous() != null
                && lineage.previous().equals(generation);
    }

    private void change(Entry.Change change, boolean gap) throws Resync {
        settle(); // what is pending still lost its end to compaction, and is older than this
        ObjectRecord object = change.object();
        long revision = change.revision();
        // A5: what is missing lies in (watermark, this], and expired deletes perhaps in this revision itself.
        long bound = change.place() == 0 ? revision - 1 : revision;
        if (gap && bound > watermark) {
            raise(bound + 1);
        }
        EtcdKey key = object.key();
        V previous = store.get(key);
        if (!fits(object, previous)) {
            if (live) {
                throw new Resync(
                        Resync.Reason.MISFIT,
                        "revision " + revision + " of " + key + " does not follow what is known of the key");
            }
            raise(change.count() == 1 ? revision : revision + 1); // A6
        }
        V kept = kept(object);
        set(key, kept);
        if (revision >= floor) {
            store.event(revision, key, previous, kept, change.lastOfRevision());
        }
        if (change.lastOfRevision()) {
            publish(revision);
        }
    }

    /** A4: a first version needs an absent key, any other the version before of the same life. */
    private boolean fits(ObjectRecord object, @Nullable V previous) {
        KeyVersion now = object.version();
        if (now.version() == 1 && !object.isDelete()) {
            return previous == null;
        }
        if (previous == null) {
            return false;
        }
        KeyVersion before = store.versionOf(previous);
        return before.createRevision() == now.createRevision() && before.version() == now.version() - 1;
    }

    private void progress(long revision, boolean gap) throws Resync {
        if (revision > watermark) {
            if (gap) {
                raise(revision + 1);
            }
            publish(revision);
        }
    }

    private void relistEnd(Entry.RelistEnd end) throws Resync {
        settle();
        if (live) {
            verify(end);
        }
        raise(end.revision());
        store.relisted(end.revision());
        publish(end.revision());
        if (phase == Phase.OPEN) {
            phase = Phase.WHOLE;
        }
    }

    private void verify(Entry.RelistEnd end) throws Resync {
        ListHash hash = new ListHash();
        store.forEach((key, object) -> hash.add(key, store.versionOf(object)));
        if (hash.count() != end.count() || hash.hash() != end.hash()) {
            throw new Resync(
                    Resync.Reason.LIST,
                    "the relist at revision " + end.revision() + " lists " + end.count() + " keys, here are "
                            + hash.count() + (hash.count() == end.count() ? " others" : ""));
        }
    }

    private @Nullable V kept(ObjectRecord object) {
        ObjectValue value = object.value();
        return value == null ? null : store.keep(object);
    }

    private void settle() {
        if (!pending.isEmpty()) {
            pending.forEach((key, waiting) -> set(key, waiting.object()));
            pending.clear();
        }
    }

    private void set(EtcdKey key, @Nullable V object) {
        if (object == null) {
            store.remove(key);
        } else {
            store.put(key, object);
        }
    }

    private void raise(long to) {
        if (to > floor) {
            floor = to;
            store.raiseFloor(to);
        }
    }

    private void publish(long revision) throws Resync {
        if (revision < watermark) {
            throw new Resync(
                    Resync.Reason.REVISION_BACK,
                    "revision " + revision + " follows the watermark " + watermark
                            + ": more than one ingester has written, or records were copied into the topic");
        }
        watermark = revision;
        servedGeneration = generation;
        store.publish(revision);
    }

    /** The reader is Ready: from now on any break of continuity is a {@link Resync}; the floor is clamped to the watermark (V4). */
    public void becomeLive() {
        live = true;
        floor = Math.min(floor, watermark);
    }

    public Phase phase() {
        return phase;
    }

    /** The revision of the state that may be shown; 0 before the first. */
    public long watermark() {
        return watermark;
    }

    /** The lowest resource version that is a valid resume point. */
    public long floor() {
        return floor;
    }

    /** The one predicate for watches, exact reads and continue tokens (exact reads need the image as well). */
    public boolean isValid(long revision) {
        return floor <= revision && revision <= watermark;
    }

    /** What the relist that was begun last must be pinned above. */
    public long least() {
        return least;
    }

    public long lastSequence() {
        return lastSequence;
    }

    /** Of the last record read; null before the first. */
    public @Nullable Generation generation() {
        return generation;
    }

    /** Of what is served: the generation of the last publish. */
    public @Nullable Generation servedGeneration() {
        return servedGeneration;
    }

    /**
     * For the ingester at a takeover: moves what is pending into the store, since the last record of each key is what the log holds,
     * whatever the brackets (L3). Ends this state's use as a reader.
     */
    public void settlePending() {
        settle();
    }
}
