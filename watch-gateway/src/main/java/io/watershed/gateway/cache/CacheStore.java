package io.watershed.gateway.cache;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.ResourceType;
import io.watershed.log.EtcdKey;
import io.watershed.log.KeyVersion;
import io.watershed.log.ObjectRecord;
import io.watershed.log.ResourceName;
import io.watershed.log.codec.ObjectJson;
import io.watershed.log.state.StateStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What {@code LogState} writes to: the objects, one image a resource in the making, and the history. A revision's events become visible
 * with its publish.
 *
 * <p><em>Threads:</em> the feed's.
 */
final class CacheStore implements StateStore<ObjectEntry> {
    private record Waiting(
            EtcdKey key,
            @Nullable ObjectEntry previous,
            @Nullable ObjectEntry object) {}

    private static final class Resource {
        private final ImageMap.Editor<ObjectEntry> objects =
                ImageMap.<ObjectEntry>empty().edit();
        private final TreeMap<EtcdKey, ObjectEntry> undecodable = new TreeMap<>();
        private byte @Nullable [] prefix;
        private @Nullable ResourceType customType;
        private ResourceView view = ResourceView.EMPTY;
    }

    private final EntryReader reader = new EntryReader();
    private final long historyBytes;
    private final History history;
    private final Map<EtcdKey, ObjectEntry> all = new HashMap<>();
    private final Map<String, Resource> resources = new HashMap<>();
    private final Set<Resource> changed = new HashSet<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private long evicted;
    private boolean relisted;

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
        ObjectEntry before = all.put(key, object);
        if (before != null && !before.name().resource().equals(object.name().resource())) {
            removeFromImage(before); // another configuration places the key elsewhere
        }
        if (isServed(object)) {
            Resource resource = resources.computeIfAbsent(object.name().resource(), r -> new Resource());
            resource.objects.put(key, object);
            if (ResourceView.isUndecodable(object)) {
                resource.undecodable.put(key, object);
            } else {
                resource.undecodable.remove(key);
            }
            describe(resource, object);
            changed.add(resource);
        }
    }

    @Override
    public void remove(EtcdKey key) {
        ObjectEntry before = all.remove(key);
        if (before != null) {
            removeFromImage(before);
        }
    }

    private void removeFromImage(ObjectEntry object) {
        Resource resource = resources.get(object.name().resource());
        if (resource != null) {
            resource.objects.remove(object.key());
            resource.undecodable.remove(object.key());
            changed.add(resource);
        }
    }

    private static boolean isServed(ObjectEntry object) {
        return !object.name().resource().isEmpty();
    }

    private static void describe(Resource resource, ObjectEntry object) {
        ResourceName name = object.name();
        if (name.resource().equals(BuiltInResources.KEY_VALUE.resource())) {
            return;
        }
        if (resource.prefix == null) {
            resource.prefix = ResourceView.prefixOf(object);
        }
        if (resource.customType == null
                && object.encoding() == null
                && BuiltInResources.byResource(name.resource()).isEmpty()) {
            ObjectJson json = ObjectJson.of(object.json());
            String apiVersion = json.apiVersion();
            int slash = apiVersion.indexOf('/');
            int dot = name.resource().indexOf('.');
            resource.customType = new ResourceType(
                    slash < 0 ? "" : apiVersion.substring(0, slash),
                    apiVersion.substring(slash + 1),
                    json.kind(),
                    dot < 0 ? name.resource() : name.resource().substring(0, dot),
                    json.kind().toLowerCase(Locale.ROOT),
                    name.namespace() != null,
                    List.of(),
                    List.of(),
                    "");
        }
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

    @Override
    public void publish(long revision) {
        for (int i = 0; i < waiting.size(); i++) {
            Waiting event = waiting.get(i);
            ObjectEntry named = event.object() == null ? event.previous() : event.object();
            history.add(new HistoryEvent(
                    history.end(),
                    revision,
                    i == waiting.size() - 1,
                    java.util.Objects.requireNonNull(named).name().resource(),
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

    /** Freezes what has changed since the last call. */
    Map<String, ResourceView> images() {
        for (Resource resource : changed) {
            resource.view = new ResourceView(
                    resource.objects.freeze(),
                    List.copyOf(resource.undecodable.values()),
                    resource.prefix,
                    resource.customType);
        }
        changed.clear();
        Map<String, ResourceView> images = new HashMap<>();
        resources.forEach((name, resource) -> images.put(name, resource.view));
        return images;
    }
}
