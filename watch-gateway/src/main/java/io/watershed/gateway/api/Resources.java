package io.watershed.gateway.api;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.ResourceType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The resources that are served, by their places in URLs: the built-in ones in their order, then those of custom groups by name, each
 * group's preferred version first.
 *
 * <p><em>Threads:</em> immutable.
 */
public final class Resources {
    private static final Map<String, String> BUILT_IN_WARNINGS =
            Map.of("endpoints", "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice");

    /** Behind this group discovery has the reviews. */
    private static final String BEFORE_REVIEWS = "events.k8s.io";

    private static final Comparator<ResourceType> CUSTOM_ORDER = Comparator.comparing(ResourceType::group)
            .thenComparing(ResourceType::version, KubernetesVersions.PREFERRED_FIRST)
            .thenComparing(ResourceType::plural);

    private final List<ResourceType> all;

    /** With what has no objects: reviews and extensions. */
    private final List<ResourceType> listed;

    private final Map<String, ResourceType> byPath = new HashMap<>();
    private final Map<String, Set<String>> versions = new LinkedHashMap<>();
    private final Map<ResourceType, CustomDefinition.Version> defined = new HashMap<>();
    private final Map<String, CustomDefinition> definitions = new HashMap<>();

    /** Without extensions. */
    public Resources(Collection<ResourceType> types, Collection<CustomDefinition> definitions) {
        this(types, definitions, Set.of());
    }

    /**
     * Puts together what is built in and what is defined.
     *
     * @param types those that objects are of, or that are built in
     * @param definitions what is known about custom ones; of two sources, these count
     * @param extensions those that are enabled
     */
    public Resources(
            Collection<ResourceType> types, Collection<CustomDefinition> definitions, Set<Extension> extensions) {
        List<ResourceType> builtIn = new ArrayList<>();
        List<ResourceType> custom = new ArrayList<>();
        for (CustomDefinition definition : definitions) {
            this.definitions.put(definition.resource(), definition);
            for (CustomDefinition.Version version : definition.served()) {
                defined.put(version.type(), version);
                custom.add(version.type());
            }
        }
        for (ResourceType type : types) {
            if (isBuiltIn(type.group())) {
                builtIn.add(type);
            } else if (!isServed(this.definitions.get(type.resource()))) {
                custom.add(type);
            }
        }
        custom.sort(CUSTOM_ORDER);
        builtIn.addAll(custom);
        this.all = List.copyOf(builtIn);
        this.listed = withoutObjects(all, extensions);
        for (ResourceType type : all) {
            byPath.putIfAbsent(path(type.group(), type.version(), type.plural()), type);
        }
        for (ResourceType type : listed) {
            versions.computeIfAbsent(type.group(), group -> new HashSet<>()).add(type.version());
        }
    }

    private static List<ResourceType> withoutObjects(List<ResourceType> types, Set<Extension> extensions) {
        List<ResourceType> listed = new ArrayList<>(types);
        int at = 0;
        for (int i = 0; i < types.size(); i++) {
            at = types.get(i).group().equals(BEFORE_REVIEWS) ? i + 1 : at;
        }
        listed.addAll(
                at, Arrays.stream(SelfReview.values()).map(SelfReview::type).toList());
        extensions.stream().sorted().map(Extension::type).forEach(listed::add);
        return List.copyOf(listed);
    }

    private static boolean isServed(@Nullable CustomDefinition definition) {
        return definition != null && !definition.served().isEmpty();
    }

    /** What its definition says of a type; null of one that is built in, or that only its objects tell of. */
    public CustomDefinition.@Nullable Version definition(ResourceType type) {
        return defined.get(type);
    }

    /** What definitions say of all types that they define, by {@code GROUP/VERSION}, in the order of discovery. */
    public SortedMap<String, List<CustomDefinition.Version>> definedByGroupVersion() {
        SortedMap<String, List<CustomDefinition.Version>> byGroupVersion = new TreeMap<>();
        for (ResourceType type : all) {
            CustomDefinition.Version version = defined.get(type);
            if (version != null) {
                byGroupVersion
                        .computeIfAbsent(type.apiVersion(), first -> new ArrayList<>())
                        .add(version);
            }
        }
        return byGroupVersion;
    }

    /** How objects of a type are scaled; null if they can't be. */
    public @Nullable ScaleFields scale(ResourceType type) {
        CustomDefinition.Version definition = defined.get(type);
        return definition == null ? ScaleFields.builtIn(type) : definition.scale();
    }

    /** What clients of a resource are to be warned of; null for nothing. */
    public @Nullable String warning(ResourceType type) {
        CustomDefinition.Version definition = defined.get(type);
        return definition == null ? BUILT_IN_WARNINGS.get(type.resource()) : definition.warning();
    }

    /**
     * Versions that objects of a type may be stored in and that can't be shown as what is asked for; empty for none.
     */
    public List<String> storedElsewhere(ResourceType type) {
        CustomDefinition definition = definitions.get(type.resource());
        return definition == null ? List.of() : definition.storedElsewhere();
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

    /** By plural[.group], in the version that is preferred; null if there is none. */
    public @Nullable ResourceType find(String resource) {
        return all.stream()
                .filter(type -> type.resource().equals(resource))
                .findFirst()
                .orElse(null);
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
        return listed.stream()
                .filter(type -> type.group().equals(group) && type.version().equals(version))
                .toList();
    }

    /** The group's versions in order; the first is preferred. */
    List<String> versions(String group) {
        return listed.stream()
                .filter(type -> type.group().equals(group))
                .map(ResourceType::version)
                .distinct()
                .toList();
    }

    /** Whether Kubernetes itself has the group. */
    public static boolean isBuiltIn(String group) {
        return BuiltInResources.hasGroup(group) || SelfReview.hasGroup(group);
    }

    /** Whether its items are typed in lists, and so leave out kind and apiVersion: custom resources' don't. */
    public static boolean hasTypedItems(ResourceType type) {
        return isBuiltIn(type.group());
    }
}
