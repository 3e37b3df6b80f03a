package io.watershed.gateway.cache;

import io.watershed.log.Encoding;
import io.watershed.log.EtcdKey;
import io.watershed.log.Generation;
import io.watershed.log.KeyVersion;
import io.watershed.log.ResourceName;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes parts of a cache for tests of what reads them. */
public final class CacheFixture {
    private CacheFixture() {}

    public static History history(long start) {
        return new History(start);
    }

    public static void append(
            History history,
            long revision,
            boolean lastOfRevision,
            String resource,
            @Nullable ObjectEntry object,
            @Nullable ObjectEntry previous) {
        history.add(
                new HistoryEvent(history.end(), revision, revision * 1000, lastOfRevision, resource, object, previous));
    }

    public static void evictBelow(History history, long position) {
        history.evictTo(position);
    }

    public static CacheView view(
            long watermark,
            long floor,
            long memoryFloor,
            Generation generation,
            History history,
            long epoch,
            Map<String, List<ObjectEntry>> objects) {
        Map<String, ResourceView> resources = new TreeMap<>();
        objects.forEach((resource, ofResource) -> resources.put(resource, ResourceView.of(ofResource)));
        return new CacheView(
                watermark,
                watermark * 1000,
                floor,
                memoryFloor,
                generation,
                history,
                history.end(),
                epoch,
                Images.of(resources));
    }

    /** An object whose JSON says what its labels and fields are. */
    public static ObjectEntry object(
            EtcdKey key,
            ResourceName name,
            KeyVersion version,
            byte[] json,
            @Nullable Encoding encoding,
            Map<String, String> labels,
            Map<String, String> fields) {
        return new ObjectEntry(key, name, version, json, encoding, labels, fields);
    }
}
