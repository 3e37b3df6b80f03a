package io.watershed.gateway.cache;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Views by revision, as far back as the image window goes, for exact reads. A view is kept a batch; a revision inside a batch is made
 * from the view before it and the events up to it.
 *
 * <p>Bounded by time and by the number of events between the oldest view and now: each may hold a path of nodes of its own.
 *
 * <p><em>Threads:</em> the feed adds, any reads.
 */
final class ImageWindow {
    private static final long MOST_EVENTS = 500_000;
    private static final int MOST_VIEWS = 20_000;

    private record Held(CacheView view, long addedMillis) {}

    private final long windowMillis;
    private final ConcurrentSkipListMap<Long, Held> views = new ConcurrentSkipListMap<>();

    ImageWindow(Duration window) {
        this.windowMillis = window.toMillis();
    }

    void add(CacheView view, long nowMillis) {
        views.put(view.watermark(), new Held(view, nowMillis));
        while (views.size() > 1) {
            Map.Entry<Long, Held> oldest = views.firstEntry();
            Map.Entry<Long, Held> second = views.higherEntry(oldest.getKey());
            boolean keep = second == null
                    || (second.getValue().addedMillis() > nowMillis - windowMillis
                            && views.size() <= MOST_VIEWS
                            && view.historyEnd() - oldest.getValue().view().historyEnd() <= MOST_EVENTS);
            if (keep) {
                return;
            }
            views.remove(oldest.getKey());
        }
    }

    void clear() {
        views.clear();
    }

    int size() {
        return views.size();
    }

    long oldest() {
        Map.Entry<Long, Held> oldest = views.firstEntry();
        return oldest == null ? 0 : oldest.getKey();
    }

    /** The state at exactly this revision; null when it is not held. */
    @Nullable
    CacheView at(long revision, CacheView now) {
        if (revision > now.watermark() || revision < now.floor()) {
            return null;
        }
        Map.Entry<Long, Held> base = views.floorEntry(revision);
        if (base == null) {
            return null;
        }
        CacheView view = base.getValue().view();
        if (view.epoch() != now.epoch()) {
            return null;
        }
        return view.watermark() == revision ? view : advanced(view, revision);
    }

    private static List<ObjectEntry> undecodable(ImageMap<ObjectEntry> image) {
        List<ObjectEntry> found = new ArrayList<>();
        image.from(null).forEachRemaining(object -> {
            if (ResourceView.isUndecodable(object)) {
                found.add(object);
            }
        });
        return found;
    }

    private static @Nullable CacheView advanced(CacheView base, long revision) {
        History history = base.history();
        Map<String, ImageMap.Editor<ObjectEntry>> edited = new HashMap<>();
        long position = base.historyEnd();
        for (; position < history.end(); position++) {
            HistoryEvent event = history.get(position);
            if (event == null) {
                return null; // evicted
            }
            if (event.revision() > revision) {
                break;
            }
            ImageMap.Editor<ObjectEntry> editor = edited.computeIfAbsent(
                    event.resource(), name -> base.resource(name).image().edit());
            ObjectEntry object = event.object();
            ObjectEntry previous = event.previous();
            if (object != null) {
                editor.put(object.key(), object);
            } else if (previous != null) {
                editor.remove(previous.key());
            }
        }
        Map<String, ResourceView> images = new HashMap<>(base.images());
        edited.forEach((name, editor) -> {
            ResourceView before = base.resource(name);
            ImageMap<ObjectEntry> image = editor.freeze();
            byte[] prefix = before.prefix();
            if (prefix == null
                    && image.size() > 0
                    && !name.equals(io.watershed.catalogue.BuiltInResources.KEY_VALUE.resource())) {
                prefix = ResourceView.prefixOf(image.from(null).next());
            }
            images.put(name, new ResourceView(image, undecodable(image), prefix, before.customType()));
        });
        return new CacheView(
                revision, base.floor(), base.memoryFloor(), base.generation(), history, position, base.epoch(), images);
    }
}
