package io.watershed.gateway.cache;

import io.watershed.log.Generation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One moment of the cache.
 *
 * <p><em>Threads:</em> immutable, but for the history that it shares with other views.
 */
public final class CacheView {
    private final long watermark;
    private final long floor;
    private final long memoryFloor;
    private final @Nullable Generation generation;
    private final History history;
    private final long historyEnd;
    private final long epoch;
    private final Map<String, ResourceView> resources;

    CacheView(
            long watermark,
            long floor,
            long memoryFloor,
            @Nullable Generation generation,
            History history,
            long historyEnd,
            long epoch,
            Map<String, ResourceView> resources) {
        this.watermark = watermark;
        this.floor = floor;
        this.memoryFloor = memoryFloor;
        this.generation = generation;
        this.history = history;
        this.historyEnd = historyEnd;
        this.epoch = epoch;
        this.resources = Map.copyOf(resources);
    }

    /** The revision that this is the state of. */
    public long watermark() {
        return watermark;
    }

    /** The lowest revision that the log can still tell everything after. */
    public long floor() {
        return floor;
    }

    /** The lowest revision whose own events and all later ones are in memory: a watch from it, or from above, can be served. */
    public long memoryFloor() {
        return memoryFloor;
    }

    /** The history that all revisions are of; null before anything was read. */
    public @Nullable Generation generation() {
        return generation;
    }

    public History history() {
        return history;
    }

    /** Position behind the last event of the history that this view shows; always behind a whole revision. */
    public long historyEnd() {
        return historyEnd;
    }

    /** Changes when the cache was built anew: positions of another epoch's history mean nothing. */
    public long epoch() {
        return epoch;
    }

    /** The objects of a resource; none if it is unknown. */
    public ResourceView resource(String resource) {
        ResourceView objects = resources.get(resource);
        return objects == null ? new ResourceView(List.of()) : objects;
    }
}
