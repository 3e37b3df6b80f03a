package io.watershed.ingest.publish;

import io.watershed.catalogue.ResourceType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What this ingester says of itself and its configuration in the log.
 *
 * @param ranges the configured prefixes
 * @param fingerprint of all configuration that decides what stands in the log (N6)
 * @param ingester who writes: host and process
 * @param address base URL of the barrier, or null
 * @param documents the resources that the configuration makes of prefixes of etcd
 * @param acceptDeletes how many keys a relist may delete without further asking
 */
public record SourceIdentity(
        List<String> ranges,
        String fingerprint,
        String ingester,
        @Nullable String address,
        List<ResourceType> documents,
        long acceptDeletes) {
    public SourceIdentity {
        ranges = List.copyOf(ranges);
        documents = List.copyOf(documents);
    }
}
