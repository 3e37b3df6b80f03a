package io.watershed.log.state;

import io.watershed.log.Entry;
import io.watershed.log.EtcdKey;
import io.watershed.log.Generation;
import io.watershed.log.KeyVersion;
import io.watershed.log.ListHash;
import io.watershed.log.LogRecord;
import io.watershed.log.ObjectRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** An ingester that leads: takeover, stream, relist. It may die between any two steps; the world then has no leader. */
final class IngesterModel {
    /** Where a relist is. */
    private enum Relist {
        NONE,
        PIN,
        LIST,
        TOMBSTONES,
        END
    }

    private final World world;
    private final Map<EtcdKey, Obj> last = new TreeMap<>();
    private final List<Map.Entry<EtcdKey, Obj>> toList = new ArrayList<>();
    private Relist relist = Relist.NONE;
    private long pinned;
    private long sequence;
    private int lastOffset;
    private long least;
    private Generation generation;
    long watermark;
    /** The revision that the stream goes on with. */
    long next;

    boolean ready;

    private IngesterModel(World world, ReaderModel log) {
        this.world = world;
        this.generation = log.generation() == null ? world.newGeneration() : log.generation();
    }

    /** Reads the log and commits what a takeover commits. The world's leader, unless it was cut off at once. */
    static void takeOver(World world) {
        ReaderModel log = new ReaderModel(world.topic, world.now);
        log.readAll(world.now);
        IngesterModel ingester = new IngesterModel(world, log);
        world.leader = ingester;
        ingester.lead(log);
    }

    private void lead(ReaderModel log) {
        sequence = log.state.lastSequence();
        watermark = log.watermark();
        LogState.Phase phase = log.state.phase();
        boolean open = phase == LogState.Phase.OPEN;
        boolean due = phase != LogState.Phase.WHOLE;
        if (due && watermark > 0) {
            // L1. After damage clients may hold any revision that the log lost, but none above the head.
            least = Math.max(watermark, open ? log.state.least() : world.etcd.head());
        }
        log.state.settlePending();
        last.putAll(log.store.state);
        lastOffset = world.topic.end() - 1;
        world.tookOver(due, watermark);
        List<Entry> entries = new ArrayList<>(List.of(lineage(watermark, log.generation())));
        if (due) {
            entries.add(new Entry.RelistBegin(least, "due"));
        }
        commit(entries, false);
        if (world.leader == this) {
            next = watermark + 1;
            ready = true;
            relist = due ? Relist.PIN : Relist.NONE;
        }
    }

    static Entry.Lineage lineage(long revision, @Nullable Generation previous) {
        return new Entry.Lineage(revision, 1, previous, "", 0, "", List.of(), "", "", null);
    }

    boolean isListing() {
        return relist != Relist.NONE;
    }

    boolean isDone() {
        return relist == Relist.NONE && next > world.etcd.head() && world.historyOf(generation) == world.etcd;
    }

    /** Whether the transaction was committed and this ingester may go on. */
    private boolean commit(List<Entry> entries, boolean dies) {
        List<LogRecord> records = new ArrayList<>();
        for (Entry entry : entries) {
            sequence++;
            records.add(new LogRecord(generation, sequence, entry));
        }
        int first = world.topic.append(records, world.now, dies);
        if (dies) {
            return false;
        }
        if (first <= lastOffset) {
            // Offsets must rise: the log was cut.
            world.leader = null;
            return false;
        }
        lastOffset = world.topic.end() - 1;
        entries.forEach(this::remember);
        world.topic.watermarks.add(new TopicModel.Mark(world.now, watermark));
        return true;
    }

    private void remember(Entry entry) {
        if (entry instanceof Entry.Change change) {
            remember(change.object());
        } else if (entry instanceof Entry.Snapshot snapshot) {
            remember(snapshot.object());
            return;
        } else if (entry instanceof Entry.RelistBegin) {
            return;
        }
        watermark = Math.max(watermark, entry.revision());
    }

    private void remember(ObjectRecord object) {
        Obj live = Obj.of(object);
        if (live == null) {
            last.remove(object.key());
        } else {
            last.put(object.key(), live);
        }
    }

    void beginRelist(List<Entry> before) {
        least = Math.max(least, watermark);
        List<Entry> entries = new ArrayList<>(before);
        entries.add(new Entry.RelistBegin(least, "due"));
        if (commit(entries, false)) {
            relist = Relist.PIN;
        }
    }

    void step(RandomGenerator random) {
        if (world.historyOf(generation) != world.etcd) {
            beginGeneration();
        } else if (relist != Relist.NONE) {
            relistStep(random);
        } else if (next < world.etcd.compacted) {
            beginRelist(List.of());
        } else {
            stream(random);
        }
    }

    /** etcd is another history, and the operator has accepted it. */
    private void beginGeneration() {
        Generation previous = generation;
        generation = world.newGeneration();
        beginRelist(List.of(lineage(watermark, previous)));
    }

    private void stream(RandomGenerator random) {
        List<Entry> entries = new ArrayList<>();
        Map<EtcdKey, Obj> state = new TreeMap<>(last);
        long until = Math.min(world.etcd.head(), next + random.nextInt(4));
        for (long revision = next; revision <= until; revision++) {
            if (!append(entries, state, world.deliveredEvents(revision))) {
                beginRelist(List.of());
                return;
            }
        }
        long end = Math.max(until, next - 1);
        if (entries.isEmpty() || needsProgress(entries.get(entries.size() - 1), end) || random.nextInt(5) == 0) {
            entries.add(progress(Math.max(end, watermark)));
        }
        if (random.nextInt(100) < 3) {
            commit(entries, true);
            world.leader = null;
            return;
        }
        if (commit(entries, false)) {
            next = end + 1;
        }
        if (random.nextInt(100) < 3) {
            world.leader = null;
        }
    }

    /** Never a tombstone last (A3), and what the transaction covers is said. */
    private static boolean needsProgress(Entry tail, long end) {
        return tail.revision() != end
                || (tail instanceof Entry.Change change && change.object().isDelete());
    }

    /** Appends a revision's events; false if one does not follow what is known of its key. */
    private static boolean append(List<Entry> entries, Map<EtcdKey, Obj> state, List<Obj.Event> events) {
        for (int place = 0; place < events.size(); place++) {
            Obj.Event event = events.get(place);
            Obj known = state.get(event.key());
            Obj after = event.after();
            boolean fits = follows(event, known);
            if (!fits) {
                return false;
            }
            entries.add(new Entry.Change(record(event), place, events.size()));
            if (after == null) {
                state.remove(event.key());
            } else {
                state.put(event.key(), after);
            }
        }
        return true;
    }

    private static boolean follows(Obj.Event event, @Nullable Obj known) {
        Obj before = event.before();
        Obj after = event.after();
        if (after != null && after.version() == 1) {
            return known == null;
        }
        return known != null
                && before != null
                && known.created() == before.created()
                && known.version() == before.version();
    }

    private static ObjectRecord record(Obj.Event event) {
        Obj after = event.after();
        if (after != null) {
            return after.record(event.key());
        }
        Obj before = Objects.requireNonNull(event.before());
        KeyVersion version = new KeyVersion(before.created(), event.revision(), before.version() + 1, 0, 0);
        return new ObjectRecord(event.key(), version, null, null);
    }

    private Entry progress(long revision) {
        return new Entry.Progress(revision, revision, world.now, null);
    }

    private void relistStep(RandomGenerator random) {
        if (relist == Relist.PIN) {
            pin();
        } else if (pinned < world.etcd.compacted) {
            relist = Relist.PIN;
        } else if (relist == Relist.LIST) {
            listPage();
        } else if (relist == Relist.TOMBSTONES) {
            tombstones();
        } else {
            endRelist();
        }
        if (random.nextInt(100) < 6) {
            world.leader = null;
        }
    }

    private void pin() {
        EtcdModel etcd = world.etcd;
        long revision = watermark == 0 ? Math.max(etcd.compacted, etcd.head() - 20) : etcd.head();
        if (revision <= least) {
            return; // L1, N3: it waits
        }
        pinned = revision;
        toList.clear();
        toList.addAll(new TreeMap<>(etcd.at(revision)).entrySet());
        relist = Relist.LIST;
    }

    private void listPage() {
        List<Map.Entry<EtcdKey, Obj>> page = toList.subList(0, Math.min(2, toList.size()));
        List<Entry> entries = new ArrayList<>();
        for (Map.Entry<EtcdKey, Obj> object : page) {
            if (!object.getValue().equals(last.get(object.getKey()))) {
                entries.add(new Entry.Snapshot(object.getValue().record(object.getKey())));
            }
        }
        if (!entries.isEmpty() && !commit(entries, false)) {
            return;
        }
        page.clear();
        if (toList.isEmpty()) {
            relist = Relist.TOMBSTONES;
        }
    }

    private void tombstones() {
        List<Entry> entries = new ArrayList<>();
        for (EtcdKey key : last.keySet()) {
            if (!world.etcd.at(pinned).containsKey(key)) {
                entries.add(new Entry.Snapshot(new ObjectRecord(key, new KeyVersion(0, pinned, 0, 0, 0), null, null)));
            }
        }
        if (!entries.isEmpty()) {
            entries.add(progress(watermark));
            if (!commit(entries, false)) {
                return;
            }
        }
        relist = Relist.END;
    }

    private void endRelist() {
        ListHash hash = new ListHash();
        world.etcd.at(pinned).forEach((key, object) -> hash.add(key, object.keyVersion()));
        if (commit(List.of(new Entry.RelistEnd(pinned, hash.count(), hash.hash(), "")), false)) {
            relist = Relist.NONE;
            next = pinned + 1;
            world.repaired(pinned);
        }
    }
}
