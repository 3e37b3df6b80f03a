package io.watershed.ingest.catalogue;

import io.watershed.catalogue.ResourceType;
import io.watershed.log.ResourceName;
import org.jspecify.annotations.Nullable;

/** What a key says about its object. */
public sealed interface Placement {
    /** Null when the object is in no API resource. */
    @Nullable
    ResourceName name();

    /** A built-in resource: kind and version are known. */
    record BuiltIn(ResourceType type, ResourceName name) implements Placement {}

    /** A custom resource: its kind and version stand in the value. */
    record Custom(String group, ResourceName name) implements Placement {}

    /**
     * Not a Kubernetes object.
     *
     * @param type what its value becomes an object of
     * @param documentName the name of that object
     * @param name null for keys under the Kubernetes root that are no objects, as the allocators': readable in the topic only
     * @param displaced whether it is a Kubernetes object whose resource the configuration gave to documents
     */
    record Document(
            ResourceType type,
            String documentName,
            @Nullable ResourceName name,
            boolean displaced) implements Placement {}
}
