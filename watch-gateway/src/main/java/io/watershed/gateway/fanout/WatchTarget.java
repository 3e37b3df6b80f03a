package io.watershed.gateway.fanout;

import io.watershed.gateway.represent.Transform;
import io.watershed.gateway.select.FieldSelector;
import io.watershed.gateway.select.LabelSelector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a watch is about, and how it is shown. Watches with equal targets share all the work that their events make.
 *
 * @param resources plural[.group] each; at least one, and none twice
 * @param namespace null for all namespaces, and for cluster-scoped resources
 * @param name null for all objects
 * @param transform what is shown of objects
 * @param framing how the transport sets events apart
 */
public record WatchTarget(
        List<String> resources,
        @Nullable String namespace,
        @Nullable String name,
        LabelSelector labels,
        FieldSelector fields,
        Transform transform,
        Framing framing) {
    /** What stands for a resource in metrics and logs where there are several. */
    private static final String SEVERAL = "several";

    public WatchTarget {
        resources = List.copyOf(resources);
        if (resources.isEmpty() || resources.stream().distinct().count() < resources.size()) {
            throw new IllegalArgumentException("no resource, or one twice: " + resources);
        }
    }

    /** Of one resource, in lines. */
    public WatchTarget(
            String resource,
            @Nullable String namespace,
            @Nullable String name,
            LabelSelector labels,
            FieldSelector fields,
            Transform transform) {
        this(List.of(resource), namespace, name, labels, fields, transform, Framing.LINES);
    }

    /** The same objects over another transport. */
    public WatchTarget framed(Framing other) {
        return new WatchTarget(resources, namespace, name, labels, fields, transform, other);
    }

    boolean isOf(String resource) {
        return resources.contains(resource);
    }

    /** For metrics and logs. */
    String label() {
        return resources.size() == 1 ? resources.get(0) : SEVERAL;
    }
}
