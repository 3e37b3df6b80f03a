package io.watershed.gateway.cache;

import io.watershed.catalogue.ResourceType;
import io.watershed.log.EtcdKey;
import io.watershed.log.KeyVersion;
import io.watershed.log.ObjectRecord;
import io.watershed.log.state.StateStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What {@code LogState} writes to: the objects, one image a resource in the making, and the history. A revision's events and objects
 * become visible with its publish, however the records were cut into polls.
 *
 * <p><em>Threads:</em> the feed's.
 */
final class CacheStore implements StateStore<ObjectEntry> {
    private record Waiting(
            EtcdKey key,
            @Nullable ObjectEntry previous,
            @Nullable ObjectEntry object) {}

    /** A change of the state that no image shows yet: the revision is not whole, or a listing not at its end. */
    private record Unshown(
            @Nullable ObjectEntry before, @Nullable ObjectEntry after) {}

    private final EntryReader reader = new EntryReader();
    private final long historyBytes;
    private final History history;
    private final Map<EtcdKey, ObjectEntry> all = new HashMap<>();
    private final Map<String, ResourceEditor> resources = new HashMap<>();
    private final Set<String> changed = new HashSet<>();
    private final List<Unshown> unshown = new ArrayList<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private long evicted;
    /** Of the record that is applied, never before that of an older one: a broker's clock may step back. */
    private long appendedMillis;

    private long revision;
    private long timeMillis;
    private boolean relisted;
    private List<ResourceType> documents = List.of();
    private Images images = Images.NONE;

    /** {@code start}: the history's first position. */
    CacheStore(long historyBytes, long start) {
        this.historyBytes = historyBytes;
        this.history = new History(start);
    }

    @Override
    public ObjectEntry keep(ObjectRecord object) {
        return reader.read(object);
    }

    @Override
    public KeyVersion versionOf(ObjectEntry object) {
        return object.version();
    }

    @Override
    public @Nullable ObjectEntry get(EtcdKey key) {
        return all.get(key);
    }

    @Override
    public void put(EtcdKey key, ObjectEntry object) {
        unshown.add(new Unshown(all.put(key, object), object));
    }

    @Override
    public void remove(EtcdKey key) {
        ObjectEntry before = all.remove(key);
        if (before != null) {
            unshown.add(new Unshown(before, null));
        }
    }

    private void show(Unshown change) {
        ObjectEntry before = change.before();
        ObjectEntry after = change.after();
        String from = before == null ? "" : before.name().resource();
        String to = after == null ? "" : after.name().resource();
        // Another configuration of the ingester may place a key elsewhere.
        if (before != null && !from.isEmpty() && !from.equals(to)) {
            editor(from).remove(before.key());
        }
        if (after != null && !to.isEmpty()) {
            editor(to).put(after);
        }
    }

    private ResourceEditor editor(String resource) {
        changed.add(resource);
        return resources.computeIfAbsent(resource, name -> new ResourceEditor(ResourceView.EMPTY));
    }

    private static boolean isServed(ObjectEntry object) {
        return !object.name().resource().isEmpty();
    }

    /** Whether records were applied whose revision, or whose listing, has not come to its end. */
    boolean isInsideRevision() {
        return !unshown.isEmpty();
    }

    @Override
    public void forEach(BiConsumer<EtcdKey, ObjectEntry> visitor) {
        all.forEach(visitor);
    }

    @Override
    public void event(
            long revision, EtcdKey key, @Nullable ObjectEntry previous, @Nullable ObjectEntry object, boolean last) {
        ObjectEntry named = object == null ? previous : object;
        if (named != null && isServed(named)) {
            waiting.add(new Waiting(key, previous, object));
        }
    }

    /** The time of the record that is applied next. */
    void appendedAt(long millis) {
        appendedMillis = Math.max(appendedMillis, millis);
    }

    /** When the revision was written that was published last. */
    long timeMillis() {
        return timeMillis;
    }

    @Override
    public void publish(long published) {
        if (published != revision) {
            revision = published;
            timeMillis = appendedMillis;
        }
        unshown.forEach(this::show);
        unshown.clear();
        for (int i = 0; i < waiting.size(); i++) {
            Waiting event = waiting.get(i);
            ObjectEntry named = event.object() == null ? event.previous() : event.object();
            history.add(new HistoryEvent(
                    history.end(),
                    published,
                    timeMillis,
                    i == waiting.size() - 1,
                    Objects.requireNonNull(named).name().resource(),
                    event.object(),
                    event.previous()));
        }
        waiting.clear();
        evict();
    }

    /** Whole revisions, the oldest first, and never the last one. */
    private void evict() {
        while (history.bytes() > historyBytes) {
            HistoryEvent oldest = history.get(history.start());
            long next = oldest == null ? history.end() : history.firstAfter(oldest.revision());
            if (oldest == null || next >= history.end()) {
                return;
            }
            evicted = oldest.revision();
            history.evictTo(next);
        }
    }

    @Override
    public void raiseFloor(long floor) {
        history.evictTo(Math.max(history.start(), history.firstAt(floor)));
        waiting.clear();
    }

    @Override
    public void relisted(long revision) {
        relisted = true;
    }

    /** The configured resources, as the relist that has just ended says. */
    void configured(List<ResourceType> configured) {
        documents = configured;
    }

    /** Whether a relist has ended since the last call. */
    boolean takeRelisted() {
        boolean was = relisted;
        relisted = false;
        return was;
    }

    History history() {
        return history;
    }

    /** The lowest resource version whose own events and all later ones are held, as far as eviction goes. */
    long evictionFloor() {
        return evicted == 0 ? 0 : evicted + 1;
    }

    int objects() {
        return all.size();
    }

    /** As of the last publish: freezes what has changed since the last call. */
    Images images() {
        Map<String, ResourceView> frozen = new HashMap<>();
        for (String resource : changed) {
            frozen.put(resource, Objects.requireNonNull(resources.get(resource)).freeze());
        }
        changed.clear();
        images = images.with(frozen).withDocuments(documents);
        return images;
    }
}
