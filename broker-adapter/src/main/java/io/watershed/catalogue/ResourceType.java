package io.watershed.catalogue;

import java.util.List;
import java.util.Locale;

/**
 * One resource of the API in its canonical version.
 *
 * @param group empty for the core group
 * @param version the version that is served
 * @param plural as in URLs
 * @param shortNames as kubectl accepts them
 * @param categories {@code all} for what {@code kubectl get all} shows
 * @param storagePrefix what stands between the layout's root and the object's namespace or name in etcd: {@code pods},
 *     {@code services/specs}, {@code minions}; empty for custom resources; of documents the pattern of their keys, {@link KeyPattern}
 * @param listKind kind of a list of them
 * @param hasStatus whether the object can be read at {@code /status} too
 * @param storedAs the {@link #resource()} under which the log holds the objects: another one's where two groups serve the same objects
 */
public record ResourceType(
        String group,
        String version,
        String kind,
        String plural,
        String singular,
        boolean namespaced,
        List<String> shortNames,
        List<String> categories,
        String storagePrefix,
        String listKind,
        boolean hasStatus,
        String storedAs) {
    public ResourceType {
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
    }

    /** One that is stored under its own name, without a status of its own. */
    public ResourceType(
            String group,
            String version,
            String kind,
            String plural,
            String singular,
            boolean namespaced,
            List<String> shortNames,
            List<String> categories,
            String storagePrefix) {
        this(
                group,
                version,
                kind,
                plural,
                singular,
                namespaced,
                shortNames,
                categories,
                storagePrefix,
                kind + "List",
                false,
                resource(plural, group));
    }

    /** Documents: values of etcd that are no Kubernetes objects, at the keys of a pattern. */
    public static ResourceType document(String group, String version, String kind, String plural, KeyPattern keys) {
        return new ResourceType(
                group,
                version,
                kind,
                plural,
                kind.toLowerCase(Locale.ROOT),
                keys.namespaced(),
                List.of(),
                List.of(),
                keys.text());
    }

    /** Whether its objects are documents: their names are the ends of their keys, percent-encoded, and any field selects. */
    public boolean isDocument() {
        return storagePrefix.endsWith(KeyPattern.NAME);
    }

    /** Plural, then a dot and the group unless it is the core group: as {@link io.watershed.log.ResourceName} names it. */
    public String resource() {
        return resource(plural, group);
    }

    private static String resource(String plural, String group) {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }
}
