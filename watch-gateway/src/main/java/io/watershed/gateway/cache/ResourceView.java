package io.watershed.gateway.cache;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.catalogue.ResourceType;
import io.watershed.log.Encoding;
import io.watershed.log.EtcdKey;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one resource at one revision, in etcd's byte order of their keys.
 *
 * <p>All keys of a resource begin with the same bytes; what follows is {@code namespace/name} or {@code name}. In documents' names it is
 * percent-encoded; a KeyValue's name is its whole key.
 *
 * <p><em>Threads:</em> immutable, any.
 */
public final class ResourceView {
    static final ResourceView EMPTY = new ResourceView(ImageMap.empty(), ImageMap.empty(), null, null);

    private final ImageMap<ObjectEntry> objects;
    private final ImageMap<ObjectEntry> undecodable;
    private final byte @Nullable [] prefix;
    private final @Nullable ResourceType customType;

    /** {@code prefix}: what every key begins with; null where names are no part of keys. */
    ResourceView(
            ImageMap<ObjectEntry> objects,
            ImageMap<ObjectEntry> undecodable,
            byte @Nullable [] prefix,
            @Nullable ResourceType customType) {
        this.objects = objects;
        this.undecodable = undecodable;
        this.prefix = prefix;
        this.customType = customType;
    }

    /** Of some objects of one resource, in any order. */
    public static ResourceView of(List<ObjectEntry> objects) {
        ResourceEditor editor = new ResourceEditor(EMPTY);
        objects.forEach(editor::put);
        return editor.freeze();
    }

    /** What stands before namespace and name in the object's key; null when they don't stand there. */
    static byte @Nullable [] prefixOf(ObjectEntry object) {
        byte[] key = object.key().bytes();
        String path = path(object.name().namespace(), object.name().name());
        int length = lengthBefore(path.getBytes(UTF_8), key);
        if (length < 0) {
            length = lengthBefore(percentDecoded(path), key);
        }
        return length < 0 ? null : Arrays.copyOf(key, length);
    }

    /** Whether the object's key is this prefix, and then its namespace and name. */
    static boolean follows(byte[] prefix, ObjectEntry object) {
        byte[] key = object.key().bytes();
        if (key.length < prefix.length || !Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length)) {
            return false;
        }
        String path = path(object.name().namespace(), object.name().name());
        return lengthBefore(path.getBytes(UTF_8), key) == prefix.length
                || lengthBefore(percentDecoded(path), key) == prefix.length;
    }

    /** Of what stands before the path at the end of the key; negative when it does not stand there. */
    private static int lengthBefore(byte[] path, byte[] key) {
        int length = key.length - path.length;
        return length >= 0 && Arrays.equals(key, length, key.length, path, 0, path.length) ? length : -1;
    }

    private static String path(@Nullable String namespace, String name) {
        return namespace == null ? name : namespace + "/" + name;
    }

    static boolean isUndecodable(ObjectEntry object) {
        return object.encoding() != null && object.encoding() != Encoding.PARTIAL;
    }

    /** Walks the objects whose value is not the full object, in order. */
    public Iterator<ObjectEntry> undecodable() {
        return undecodable.from(null);
    }

    ImageMap<ObjectEntry> undecodableImage() {
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
        ObjectEntry found =
                objects.get(prefix == null ? EtcdKey.of(percentDecoded(name)) : spelled(path(namespace, name)));
        return found != null
                        && found.name().name().equals(name)
                        && Objects.equals(found.name().namespace(), namespace)
                ? found
                : null;
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
            if (namespace != null) {
                return Collections.emptyIterator();
            }
            return objects.from(
                    afterPath == null ? null : justAbove(EtcdKey.of(percentDecoded(afterPath.substring(1)))));
        }
        String within = namespace == null ? "" : namespace + "/";
        EtcdKey bound = spelled(within);
        Iterator<ObjectEntry> from =
                objects.from(afterPath == null ? bound : justAbove(spelled(within + afterPath.substring(1))));
        return namespace == null ? from : new WhileBelow(from, bound);
    }

    /** The least key above one: it with a zero byte behind it. */
    private static EtcdKey justAbove(EtcdKey key) {
        return EtcdKey.of(Arrays.copyOf(key.bytes(), key.length() + 1));
    }

    /** The key that a path spells: as it is, if there is one, else percent-decoded. */
    private EtcdKey spelled(String path) {
        EtcdKey literal = key(path.getBytes(UTF_8));
        return path.indexOf('%') < 0 || objects.get(literal) != null ? literal : key(percentDecoded(path));
    }

    /**
     * The key, or the part of it, that a document's name spells. Of a name that spells none it is no document's key either.
     */
    private static byte[] percentDecoded(String name) {
        if (name.indexOf('%') < 0) {
            return name.getBytes(UTF_8);
        }
        ByteArrayOutputStream key = new ByteArrayOutputStream(name.length());
        byte[] spelled = name.getBytes(UTF_8);
        for (int i = 0; i < spelled.length; i++) {
            int high = i + 2 < spelled.length ? Character.digit(spelled[i + 1], 16) : -1;
            int low = high < 0 ? -1 : Character.digit(spelled[i + 2], 16);
            if (spelled[i] == '%' && low >= 0) {
                key.write(high << 4 | low);
                i += 2;
            } else {
                key.write(spelled[i]);
            }
        }
        return key.toByteArray();
    }

    private EtcdKey key(byte[] path) {
        byte[] start = Objects.requireNonNull(prefix);
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
                throw new NoSuchElementException();
            }
            advance();
            return current;
        }
    }
}
