package io.watershed.gateway.api;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.ResourceType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The resources that are served, by their places in URLs.
 *
 * <p><em>Threads:</em> immutable.
 */
public final class Resources {
    private static final Set<String> BUILT_IN_GROUPS = builtInGroups();

    private final List<ResourceType> all;
    private final Map<String, ResourceType> byPath = new HashMap<>();
    private final Map<String, Set<String>> versions = new LinkedHashMap<>();

    public Resources(Collection<ResourceType> types) {
        this.all = List.copyOf(types);
        for (ResourceType type : all) {
            byPath.putIfAbsent(path(type.group(), type.version(), type.plural()), type);
            versions.computeIfAbsent(type.group(), group -> new HashSet<>()).add(type.version());
        }
    }

    private static Set<String> builtInGroups() {
        Set<String> groups = new HashSet<>();
        BuiltInResources.kubernetes().forEach(type -> groups.add(type.group()));
        BuiltInResources.optional().forEach(type -> groups.add(type.group()));
        return groups;
    }

    private static String path(String group, String version, String plural) {
        return group + "/" + version + "/" + plural;
    }

    /** In the order of discovery. */
    List<ResourceType> all() {
        return all;
    }

    @Nullable
    ResourceType find(String group, String version, String plural) {
        return byPath.get(path(group, version, plural));
    }

    boolean hasGroup(String group) {
        return versions.containsKey(group);
    }

    boolean hasVersion(String group, String version) {
        return versions.getOrDefault(group, Set.of()).contains(version);
    }

    /** Groups but the core group, in order. */
    List<String> groups() {
        List<String> groups = new ArrayList<>(versions.keySet());
        groups.remove("");
        return groups;
    }

    List<ResourceType> of(String group, String version) {
        return all.stream()
                .filter(type -> type.group().equals(group) && type.version().equals(version))
                .toList();
    }

    /** The group's versions in order; the first is preferred. */
    List<String> versions(String group) {
        return all.stream()
                .filter(type -> type.group().equals(group))
                .map(ResourceType::version)
                .distinct()
                .toList();
    }

    /** Whether Kubernetes itself has the group. */
    public static boolean isBuiltInGroup(String group) {
        return BUILT_IN_GROUPS.contains(group);
    }

    /** Whether its items are typed in lists, and so leave out kind and apiVersion: custom resources' don't. */
    public static boolean hasTypedItems(ResourceType type) {
        return isBuiltInGroup(type.group());
    }
}
