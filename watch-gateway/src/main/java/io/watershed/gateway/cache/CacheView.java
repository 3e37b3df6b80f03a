package io.watershed.gateway.cache;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.ResourceType;
import io.watershed.log.Generation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that there is at one revision: an image of each resource, and the history up to it.
 *
 * <p>A resource version can be watched from if {@code memoryFloor ≤ rv ≤ watermark}.
 *
 * <p><em>Threads:</em> immutable, any.
 */
public final class CacheView {
    private final long watermark;
    private final long timeMillis;
    private final long floor;
    private final long memoryFloor;
    private final @Nullable Generation generation;
    private final History history;
    private final long historyEnd;
    private final long epoch;
    private final Images images;

    CacheView(
            long watermark,
            long timeMillis,
            long floor,
            long memoryFloor,
            @Nullable Generation generation,
            History history,
            long historyEnd,
            long epoch,
            Images images) {
        this.watermark = watermark;
        this.timeMillis = timeMillis;
        this.floor = floor;
        this.memoryFloor = memoryFloor;
        this.generation = generation;
        this.history = history;
        this.historyEnd = historyEnd;
        this.epoch = epoch;
        this.images = images;
    }

    /** The revision that this is; 0 before anything was read. */
    public long watermark() {
        return watermark;
    }

    /** When that revision was written to the log, in the broker's milliseconds; never before that of an older view. */
    public long timeMillis() {
        return timeMillis;
    }

    /** The lowest valid resource version, by the log's rules. */
    public long floor() {
        return floor;
    }

    /** The lowest resource version whose own events and all later ones are in memory. Not below the floor. */
    public long memoryFloor() {
        return memoryFloor;
    }

    /** Of what is served; null before anything was read. */
    public @Nullable Generation generation() {
        return generation;
    }

    public History history() {
        return history;
    }

    /** Position behind the last event of this view. */
    public long historyEnd() {
        return historyEnd;
    }

    /** Another number after the log was read anew: positions of another epoch mean nothing. */
    public long epoch() {
        return epoch;
    }

    /** By plural[.group]; empty when there are no such objects. */
    public ResourceView resource(String resource) {
        return images.get(resource);
    }

    /**
     * Every resource there is: the built-in ones, documents, those that the ingester's configuration makes of prefixes, the optional ones
     * that objects were seen of, and the custom ones that there are objects of.
     */
    public List<ResourceType> resources() {
        List<ResourceType> types = new ArrayList<>(BuiltInResources.kubernetes());
        BuiltInResources.optional().stream()
                .filter(type -> resource(type.resource()).prefix() != null)
                .forEach(types::add);
        types.add(BuiltInResources.KEY_VALUE);
        types.addAll(images.documents());
        Set<String> documents = new HashSet<>();
        images.documents().forEach(type -> documents.add(type.resource()));
        images.all().forEach(view -> {
            ResourceType custom = view.customType();
            if (custom != null && !documents.contains(custom.resource())) {
                types.add(custom);
            }
        });
        return types;
    }

    Images images() {
        return images;
    }
}
