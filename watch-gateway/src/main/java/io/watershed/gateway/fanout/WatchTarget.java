package io.watershed.gateway.fanout;

import io.watershed.gateway.represent.Transform;
import io.watershed.gateway.select.FieldSelector;
import io.watershed.gateway.select.LabelSelector;
import org.jspecify.annotations.Nullable;

/**
 * What a watch is about, and how it is shown. Watches with equal targets share all the work that their events make.
 *
 * @param resource plural[.group]
 * @param namespace null for all namespaces, and for cluster-scoped resources
 * @param name null for all objects
 * @param transform what is shown of objects
 * @param framing how the transport sets events apart
 */
public record WatchTarget(
        String resource,
        @Nullable String namespace,
        @Nullable String name,
        LabelSelector labels,
        FieldSelector fields,
        Transform transform,
        Framing framing) {
    /** In lines. */
    public WatchTarget(
            String resource,
            @Nullable String namespace,
            @Nullable String name,
            LabelSelector labels,
            FieldSelector fields,
            Transform transform) {
        this(resource, namespace, name, labels, fields, transform, Framing.LINES);
    }

    /** The same objects over another transport. */
    public WatchTarget framed(Framing other) {
        return new WatchTarget(resource, namespace, name, labels, fields, transform, other);
    }
}
