package io.watershed.log;

import org.jspecify.annotations.Nullable;

/**
 * One state of one key: what a change and a relist record have in common.
 *
 * @param resource null for keys that are no API resource; they are readable in the topic only
 * @param value null for a delete or tombstone
 */
public record ObjectRecord(
        EtcdKey key,
        KeyVersion version,
        @Nullable ResourceName resource,
        @Nullable ObjectValue value) {
    public boolean isDelete() {
        return value == null;
    }
}
