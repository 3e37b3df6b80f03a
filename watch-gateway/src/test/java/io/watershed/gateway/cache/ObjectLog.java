package io.watershed.gateway.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.core.instrument.MeterRegistry;
import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.ResourceType;
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
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A log that a test writes as transactions of objects, and the real cache that follows it. Its clock is the test's. */
public final class ObjectLog {
    public static final Generation GENERATION = new Generation(1, "0000abcd");

    private final ScriptedLog log = new ScriptedLog();
    private final Map<EtcdKey, KeyVersion> versions = new HashMap<>();
    private @Nullable String address;
    private long sequence;
    private long revision;

    /** One write of a transaction. */
    public record Write(
            ResourceType type,
            @Nullable String namespace,
            String name,
            @Nullable String members,
            @Nullable Encoding encoding) {
        /** {@code members}: what stands in the object behind its metadata's first members, {@code ,"labels":{}},"data":{}}. */
        public static Write put(String resource, @Nullable String namespace, String name, String members) {
            return new Write(type(resource), namespace, name, members, null);
        }

        /** As the other, of a resource that is not built in. */
        public static Write put(ResourceType type, @Nullable String namespace, String name, String members) {
            return new Write(type, namespace, name, members, null);
        }

        public static Write delete(String resource, @Nullable String namespace, String name) {
            return new Write(type(resource), namespace, name, null, null);
        }

        private static ResourceType type(String resource) {
            return BuiltInResources.byResource(resource).orElse(BuiltInResources.KEY_VALUE);
        }
    }

    public WatchCache follow(MeterRegistry meters) {
        return WatchCache.start(
                log,
                log,
                new CacheSettings(64 << 20, Duration.ofMinutes(5), Duration.ofMinutes(5)),
                Duration.ofHours(1),
                meters,
                log);
    }

    /** Moves the broker's clock on. */
    public void advance(Duration time) {
        log.advance(time);
    }

    /** The broker's clock. */
    public Instant now() {
        return log.instant();
    }

    /** Where the next progress records say that the barrier is. */
    public synchronized void barrierAt(String newAddress) {
        address = newAddress;
    }

    /** A whole listing of an empty etcd at this revision: from here on the log can be served. */
    public synchronized void begin(long at, ResourceType... documents) {
        revision = at;
        append(new Entry.Lineage(at, 1, null, "c1", 0, "first", List.of(""), "f", "test", address));
        append(new Entry.RelistBegin(at, "first"));
        append(new Entry.RelistEnd(at, 0, new ListHash().hash(), "f", List.of(documents)));
        progress();
    }

    /** A relist after a change of the configuration, which finds these keys, which were there before, in other places. */
    public synchronized long reconfigure(List<ResourceType> documents, Write... moved) {
        append(new Entry.RelistBegin(revision, "configuration"));
        for (Write write : moved) {
            KeyVersion version = versions.get(key(write));
            if (version == null || write.members() == null) {
                throw new IllegalArgumentException("was not there before: " + write);
            }
            byte[] json = json(write, version.modRevision()).getBytes(UTF_8);
            append(new Entry.Snapshot(new ObjectRecord(
                    key(write),
                    version,
                    new ResourceName(write.type().resource(), write.namespace(), write.name()),
                    new ObjectValue(json, 1, null, null))));
        }
        revision++;
        ListHash hash = new ListHash();
        versions.forEach(hash::add);
        append(new Entry.RelistEnd(revision, hash.count(), hash.hash(), "f2", documents));
        progress();
        return revision;
    }

    /** Says that etcd has nothing newer. */
    public synchronized void progress() {
        append(new Entry.Progress(revision, revision, log.instant().toEpochMilli(), address));
    }

    /** Says that etcd has come to a revision without a change that is of interest here. */
    public synchronized void progressTo(long at) {
        revision = at;
        progress();
    }

    /** One transaction. Returns its revision. */
    public synchronized long write(Write... writes) {
        revision++;
        for (int i = 0; i < writes.length; i++) {
            append(new Entry.Change(object(writes[i]), i, writes.length));
        }
        return revision;
    }

    public long put(String resource, @Nullable String namespace, String name, String members) {
        return write(Write.put(resource, namespace, name, members));
    }

    public long delete(String resource, @Nullable String namespace, String name) {
        return write(Write.delete(resource, namespace, name));
    }

    private ObjectRecord object(Write write) {
        EtcdKey key = key(write);
        KeyVersion before = versions.get(key);
        long created = before == null ? revision : before.createRevision();
        long version = before == null ? 1 : before.version() + 1;
        ResourceName name = new ResourceName(write.type().resource(), write.namespace(), write.name());
        if (write.members() == null) {
            versions.remove(key);
            return new ObjectRecord(key, new KeyVersion(created, revision, version, 0, 0), name, null);
        }
        byte[] json = json(write, revision).getBytes(UTF_8);
        KeyVersion now = new KeyVersion(created, revision, version, 0, ValueHash.of(json));
        versions.put(key, now);
        return new ObjectRecord(key, now, name, new ObjectValue(json, 1, null, write.encoding()));
    }

    private static String json(Write write, long revision) {
        return "{\"kind\":\"" + write.type().kind() + "\",\"apiVersion\":\""
                + write.type().apiVersion()
                + "\",\"metadata\":{\"resourceVersion\":\"" + revision + "\",\"name\":\"" + write.name() + "\""
                + (write.namespace() == null ? "" : ",\"namespace\":\"" + write.namespace() + "\"") + write.members();
    }

    private static EtcdKey key(Write write) {
        if (write.type().isDocument()) {
            String pattern = write.type().storagePrefix();
            String prefix = pattern.substring(0, pattern.indexOf('{'));
            String path = (write.namespace() == null ? "" : write.namespace() + "/") + write.name();
            return EtcdKey.utf8(prefix + path.replace("%2F", "/").replace("%20", " "));
        }
        return EtcdKey.utf8("/registry/" + write.type().storagePrefix() + "/"
                + (write.namespace() == null ? "" : write.namespace() + "/") + write.name());
    }

    private void append(Entry entry) {
        log.append(List.of(new AppendedRecord(
                log.offset(), log.instant().toEpochMilli(), new LogRecord(GENERATION, ++sequence, entry))));
    }
}
