package io.watershed.gateway.represent;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The columns of Kubernetes' own kinds, as kube-apiserver 1.37 shows them, by plural[.group].
 *
 * <p><em>Threads:</em> immutable.
 */
final class BuiltInPrinters {
    /** Of a built-in kind that has no columns of its own. */
    static final Printer DEFAULT = Printer.named().createdAt().build();

    /** Of documents, and of custom resources whose definition is not known. */
    static final Printer NAME_AND_AGE = Printer.named().age().build();

    /** Not a resource of its own, but what some can be read as. */
    static final String SCALE = "scale.autoscaling";

    private static final Map<String, Printer> BY_RESOURCE = byResource();

    private BuiltInPrinters() {}

    private static Map<String, Printer> byResource() {
        Map<String, Printer> printers = new HashMap<>();
        CorePrinters.addTo(printers);
        WorkloadPrinters.addTo(printers);
        StoragePrinters.addTo(printers);
        NetworkPrinters.addTo(printers);
        ClusterPrinters.addTo(printers);
        SchedulingPrinters.addTo(printers);
        EvictionPrinters.addTo(printers);
        return Map.copyOf(printers);
    }

    /** All that have some of their own. */
    static Set<String> resources() {
        return BY_RESOURCE.keySet();
    }

    /** Null if the resource has none of its own. */
    static @Nullable Printer of(String resource) {
        return BY_RESOURCE.get(resource);
    }
}
