package io.watershed.catalogue;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Kubernetes' built-in resources in discovery order, read from {@code built-in.tsv} beside this class, and the KeyValue document. */
public final class BuiltInResources {
    /** What any etcd value becomes that is no Kubernetes object, and that no configured resource takes. */
    public static final ResourceType KEY_VALUE = new ResourceType(
            "watershed.io",
            "v1",
            "KeyValue",
            "keyvalues",
            "keyvalue",
            false,
            List.of("kv"),
            List.of(),
            KeyPattern.NAME);

    private static final String OFF_BY_DEFAULT = "optional";
    private static final List<ResourceType> DEFAULT = new ArrayList<>();
    private static final List<ResourceType> OPTIONAL = new ArrayList<>();
    private static final Map<String, ResourceType> BY_STORAGE_PREFIX = new HashMap<>();
    private static final Map<String, ResourceType> BY_RESOURCE = new HashMap<>();
    private static final Set<String> GROUPS = new HashSet<>();

    static {
        for (String[] column : read()) {
            ResourceType type = parse(column);
            (column[9].equals(OFF_BY_DEFAULT) ? OPTIONAL : DEFAULT).add(type);
            BY_STORAGE_PREFIX.putIfAbsent(type.storagePrefix(), type);
            BY_RESOURCE.put(type.resource(), type);
            GROUPS.add(type.group());
        }
    }

    private BuiltInResources() {}

    /** Kubernetes' own that each cluster serves, without KeyValue. Events are there twice, in two groups over the same objects. */
    public static List<ResourceType> kubernetes() {
        return Collections.unmodifiableList(DEFAULT);
    }

    /** Those that Kubernetes serves only where they are switched on: there, when objects of them are seen. */
    public static List<ResourceType> optional() {
        return Collections.unmodifiableList(OPTIONAL);
    }

    /** By what stands behind the layout's root in etcd: {@code pods}, {@code services/specs}. */
    public static Optional<ResourceType> byStoragePrefix(String storagePrefix) {
        return Optional.ofNullable(BY_STORAGE_PREFIX.get(storagePrefix));
    }

    /** By plural[.group]. */
    public static Optional<ResourceType> byResource(String resource) {
        return Optional.ofNullable(BY_RESOURCE.get(resource));
    }

    /** Whether Kubernetes itself has the group. */
    public static boolean hasGroup(String group) {
        return GROUPS.contains(group);
    }

    private static List<String[]> read() {
        List<String[]> types = new ArrayList<>();
        try (InputStream in = Objects.requireNonNull(BuiltInResources.class.getResourceAsStream("built-in.tsv"));
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.startsWith("#")) {
                    types.add(line.split("\t", -1));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return types;
    }

    private static ResourceType parse(String[] column) {
        String group = column[0].equals("-") ? "" : column[0];
        // Two groups share one place in etcd: the first one's objects are the other's too.
        ResourceType first = BY_STORAGE_PREFIX.get(column[8]);
        return new ResourceType(
                group,
                column[1],
                column[2],
                column[3],
                column[4],
                Boolean.parseBoolean(column[5]),
                words(column[6]),
                words(column[7]),
                column[8],
                column[2] + "List",
                column[10].equals("status"),
                first != null ? first.resource() : group.isEmpty() ? column[3] : column[3] + "." + group);
    }

    private static List<String> words(String column) {
        return column.equals("-") ? List.of() : List.of(column.split(",", -1));
    }
}
