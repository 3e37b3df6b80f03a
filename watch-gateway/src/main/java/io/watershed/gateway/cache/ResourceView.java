package io.watershed.gateway.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.catalogue.ResourceType;
import io.watershed.log.Encoding;
import io.watershed.log.EtcdKey;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one resource at one revision, in etcd's byte order of their keys.
 *
 * <p>All keys of a resource begin with the same bytes; what follows is {@code namespace/name} or {@code name}. A document's name is its
 * whole key in another spelling, so documents are found by a walk.
 *
 * <p><em>Threads:</em> immutable, any.
 */
public final class ResourceView {
    static final ResourceView EMPTY = new ResourceView(ImageMap.empty(), List.of(), null, null);

    private final ImageMap<ObjectEntry> objects;
    private final List<ObjectEntry> undecodable;
    private final byte @Nullable [] prefix;
    private final @Nullable ResourceType customType;

    /** {@code prefix}: what every key begins with; null where names are no part of keys. */
    ResourceView(
            ImageMap<ObjectEntry> objects,
            List<ObjectEntry> undecodable,
            byte @Nullable [] prefix,
            @Nullable ResourceType customType) {
        this.objects = objects;
        this.undecodable = undecodable;
        this.prefix = prefix;
        this.customType = customType;
    }

    /** Of some objects of one resource, in any order. */
    public static ResourceView of(List<ObjectEntry> objects) {
        ImageMap.Editor<ObjectEntry> editor = ImageMap.<ObjectEntry>empty().edit();
        byte[] prefix = null;
        for (ObjectEntry object : objects) {
            editor.put(object.key(), object);
            prefix = prefixOf(object);
        }
        return new ResourceView(
                editor.freeze(),
                objects.stream().filter(ResourceView::isUndecodable).toList(),
                prefix,
                null);
    }

    /** What stands before namespace and name in the object's key; null when they don't stand there. */
    static byte @Nullable [] prefixOf(ObjectEntry object) {
        byte[] path = path(object.name().namespace(), object.name().name());
        byte[] key = object.key().bytes();
        int length = key.length - path.length;
        return length >= 0 && Arrays.equals(key, length, key.length, path, 0, path.length)
                ? Arrays.copyOf(key, length)
                : null;
    }

    private static byte[] path(@Nullable String namespace, String name) {
        return (namespace == null ? name : namespace + "/" + name).getBytes(UTF_8);
    }

    static boolean isUndecodable(ObjectEntry object) {
        return object.encoding() != null && object.encoding() != Encoding.PARTIAL;
    }

    /** The objects whose value is not the full object, in order: few, or none. */
    public List<ObjectEntry> undecodable() {
        return undecodable;
    }

    public int size() {
        return objects.size();
    }

    ImageMap<ObjectEntry> image() {
        return objects;
    }

    @Nullable
    ResourceType customType() {
        return customType;
    }

    byte @Nullable [] prefix() {
        return prefix;
    }

    public @Nullable ObjectEntry get(@Nullable String namespace, String name) {
        if (prefix != null) {
            ObjectEntry found = objects.get(key(path(namespace, name)));
            return found != null && java.util.Objects.equals(found.name().namespace(), namespace) ? found : null;
        }
        Iterator<ObjectEntry> all = objects.from(null);
        while (all.hasNext()) {
            ObjectEntry object = all.next();
            if (object.name().name().equals(name)
                    && java.util.Objects.equals(object.name().namespace(), namespace)) {
                return object;
            }
        }
        return null;
    }

    /**
     * Walks the objects in order.
     *
     * @param namespace null for all
     * @param afterPath starts behind this one: {@code /namespace/name} in a walk over all namespaces, else {@code /name}
     */
    public Iterator<ObjectEntry> objects(@Nullable String namespace, @Nullable String afterPath) {
        if (objects.size() == 0) {
            return Collections.emptyIterator();
        }
        if (prefix == null) {
            return walkByName(namespace, afterPath);
        }
        String within = namespace == null ? "" : namespace + "/";
        EtcdKey bound = key(within.getBytes(UTF_8));
        EtcdKey start = bound;
        if (afterPath != null) {
            // The least key above that one: it with a zero byte behind it.
            byte[] path = (within + afterPath.substring(1)).getBytes(UTF_8);
            start = key(Arrays.copyOf(path, path.length + 1));
        }
        Iterator<ObjectEntry> from = objects.from(start);
        return namespace == null ? from : new WhileBelow(from, bound);
    }

    private Iterator<ObjectEntry> walkByName(@Nullable String namespace, @Nullable String afterPath) {
        Iterator<ObjectEntry> all = objects.from(null);
        if (namespace != null) {
            return Collections.emptyIterator();
        }
        if (afterPath != null) {
            ObjectEntry last = get(null, afterPath.substring(1));
            if (last != null) {
                byte[] key = last.key().bytes();
                return objects.from(EtcdKey.of(Arrays.copyOf(key, key.length + 1)));
            }
        }
        return all;
    }

    private EtcdKey key(byte[] path) {
        byte[] start = java.util.Objects.requireNonNull(prefix);
        byte[] key = Arrays.copyOf(start, start.length + path.length);
        System.arraycopy(path, 0, key, start.length, path.length);
        return EtcdKey.of(key);
    }

    /** Ends the walk at the first key outside the namespace. */
    private static final class WhileBelow implements Iterator<ObjectEntry> {
        private final Iterator<ObjectEntry> from;
        private final EtcdKey bound;
        private @Nullable ObjectEntry next;

        WhileBelow(Iterator<ObjectEntry> from, EtcdKey bound) {
            this.from = from;
            this.bound = bound;
            advance();
        }

        private void advance() {
            ObjectEntry candidate = from.hasNext() ? from.next() : null;
            next = candidate != null && candidate.key().startsWith(bound) ? candidate : null;
        }

        @Override
        public boolean hasNext() {
            return next != null;
        }

        @Override
        public ObjectEntry next() {
            ObjectEntry current = next;
            if (current == null) {
                throw new java.util.NoSuchElementException();
            }
            advance();
            return current;
        }
    }
}
