package io.watershed.log.state;

import io.watershed.log.AppendedRecord;
import io.watershed.log.Entry;
import io.watershed.log.EtcdKey;
import io.watershed.log.LogRecord;
import io.watershed.log.ObjectRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The topic: compaction that respects the window and may stop half-way, tombstones that expire, aborted transactions, a cut tail. */
final class TopicModel {
    /** min.compaction.lag, in steps, which are the model's milliseconds. */
    static final int WINDOW = 60;
    /** delete.retention, in steps. */
    static final int DELETE_RETENTION = 300;

    private static final long NEVER = Long.MAX_VALUE;

    /** A record in its place. */
    static final class Slot {
        final AppendedRecord record;
        final boolean aborted;
        private long expires = NEVER;

        Slot(AppendedRecord record, boolean aborted) {
            this.record = record;
            this.aborted = aborted;
        }

        Entry entry() {
            return record.record().entry();
        }

        private long timestamp() {
            return record.timestampMillis();
        }

        private boolean isTombstone() {
            ObjectRecord object = object(entry());
            return object != null && object.isDelete();
        }
    }

    /** What was the watermark once {@code time} had come. */
    record Mark(long time, long watermark) {}

    private final List<@Nullable Slot> slots = new ArrayList<>();
    final List<Mark> watermarks = new ArrayList<>();
    int id;
    /** Counts the times that the tail was cut; the last time at {@link #cutAt}. */
    int epoch;

    int cutAt;

    int end() {
        return slots.size();
    }

    @Nullable
    Slot at(int offset) {
        return slots.get(offset);
    }

    /** Returns the offset of the first. */
    int append(List<LogRecord> records, long now, boolean aborted) {
        int first = end();
        for (LogRecord record : records) {
            slots.add(new Slot(new AppendedRecord(end(), now, record), aborted));
        }
        return first;
    }

    void remove(int offset) {
        slots.set(offset, null);
    }

    void compact(RandomGenerator random, long now) {
        int cut = cleanableEnd(now);
        cut = random.nextInt(Math.max(0, Math.min(cut, end() - 1)) + 1);
        int upTo = random.nextBoolean() ? cut : random.nextInt(cut + 1);
        Map<EtcdKey, Integer> last = new HashMap<>();
        for (int offset = 0; offset < cut; offset++) {
            Slot slot = at(offset);
            if (slot != null && !slot.aborted) {
                last.put(keyOf(slot.entry()), offset);
            }
        }
        for (int offset = 0; offset < upTo; offset++) {
            Slot slot = at(offset);
            if (slot == null) {
                continue;
            }
            boolean superseded = slot.aborted || last.getOrDefault(keyOf(slot.entry()), offset) > offset;
            if (superseded || slot.expires < now) {
                remove(offset);
            } else if (slot.isTombstone() && slot.expires == NEVER) {
                slot.expires = now + DELETE_RETENTION;
            }
        }
    }

    private int cleanableEnd(long now) {
        for (int offset = 0; offset < end(); offset++) {
            Slot slot = at(offset);
            if (slot != null && slot.timestamp() > now - WINDOW) {
                return offset;
            }
        }
        return end() - 1;
    }

    /** Loses up to {@code count} records of the last half window, as a broker does that dies before they are copied or on disk. */
    void cutTail(int count, long now) {
        for (int left = count; left > 0 && end() > 5; left--) {
            Slot last = at(end() - 1);
            if (last != null && last.timestamp() <= now - WINDOW / 2) {
                break;
            }
            slots.remove(end() - 1);
        }
        epoch++;
        cutAt = end();
    }

    void recreate() {
        slots.clear();
        watermarks.clear();
        id++;
    }

    private static @Nullable ObjectRecord object(Entry entry) {
        if (entry instanceof Entry.Change change) {
            return change.object();
        }
        return entry instanceof Entry.Snapshot snapshot ? snapshot.object() : null;
    }

    private static EtcdKey keyOf(Entry entry) {
        ObjectRecord object = object(entry);
        return object == null ? EtcdKey.utf8("!" + entry.getClass().getSimpleName()) : object.key();
    }
}
