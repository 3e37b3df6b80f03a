package io.watershed.ingest.decode;

import io.watershed.catalogue.ResourceType;
import io.watershed.ingest.catalogue.Placement;
import io.watershed.log.ResourceName;
import io.watershed.log.codec.ObjectJson;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Kind and apiVersion of a value as it is published. Neither may need an escape: the prefix of a value is cut by bytes. */
record Identity(String kind, String apiVersion) {
    private static final String PLAIN = "[A-Za-z0-9./_-]+";

    static Identity of(Placement placement, Map<String, @Nullable Object> object) {
        if (placement instanceof Placement.BuiltIn builtIn) {
            ResourceType type = builtIn.type();
            return new Identity(type.kind(), type.apiVersion());
        }
        if (placement instanceof Placement.Custom custom) {
            String kind = text(object, "kind");
            String apiVersion = text(object, "apiVersion");
            if (apiVersion == null || !apiVersion.matches(PLAIN) || !apiVersion.startsWith(custom.group() + "/")) {
                apiVersion = custom.group() + "/v1";
            }
            if (kind == null || !kind.matches(PLAIN)) {
                String resource = custom.name().resource();
                kind = resource.substring(0, 1).toUpperCase(Locale.ROOT) + resource.substring(1, resource.indexOf('.'));
            }
            return new Identity(kind, apiVersion);
        }
        throw new IllegalArgumentException("no API object: " + placement);
    }

    /** Of a value that was published before. */
    static Identity of(byte[] json) {
        ObjectJson published = ObjectJson.of(json);
        return new Identity(published.kind(), published.apiVersion());
    }

    /** The beginning of an object: kind, apiVersion, and metadata with what the key says. */
    Map<String, @Nullable Object> object(@Nullable ResourceName name, long revision) {
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
        metadata.put("resourceVersion", Long.toString(revision));
        if (name != null) {
            metadata.put("name", name.name());
            if (name.namespace() != null) {
                metadata.put("namespace", name.namespace());
            }
        }
        return begun(metadata);
    }

    private Map<String, @Nullable Object> begun(Map<String, @Nullable Object> metadata) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("kind", kind);
        object.put("apiVersion", apiVersion);
        object.put("metadata", metadata);
        return object;
    }

    /** The stored object with this identity, the revision, and name and namespace of the key. */
    Map<String, @Nullable Object> merged(Map<String, @Nullable Object> stored, ResourceName name, long revision) {
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
        metadata.put("resourceVersion", Long.toString(revision));
        metadata(stored).forEach((member, value) -> {
            if (!member.equals("resourceVersion")) {
                metadata.put(member, value);
            }
        });
        metadata.put("name", name.name());
        if (name.namespace() == null) {
            metadata.remove("namespace");
        } else {
            metadata.put("namespace", name.namespace());
        }
        Map<String, @Nullable Object> object = begun(metadata);
        stored.forEach((member, value) -> {
            if (!object.containsKey(member)) {
                object.put(member, value);
            }
        });
        return object;
    }

    /**
     * Whether the value names another kind, group, name or namespace than this; one that names none does not.
     *
     * @param otherVersion its apiVersion is another, and is known to be
     */
    boolean contradicts(Map<String, @Nullable Object> stored, ResourceName name, boolean otherVersion) {
        Map<String, @Nullable Object> metadata = metadata(stored);
        return differs(stored.get("kind"), kind)
                || (!otherVersion && differs(stored.get("apiVersion"), apiVersion))
                || differs(metadata.get("name"), name.name())
                || differs(metadata.get("namespace"), name.namespace())
                || (stored.containsKey("metadata") && !(stored.get("metadata") instanceof Map));
    }

    private static boolean differs(@Nullable Object said, @Nullable String is) {
        return said != null && !said.equals(is);
    }

    @SuppressWarnings("unchecked") // JsonTree's objects are maps from String
    private static Map<String, @Nullable Object> metadata(Map<String, @Nullable Object> stored) {
        return stored.get("metadata") instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : Map.of();
    }

    static @Nullable String text(Map<String, @Nullable Object> object, String member) {
        return object.get(member) instanceof String text ? text : null;
    }
}
