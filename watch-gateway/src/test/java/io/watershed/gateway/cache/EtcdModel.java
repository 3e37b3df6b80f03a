package io.watershed.gateway.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.log.AppendedRecord;
import io.watershed.log.Encoding;
import io.watershed.log.Entry;
import io.watershed.log.EtcdKey;
import io.watershed.log.Generation;
import io.watershed.log.KeyVersion;
import io.watershed.log.ListHash;
import io.watershed.log.LogRecord;
import io.watershed.log.ObjectRecord;
import io.watershed.log.ObjectValue;
import io.watershed.log.ResourceName;
import io.watershed.log.ValueHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An etcd whose every state is remembered, and the records that an ingester writes of it. Nothing is in the log before {@link #flush}. */
final class EtcdModel {
    private static final String ROOT = "/registry/";

    private final ScriptedLog log;
    private final Map<Long, TreeMap<EtcdKey, ObjectRecord>> states = new TreeMap<>();
    private final List<Entry> unwritten = new ArrayList<>();
    private TreeMap<EtcdKey, ObjectRecord> state = new TreeMap<>();
    /** What the log tells so far, or will. */
    private TreeMap<EtcdKey, ObjectRecord> told = new TreeMap<>();

    private Generation generation = Generation.parse("1-0000000a");
    private long sequence;
    private long revision;

    EtcdModel(ScriptedLog log, long revision) {
        this.log = log;
        this.revision = revision;
        states.put(revision, state);
    }

    /** One write of a transaction. {@code text} is the value of data.text; null deletes. */
    record Write(
            ResourceName name,
            @Nullable String text,
            @Nullable Encoding encoding) {
        static Write put(String namespace, String name, String text) {
            return new Write(new ResourceName("configmaps", namespace, name), text, null);
        }

        static Write delete(String namespace, String name) {
            return new Write(new ResourceName("configmaps", namespace, name), null, null);
        }

        EtcdKey key() {
            String namespace = name.namespace() == null ? "" : name.namespace() + "/";
            return EtcdKey.utf8(ROOT + name.resource().replace('.', '/') + "/" + namespace + name.name());
        }
    }

    long revision() {
        return revision;
    }

    Map<EtcdKey, ObjectRecord> state(long at) {
        return Objects.requireNonNull(states.get(at));
    }

    boolean holds(Write write) {
        return state.containsKey(write.key());
    }

    /** One transaction; its keys must differ, and what it deletes must be there. */
    EtcdModel write(Write... writes) {
        List<Entry> changes = apply(writes);
        unwritten.addAll(changes);
        told = state;
        return this;
    }

    /** A transaction that no one writes to the log: only a relist tells of it. */
    EtcdModel writeUnseen(Write... writes) {
        apply(writes);
        return this;
    }

    private List<Entry> apply(Write... writes) {
        revision++;
        TreeMap<EtcdKey, ObjectRecord> next = new TreeMap<>(state);
        TreeMap<EtcdKey, ObjectRecord> changed = new TreeMap<>();
        for (Write write : writes) {
            ObjectRecord record = record(write, state.get(write.key()));
            changed.put(write.key(), record);
            if (record.isDelete()) {
                next.remove(write.key());
            } else {
                next.put(write.key(), record);
            }
        }
        state = next;
        states.put(revision, next);
        List<Entry> entries = new ArrayList<>();
        changed.values().forEach(record -> entries.add(new Entry.Change(record, entries.size(), changed.size())));
        return entries;
    }

    private ObjectRecord record(Write write, @Nullable ObjectRecord before) {
        long created = before == null ? revision : before.version().createRevision();
        long version = before == null ? 1 : before.version().version() + 1;
        if (write.text() == null) {
            return new ObjectRecord(write.key(), new KeyVersion(created, revision, version, 0, 0), write.name(), null);
        }
        byte[] json = json(write.name(), revision, write.text());
        KeyVersion now = new KeyVersion(created, revision, version, 0, ValueHash.of(json));
        return new ObjectRecord(write.key(), now, write.name(), new ObjectValue(json, 1, null, write.encoding()));
    }

    static byte[] json(ResourceName name, long revision, String text) {
        String namespace = name.namespace() == null ? "" : ",\"namespace\":\"" + name.namespace() + "\"";
        String kind = name.resource().startsWith("configmaps") ? "ConfigMap" : "Widget";
        String apiVersion = name.resource().contains(".") ? "example.com/v1" : "v1";
        return ("{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\",\"metadata\":{\"resourceVersion\":\""
                        + revision + "\",\"name\":\"" + name.name() + "\"" + namespace + "},\"data\":{\"text\":\""
                        + text
                        + "\"}}")
                .getBytes(UTF_8);
    }

    EtcdModel progress() {
        unwritten.add(new Entry.Progress(
                revision, revision, log.instant().toEpochMilli(), "http://127.0.0.1:" + generation.number()));
        return this;
    }

    /** A progress record whose head was not reached. */
    EtcdModel progressBehind(long head) {
        unwritten.add(new Entry.Progress(revision, head, log.instant().toEpochMilli(), null));
        return this;
    }

    EtcdModel lineage() {
        unwritten.add(new Entry.Lineage(
                revision, 1, null, "cdf818194e3a8c32", 0, "start", List.of(""), "f1", "ingester-1", null));
        return this;
    }

    EtcdModel relistBegin() {
        unwritten.add(new Entry.RelistBegin(revision, "first"));
        return this;
    }

    /** All that is there, tombstones for what is not any more, and the end. */
    EtcdModel relistEnd() {
        ListHash hash = new ListHash();
        state.values().forEach(object -> {
            unwritten.add(new Entry.Snapshot(object));
            hash.add(object.key(), object.version());
        });
        told.forEach((key, object) -> {
            if (!state.containsKey(key)) {
                KeyVersion gone = new KeyVersion(0, revision, 0, 0, 0);
                unwritten.add(new Entry.Snapshot(new ObjectRecord(key, gone, object.resource(), null)));
            }
        });
        told = state;
        unwritten.add(new Entry.RelistEnd(revision, hash.count(), hash.hash(), "f1"));
        return this;
    }

    EtcdModel add(Entry entry) {
        unwritten.add(entry);
        return this;
    }

    /** What a new topic holds first. */
    EtcdModel start() {
        return lineage().relistBegin().relistEnd().progress();
    }

    /** Another history of the topic. */
    void newGeneration(int number) {
        generation = new Generation(number, "0000000b");
        sequence = 0;
    }

    /** Leaves out a sequence number. */
    EtcdModel lose() {
        flush();
        sequence++;
        return this;
    }

    /** Writes what was not written yet. */
    EtcdModel flush() {
        return flush(unwritten.size());
    }

    /** Writes so many of the records that were not written yet. */
    EtcdModel flush(int records) {
        List<AppendedRecord> appended = new ArrayList<>();
        for (Entry entry : unwritten.subList(0, records)) {
            sequence++;
            appended.add(new AppendedRecord(
                    log.offset() + appended.size(),
                    log.instant().toEpochMilli(),
                    new LogRecord(generation, sequence, entry)));
        }
        unwritten.subList(0, records).clear();
        log.append(appended);
        return this;
    }

    int unwritten() {
        return unwritten.size();
    }
}
