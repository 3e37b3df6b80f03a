package io.watershed.catalogue;

import java.util.List;

/**
 * One resource of the API in its canonical version.
 *
 * @param group empty for the core group
 * @param version the version that is served
 * @param plural as in URLs
 * @param shortNames as kubectl accepts them
 * @param categories {@code all} for what {@code kubectl get all} shows
 * @param storagePrefix what stands between the layout's root and the object's namespace or name in etcd: {@code pods},
 *     {@code services/specs}, {@code minions}; empty for KeyValue documents
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
        String storagePrefix) {
    public ResourceType {
        shortNames = List.copyOf(shortNames);
        categories = List.copyOf(categories);
    }

    /** Plural, then a dot and the group unless it is the core group: as {@link io.watershed.log.ResourceName} names it. */
    public String resource() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    public String listKind() {
        return kind + "List";
    }
}
