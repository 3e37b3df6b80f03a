package io.watershed.gateway.cache;

import io.watershed.catalogue.ResourceType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * One view of each resource. Views follow one another by the thousand and share the index of names; each has only an array of its own.
 *
 * <p><em>Threads:</em> immutable, any.
 */
final class Images {
    static final Images NONE = new Images(Map.of(), new ResourceView[0], List.of());

    private final Map<String, Integer> index;
    private final ResourceView[] views;
    private final List<ResourceType> documents;

    private Images(Map<String, Integer> index, ResourceView[] views, List<ResourceType> documents) {
        this.index = index;
        this.views = views;
        this.documents = documents;
    }

    static Images of(Map<String, ResourceView> views) {
        return NONE.with(views);
    }

    /** Empty when there is no such resource. */
    ResourceView get(String resource) {
        Integer at = index.get(resource);
        return at == null ? ResourceView.EMPTY : views[at];
    }

    /** With some of them replaced or added. */
    Images with(Map<String, ResourceView> changed) {
        if (changed.isEmpty()) {
            return this;
        }
        Map<String, Integer> places = index;
        if (!index.keySet().containsAll(changed.keySet())) {
            Map<String, Integer> more = new HashMap<>(index);
            changed.keySet().forEach(resource -> more.putIfAbsent(resource, more.size()));
            places = more;
        }
        ResourceView[] next = new ResourceView[places.size()];
        System.arraycopy(views, 0, next, 0, views.length);
        for (Map.Entry<String, ResourceView> change : changed.entrySet()) {
            next[places.getOrDefault(change.getKey(), 0)] = change.getValue();
        }
        return new Images(places, next, documents);
    }

    /** With these resources in the place of those that were configured. */
    Images withDocuments(List<ResourceType> configured) {
        return configured.equals(documents) ? this : new Images(index, views, List.copyOf(configured));
    }

    /** The resources that the ingester's configuration makes of prefixes of etcd. */
    List<ResourceType> documents() {
        return documents;
    }

    Set<String> names() {
        return index.keySet();
    }

    int count() {
        return views.length;
    }

    /** In the order of the resources' names. */
    List<ResourceView> all() {
        List<ResourceView> ordered = new ArrayList<>();
        new TreeMap<>(index).values().forEach(at -> ordered.add(views[at]));
        return ordered;
    }
}
