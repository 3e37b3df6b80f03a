package io.watershed.ingest.catalogue;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.ResourceType;
import io.watershed.log.EtcdKey;
import io.watershed.log.ResourceName;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Maps etcd keys to resources. Under the root: {@code <prefix>/[<namespace>/]<name>} for built-in resources, {@code <group>/<plural>/…}
 * for custom ones (a group holds a dot). Whatever fits neither is a key without a resource; whatever lies outside the root is a document.
 */
public final class KeyCatalogue {
    private static final String HEX = "0123456789ABCDEF";

    private final EtcdKey root;

    /** {@code root}: with its closing slash. */
    public KeyCatalogue(EtcdKey root) {
        this.root = root;
    }

    public Placement place(EtcdKey key) {
        if (!key.startsWith(root)) {
            String name = percentEncoded(key);
            return new Placement.Document(name, new ResourceName(BuiltInResources.KEY_VALUE.resource(), null, name));
        }
        String path = utf8(Arrays.copyOfRange(key.bytes(), root.length(), key.length()));
        if (path != null) {
            List<String> segments = List.of(path.split("/", -1));
            Placement found = builtIn(segments);
            if (found == null) {
                found = custom(segments);
            }
            if (found != null) {
                return found;
            }
        }
        return new Placement.Document(percentEncoded(key), null);
    }

    private static @Nullable Placement builtIn(List<String> segments) {
        for (int depth = Math.min(2, segments.size() - 1); depth >= 1; depth--) {
            Optional<ResourceType> type =
                    BuiltInResources.byStoragePrefix(String.join("/", segments.subList(0, depth)));
            if (type.isPresent()) {
                ResourceName name = name(
                        type.get().resource(),
                        segments.subList(depth, segments.size()),
                        type.get().namespaced());
                return name == null ? null : new Placement.BuiltIn(type.get(), name);
            }
        }
        return null;
    }

    private static @Nullable Placement custom(List<String> segments) {
        if (segments.size() < 3
                || segments.get(0).indexOf('.') < 0
                || segments.get(1).isEmpty()) {
            return null;
        }
        String group = segments.get(0);
        List<String> rest = segments.subList(2, segments.size());
        ResourceName name = name(segments.get(1) + "." + group, rest, rest.size() == 2);
        return name == null ? null : new Placement.Custom(group, name);
    }

    private static @Nullable ResourceName name(String resource, List<String> rest, boolean namespaced) {
        if (rest.size() != (namespaced ? 2 : 1) || rest.contains("")) {
            return null;
        }
        return new ResourceName(resource, namespaced ? rest.get(0) : null, rest.get(rest.size() - 1));
    }

    private static @Nullable String utf8(byte[] bytes) {
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** Everything but RFC 3986's unreserved characters is escaped, the slash too: the name is one path segment. */
    static String percentEncoded(EtcdKey key) {
        StringBuilder text = new StringBuilder(key.length() + 16);
        for (byte b : key.bytes()) {
            boolean plain = (b >= 'a' && b <= 'z')
                    || (b >= 'A' && b <= 'Z')
                    || (b >= '0' && b <= '9')
                    || b == '-'
                    || b == '.'
                    || b == '_'
                    || b == '~';
            if (plain) {
                text.append((char) b);
            } else {
                text.append('%').append(HEX.charAt(b >> 4 & 15)).append(HEX.charAt(b & 15));
            }
        }
        return text.toString();
    }
}
