package io.watershed.gateway.cache;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Exact reads: the state at a revision of the last minutes. Some views are kept; the revisions between them are made from the view before
 * and the events since.
 *
 * <p>A kept view holds on to the nodes that were changed after it, about {@link #NODE_BYTES} a change, and to the objects that were
 * replaced. So views are bounded by time, by the number of changes since, and by the history: a view goes when an event since it was
 * evicted, and so what it still holds is what the history holds as well. Nothing below the floor is kept, as a relist changes objects
 * without events.
 *
 * <p><em>Threads:</em> the feed adds, any reads.
 */
final class ImageWindow {
    private static final long NODE_BYTES = 1300;
    private static final long LEAST_CHANGES = 10_000;
    /** A view is kept when the one before it is this old, or this many changes behind. */
    private static final long SPACING_MILLIS = 250;

    private static final long SPACING_CHANGES = 256;

    private record Held(CacheView view, long addedMillis) {}

    private final long windowMillis;
    private final long mostChanges;
    private final ConcurrentSkipListMap<Long, Held> views = new ConcurrentSkipListMap<>();
    /** The view between kept ones that was asked for last: pages of a list ask for the same again. */
    private volatile @Nullable CacheView lastMade;

    /** {@code bytes}: about how much memory the nodes of old views may take. */
    ImageWindow(Duration window, long bytes) {
        this.windowMillis = window.toMillis();
        this.mostChanges = Math.max(LEAST_CHANGES, bytes / NODE_BYTES);
    }

    /** The newest view, which continues the one before. */
    void add(CacheView view, long nowMillis) {
        Map.Entry<Long, Held> newest = views.lastEntry();
        if (newest == null || isDue(newest.getValue(), view, nowMillis)) {
            views.put(view.watermark(), new Held(view, nowMillis));
        }
        CacheView made = lastMade;
        if (made != null && made.watermark() < oldest()) {
            lastMade = null; // else it would hold on to what is let go here
        }
        while (views.size() > 1) {
            Map.Entry<Long, Held> oldest = views.firstEntry();
            Map.Entry<Long, Held> second = views.higherEntry(oldest.getKey());
            if (second == null || !isOver(oldest.getValue().view(), second.getValue(), view, nowMillis)) {
                return;
            }
            views.remove(oldest.getKey());
        }
    }

    private static boolean isDue(Held newest, CacheView view, long nowMillis) {
        return nowMillis - newest.addedMillis() >= SPACING_MILLIS
                || view.historyEnd() - newest.view().historyEnd() >= SPACING_CHANGES
                || newest.view().watermark() < view.floor();
    }

    private boolean isOver(CacheView oldest, Held second, CacheView now, long nowMillis) {
        return second.addedMillis() <= nowMillis - windowMillis
                || now.historyEnd() - oldest.historyEnd() > mostChanges
                || oldest.historyEnd() < now.history().start()
                || oldest.watermark() < now.floor();
    }

    /** For a view that does not continue the one before. */
    void clear() {
        views.clear();
        lastMade = null;
    }

    int size() {
        return views.size();
    }

    /** The lowest revision of an exact read; 0 before the first. */
    long oldest() {
        Map.Entry<Long, Held> oldest = views.firstEntry();
        return oldest == null ? 0 : oldest.getKey();
    }

    /**
     * The newest revision that was written by a time; null when it is older than what is held. {@code now}: the newest view. Between two
     * events the revision is that of the first, as gateways see different ones between.
     */
    @Nullable
    Moment by(long timeMillis, CacheView now) {
        if (now.timeMillis() <= timeMillis) {
            return new Moment(now.watermark(), now.timeMillis());
        }
        HistoryEvent event = now.history().lastBy(timeMillis, now.historyEnd());
        if (event != null) {
            return new Moment(event.revision(), event.timeMillis());
        }
        for (Held held : views.descendingMap().values()) {
            CacheView view = held.view();
            if (view.timeMillis() <= timeMillis) {
                return view.epoch() == now.epoch() ? new Moment(view.watermark(), view.timeMillis()) : null;
            }
        }
        return null;
    }

    /** The state at exactly this revision; null when it is not held. {@code now}: the newest view. */
    @Nullable
    CacheView at(long revision, CacheView now) {
        if (revision > now.watermark() || revision < now.floor()) {
            return null;
        }
        if (revision == now.watermark()) {
            return now;
        }
        CacheView made = lastMade;
        if (made != null && made.watermark() == revision && made.epoch() == now.epoch()) {
            return made;
        }
        Map.Entry<Long, Held> base = views.floorEntry(revision);
        if (base == null) {
            return null;
        }
        CacheView view = base.getValue().view();
        if (view.epoch() != now.epoch() || view.watermark() < now.floor()) {
            return null;
        }
        if (view.watermark() == revision) {
            return view;
        }
        made = advanced(view, revision, now);
        lastMade = made;
        return made;
    }

    private static @Nullable CacheView advanced(CacheView base, long revision, CacheView now) {
        History history = base.history();
        Map<String, ResourceEditor> edited = new HashMap<>();
        long position = base.historyEnd();
        long timeMillis = base.timeMillis();
        for (; position < now.historyEnd(); position++) {
            HistoryEvent event = history.get(position);
            if (event == null) {
                return null; // evicted
            }
            if (event.revision() > revision) {
                break;
            }
            timeMillis = event.timeMillis();
            ResourceEditor editor =
                    edited.computeIfAbsent(event.resource(), name -> new ResourceEditor(base.resource(name)));
            ObjectEntry object = event.object();
            ObjectEntry previous = event.previous();
            if (object != null) {
                editor.put(object);
            } else if (previous != null) {
                editor.remove(previous.key());
            }
        }
        Map<String, ResourceView> changed = new HashMap<>();
        edited.forEach((name, editor) -> changed.put(name, editor.freeze()));
        return new CacheView(
                revision,
                timeMillis,
                base.floor(),
                base.memoryFloor(),
                base.generation(),
                history,
                position,
                base.epoch(),
                base.images().with(changed));
    }
}
