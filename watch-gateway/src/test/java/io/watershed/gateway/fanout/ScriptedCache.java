package io.watershed.gateway.fanout;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.gateway.cache.CacheFixture;
import io.watershed.gateway.cache.CacheView;
import io.watershed.gateway.cache.History;
import io.watershed.gateway.cache.HistoryEvent;
import io.watershed.gateway.cache.ObjectEntry;
import io.watershed.log.Encoding;
import io.watershed.log.EtcdKey;
import io.watershed.log.Generation;
import io.watershed.log.KeyVersion;
import io.watershed.log.ResourceName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A cache whose history a test writes. What it has written is published by {@link #publish} only. */
final class ScriptedCache {
    /** One change, before it is part of a history. */
    record Change(
            long revision,
            boolean last,
            String resource,
            @Nullable ObjectEntry object,
            @Nullable ObjectEntry previous) {}

    /** A put, or a delete if {@code labels} is null. */
    record Write(
            String resource,
            @Nullable String namespace,
            String name,
            @Nullable Map<String, String> labels,
            String extra,
            @Nullable Encoding encoding) {
        static Write put(String resource, @Nullable String namespace, String name, String... labels) {
            return new Write(resource, namespace, name, map(labels), "", null);
        }

        static Write delete(String resource, @Nullable String namespace, String name) {
            return new Write(resource, namespace, name, null, "", null);
        }

        /** With more text in the object. */
        Write with(String text) {
            return new Write(resource, namespace, name, labels, text, encoding);
        }

        Write encoded(Encoding as) {
            return new Write(resource, namespace, name, labels, extra, as);
        }
    }

    private final TreeMap<String, ObjectEntry> state = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();
    private History history = CacheFixture.history(0);
    private Generation generation = Generation.parse("1-00000000");
    private long revision;
    private long floor;
    private long memoryFloor;
    private long epoch = 1;
    private int pendingFrom;
    private CacheView view;

    ScriptedCache(long revision) {
        this.revision = revision;
        this.floor = revision;
        this.memoryFloor = revision;
        this.view = makeView(revision);
    }

    CacheView view() {
        return view;
    }

    HistoryEvent lastEvent() {
        return Objects.requireNonNull(view.history().get(view.historyEnd() - 1));
    }

    long revision() {
        return revision;
    }

    long memoryFloor() {
        return memoryFloor;
    }

    /** Everything that ever happened, published or not. */
    List<Change> changes() {
        return changes;
    }

    /** Writes of one transaction. */
    long write(Write... writes) {
        revision++;
        List<Change> made = new ArrayList<>();
        for (Write write : writes) {
            String key = "/registry/" + write.resource() + (write.namespace() == null ? "" : "/" + write.namespace())
                    + "/" + write.name();
            ObjectEntry previous = state.get(key);
            ObjectEntry object = write.labels() == null ? null : entry(key, write);
            if (object == null && previous == null) {
                continue;
            }
            if (object == null) {
                state.remove(key);
            } else {
                state.put(key, object);
            }
            made.add(new Change(revision, false, write.resource(), object, previous));
        }
        for (int i = 0; i < made.size(); i++) {
            Change change = made.get(i);
            changes.add(
                    new Change(revision, i == made.size() - 1, change.resource(), change.object(), change.previous()));
        }
        return revision;
    }

    /** A progress record: nothing happened up to a revision. */
    void progress(long to) {
        revision = to;
    }

    CacheView publish() {
        for (; pendingFrom < changes.size(); pendingFrom++) {
            append(changes.get(pendingFrom));
        }
        view = makeView(revision);
        return view;
    }

    /** Drops whole revisions until memory begins with a revision. */
    void evictBelow(long revision) {
        long first = Math.min(revision, view.watermark());
        // The view that tells of it is published later.
        memoryFloor = Math.max(memoryFloor, first);
        CacheFixture.evictBelow(history, history.firstAt(first));
    }

    /** A relist at the next revision, which says nothing of what has changed. */
    void relist() {
        revision++;
        floor = revision;
        memoryFloor = revision;
        publish();
        CacheFixture.evictBelow(history, history.end());
        view = makeView(revision);
    }

    /** The cache is built anew, up to a revision, from the events of the last revisions. */
    void replace(long firstInMemory, long upTo, boolean sameHistory) {
        epoch++;
        history = CacheFixture.history(epoch * 1_000_000);
        memoryFloor = Math.max(floor, firstInMemory);
        generation = sameHistory ? generation : Generation.parse("2-00000000");
        pendingFrom = 0;
        while (pendingFrom < changes.size() && changes.get(pendingFrom).revision() < memoryFloor) {
            pendingFrom++;
        }
        for (; pendingFrom < changes.size() && changes.get(pendingFrom).revision() <= upTo; pendingFrom++) {
            append(changes.get(pendingFrom));
        }
        view = makeView(upTo);
    }

    private void append(Change change) {
        CacheFixture.append(
                history, change.revision(), change.last(), change.resource(), change.object(), change.previous());
    }

    private CacheView makeView(long upTo) {
        Map<String, ObjectEntry> objects = new TreeMap<>();
        for (Change change : changes) {
            ObjectEntry object = change.object();
            ObjectEntry previous = change.previous();
            if (change.revision() <= upTo && object != null) {
                objects.put(object.key().toString(), object);
            } else if (change.revision() <= upTo && previous != null) {
                objects.remove(previous.key().toString());
            }
        }
        Map<String, List<ObjectEntry>> resources = objects.values().stream()
                .collect(Collectors.groupingBy(object -> object.name().resource()));
        return CacheFixture.view(upTo, floor, memoryFloor, generation, history, epoch, resources);
    }

    private ObjectEntry entry(String key, Write write) {
        Map<String, String> labels = write.labels() == null ? Map.of() : write.labels();
        String json = "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" + revision
                + "\",\"name\":\""
                + write.name() + "\",\"labels\":{"
                + labels.entrySet().stream()
                        .map(label -> "\"" + label.getKey() + "\":\"" + label.getValue() + "\"")
                        .collect(Collectors.joining(","))
                + "}},\"spec\":{\"nodeName\":\"" + labels.getOrDefault("node", "") + "\"},\"data\":\"" + write.extra()
                + "\"}";
        Map<String, String> fields = new HashMap<>();
        fields.put("metadata.name", write.name());
        fields.put("spec.nodeName", labels.getOrDefault("node", ""));
        return CacheFixture.object(
                EtcdKey.utf8(key),
                new ResourceName(write.resource(), write.namespace(), write.name()),
                new KeyVersion(revision, revision, 1, 0, 0),
                json.getBytes(UTF_8),
                write.encoding(),
                labels,
                fields);
    }

    private static Map<String, String> map(String... pairs) {
        Map<String, String> map = new TreeMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
