package io.watershed.gateway.fanout;

import io.watershed.gateway.cache.CacheView;
import io.watershed.gateway.cache.History;
import io.watershed.gateway.cache.ObjectEntry;
import java.util.Collections;
import java.util.Iterator;

/**
 * The objects of one view that may match a target, in the order of their keys. The view is immutable, so a slow reader sees one
 * moment however long it takes.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
final class ObjectStream {
    private final Iterator<ObjectEntry> objects;
    private final History history;
    private final long historyEnd;
    private final long revision;

    ObjectStream(CacheView view, WatchTarget target) {
        this.objects = objects(view, target);
        this.history = view.history();
        this.historyEnd = view.historyEnd();
        this.revision = view.watermark();
    }

    private static Iterator<ObjectEntry> objects(CacheView view, WatchTarget target) {
        if (target.name() != null) {
            // Whether the resource has namespaces is not known here: without one asked for, a namespaced name may be in
            // any.
            ObjectEntry named = view.resource(target.resource()).get(target.namespace(), target.name());
            if (named != null) {
                return Collections.singletonList(named).iterator();
            }
            if (target.namespace() != null) {
                return Collections.emptyIterator();
            }
        }
        return view.resource(target.resource()).objects(target.namespace(), null);
    }

    boolean hasNext() {
        return objects.hasNext();
    }

    ObjectEntry next() {
        return objects.next();
    }

    /** The revision that the objects are the state of. */
    long revision() {
        return revision;
    }

    /** Whether what happened since can no longer be told. */
    boolean isOutlived() {
        return historyEnd < history.start();
    }
}
