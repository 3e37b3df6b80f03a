package io.watershed.gateway.http;

import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.cache.ObjectEntry;
import io.watershed.gateway.cache.WatchCache;
import io.watershed.gateway.represent.CustomPrinters;
import io.watershed.gateway.represent.Printer;
import io.watershed.gateway.represent.Representations;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The columns of custom resources, by their definitions in the cache. One is kept for each version that was asked for, until its
 * definition changes.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
final class DefinedPrinters implements Function<ResourceType, Printer> {
    private static final String DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io";

    private record Known(ObjectEntry definition, Printer printer) {}

    private final WatchCache cache;
    private final Map<String, Known> known = new HashMap<>();

    DefinedPrinters(WatchCache cache) {
        this.cache = cache;
    }

    @Override
    public Printer apply(ResourceType type) {
        String version = type.resource() + "/" + type.version();
        ObjectEntry definition = cache.view().resource(DEFINITIONS).get(null, type.resource());
        if (definition == null || !Undecodables.isWhole(definition)) {
            known.remove(version);
            return Representations.nameAndAge();
        }
        Known kept = known.get(version);
        if (kept == null || kept.definition() != definition) {
            kept = new Known(definition, CustomPrinters.of(definition.json(), type.version()));
            known.put(version, kept);
        }
        return kept.printer();
    }
}
