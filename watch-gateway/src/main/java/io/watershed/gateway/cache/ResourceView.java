package io.watershed.gateway.cache;

import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one resource at one moment, in etcd's byte order of keys.
 *
 * <p><em>Threads:</em> immutable.
 */
public final class ResourceView {
    private final List<ObjectEntry> objects;

    ResourceView(List<ObjectEntry> objects) {
        this.objects = List.copyOf(objects);
    }

    public int size() {
        return objects.size();
    }

    public @Nullable ObjectEntry get(@Nullable String namespace, String name) {
        for (ObjectEntry object : objects) {
            if (object.name().name().equals(name)
                    && Objects.equals(object.name().namespace(), namespace)) {
                return object;
            }
        }
        return null;
    }

    /**
     * The objects from a place on.
     *
     * @param namespace null for all
     * @param afterPath the path, {@code /namespace/name} or {@code /name}, behind which to begin; null for the beginning
     */
    public Iterator<ObjectEntry> objects(@Nullable String namespace, @Nullable String afterPath) {
        return objects.stream()
                .filter(object ->
                        namespace == null || Objects.equals(object.name().namespace(), namespace))
                .filter(object -> afterPath == null || path(object).compareTo(afterPath) > 0)
                .iterator();
    }

    private static String path(ObjectEntry object) {
        String namespace = object.name().namespace();
        return (namespace == null ? "" : "/" + namespace) + "/" + object.name().name();
    }
}
