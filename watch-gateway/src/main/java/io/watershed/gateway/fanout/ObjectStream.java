package io.watershed.gateway.fanout;

import io.watershed.gateway.cache.CacheView;
import io.watershed.gateway.cache.History;
import io.watershed.gateway.cache.ObjectEntry;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The objects of one view that may match a target: resource by resource as the target names them, each in the order of its keys. The
 * view is immutable, so a slow reader sees one moment however long it takes.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
final class ObjectStream {
    /** One a resource. */
    private final Deque<Iterator<ObjectEntry>> objects = new ArrayDeque<>();

    private final History history;
    private final long historyEnd;
    private final long revision;

    ObjectStream(CacheView view, WatchTarget target) {
        target.resources().forEach(resource -> objects.add(objects(view, resource, target)));
        this.history = view.history();
        this.historyEnd = view.historyEnd();
        this.revision = view.watermark();
    }

    private static Iterator<ObjectEntry> objects(CacheView view, String resource, WatchTarget target) {
        if (target.name() != null) {
            // Whether the resource has namespaces is not known here: without one asked for, a namespaced name may be in
            // any.
            ObjectEntry named = view.resource(resource).get(target.namespace(), target.name());
            if (named != null) {
                return Collections.singletonList(named).iterator();
            }
            if (target.namespace() != null) {
                return Collections.emptyIterator();
            }
        }
        return view.resource(resource).objects(target.namespace(), null);
    }

    boolean hasNext() {
        while (!objects.isEmpty() && !objects.element().hasNext()) {
            objects.remove();
        }
        return !objects.isEmpty();
    }

    ObjectEntry next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return objects.element().next();
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
