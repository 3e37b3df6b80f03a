package io.watershed.catalogue;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Kubernetes' built-in resources in discovery order, read from {@code built-in.tsv} beside this class, and the KeyValue document. */
public final class BuiltInResources {
    /** What any etcd value becomes that is no Kubernetes object. */
    public static final ResourceType KEY_VALUE = new ResourceType(
            "watershed.io", "v1", "KeyValue", "keyvalues", "keyvalue", false, List.of("kv"), List.of(), "");

    private static final List<ResourceType> ALL = read();
    private static final Map<String, ResourceType> BY_STORAGE_PREFIX = new HashMap<>();
    private static final Map<String, ResourceType> BY_RESOURCE = new HashMap<>();

    static {
        for (ResourceType type : ALL) {
            BY_STORAGE_PREFIX.put(type.storagePrefix(), type);
            BY_RESOURCE.put(type.resource(), type);
        }
    }

    private BuiltInResources() {}

    /** Kubernetes' own, without KeyValue. */
    public static List<ResourceType> kubernetes() {
        return ALL;
    }

    /** By what stands behind the layout's root in etcd: {@code pods}, {@code services/specs}. */
    public static Optional<ResourceType> byStoragePrefix(String storagePrefix) {
        return Optional.ofNullable(BY_STORAGE_PREFIX.get(storagePrefix));
    }

    /** By plural[.group]. */
    public static Optional<ResourceType> byResource(String resource) {
        return Optional.ofNullable(BY_RESOURCE.get(resource));
    }

    private static List<ResourceType> read() {
        List<ResourceType> types = new ArrayList<>();
        try (InputStream in = Objects.requireNonNull(BuiltInResources.class.getResourceAsStream("built-in.tsv"));
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.startsWith("#")) {
                    types.add(parse(line.split("\t", -1)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.copyOf(types);
    }

    private static ResourceType parse(String[] column) {
        return new ResourceType(
                column[0].equals("-") ? "" : column[0],
                column[1],
                column[2],
                column[3],
                column[4],
                Boolean.parseBoolean(column[5]),
                words(column[6]),
                words(column[7]),
                column[8]);
    }

    private static List<String> words(String column) {
        return column.equals("-") ? List.of() : List.of(column.split(",", -1));
    }
}
