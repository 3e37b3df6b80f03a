package io.watershed.ingest.catalogue;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.KeyPattern;
import io.watershed.catalogue.ResourceType;
import io.watershed.log.EtcdKey;
import io.watershed.log.ObjectRecord;
import io.watershed.log.ObjectValue;
import io.watershed.log.ResourceName;
import io.watershed.log.codec.ObjectJson;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Maps etcd keys to resources. Under the root: {@code <prefix>/[<namespace>/]<name>} for built-in resources, {@code <group>/<plural>/…}
 * for custom ones (a group holds a dot; group, plural and namespace are names that Kubernetes allows). Whatever fits neither is a key without a resource; whatever lies outside the root is a document,
 * of the configured resource that has its prefix, else a KeyValue.
 */
public final class KeyCatalogue {
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    private static final Pattern GROUP = Pattern.compile(LABEL + "(\\." + LABEL + ")+");
    private static final String HEX = "0123456789ABCDEF";

    /** A configured resource. */
    private record Documents(ResourceType type, EtcdKey prefix) {}

    private final EtcdKey root;
    private final List<Documents> documents;
    private final Set<String> documentResources = new HashSet<>();

    /**
     * @param root with its closing slash
     * @param documents the configured resources; their prefixes do not overlap
     */
    public KeyCatalogue(EtcdKey root, List<ResourceType> documents) {
        this.root = root;
        this.documents = documents.stream()
                .map(type -> new Documents(
                        type,
                        EtcdKey.utf8(KeyPattern.parse(type.storagePrefix()).prefix())))
                .toList();
        documents.forEach(type -> documentResources.add(type.resource()));
    }

    /** Whether the record, a live object's, stands where its key is placed: another configuration may have made it. */
    public boolean isInPlace(ObjectRecord record) {
        Placement placement = place(record.key());
        if (!Objects.equals(placement.name(), record.resource())) {
            return false;
        }
        ObjectValue value = record.value();
        if (placement instanceof Placement.Document document && value != null) {
            ObjectJson json = ObjectJson.of(value.json());
            return json.kind().equals(document.type().kind())
                    && json.apiVersion().equals(document.type().apiVersion());
        }
        return true;
    }

    public Placement place(EtcdKey key) {
        if (!key.startsWith(root)) {
            return document(key);
        }
        String path = utf8(Arrays.copyOfRange(key.bytes(), root.length(), key.length()));
        if (path != null) {
            List<String> segments = List.of(path.split("/", -1));
            Placement found = builtIn(segments);
            if (found == null) {
                found = custom(segments);
            }
            if (found != null) {
                ResourceName name = found.name();
                boolean displaced = name != null && documentResources.contains(name.resource());
                return displaced ? topicOnly(key, true) : found;
            }
        }
        return topicOnly(key, false);
    }

    private static Placement topicOnly(EtcdKey key, boolean displaced) {
        return new Placement.Document(BuiltInResources.KEY_VALUE, percentEncoded(key.bytes()), null, displaced);
    }

    private Placement document(EtcdKey key) {
        for (Documents configured : documents) {
            ResourceName name = key.startsWith(configured.prefix()) ? name(configured, key) : null;
            if (name != null) {
                return new Placement.Document(configured.type(), name.name(), name, false);
            }
        }
        String name = percentEncoded(key.bytes());
        ResourceType type = BuiltInResources.KEY_VALUE;
        return new Placement.Document(type, name, new ResourceName(type.resource(), null, name), false);
    }

    /** Null where the key ends before its name has begun. */
    private static @Nullable ResourceName name(Documents documents, EtcdKey key) {
        byte[] bytes = key.bytes();
        int start = documents.prefix().length();
        String namespace = null;
        if (documents.type().namespaced()) {
            int slash = start;
            while (slash < bytes.length && bytes[slash] != '/') {
                slash++;
            }
            if (slash == start || slash == bytes.length) {
                return null;
            }
            namespace = segment(Arrays.copyOfRange(bytes, start, slash));
            start = slash + 1;
        }
        if (start == bytes.length) {
            return null;
        }
        String name = segment(Arrays.copyOfRange(bytes, start, bytes.length));
        return new ResourceName(documents.type().resource(), namespace, name);
    }

    /** Percent-encoded; the names that a path of a URL can't hold are escaped too. */
    private static String segment(byte[] bytes) {
        String text = percentEncoded(bytes);
        return text.equals(".") || text.equals("..") ? text.replace(".", "%2E") : text;
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
        if (segments.size() < 3) {
            return null;
        }
        String group = segments.get(0);
        String plural = segments.get(1);
        List<String> rest = segments.subList(2, segments.size());
        ResourceName name = name(plural + "." + group, rest, rest.size() == 2);
        // A resource is told by its plural and group with a dot between: a plural with a dot would be another group's.
        if (name == null
                || !GROUP.matcher(group).matches()
                || !LABEL.matcher(plural).matches()) {
            return null;
        }
        String namespace = name.namespace();
        return namespace == null || LABEL.matcher(namespace).matches() ? new Placement.Custom(group, name) : null;
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
    static String percentEncoded(byte[] bytes) {
        StringBuilder text = new StringBuilder(bytes.length + 16);
        for (byte b : bytes) {
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
