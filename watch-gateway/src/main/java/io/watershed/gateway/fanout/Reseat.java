package io.watershed.gateway.fanout;

import io.watershed.gateway.cache.CacheView;
import io.watershed.gateway.cache.History;
import io.watershed.gateway.cache.HistoryEvent;

/**
 * Finds the places of watches in the history of a cache that was built anew. Both histories tell the same revisions with the same
 * events in the same order; only their positions differ.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
final class Reseat {
    private final CacheView old;
    private final CacheView replacement;

    Reseat(CacheView old, CacheView replacement) {
        this.old = old;
        this.replacement = replacement;
    }

    /** Moves a watch that is behind. False if its place is not in memory. */
    boolean move(Watcher watcher) {
        if (watcher.inside) {
            return moveInside(watcher);
        }
        // A place that the replacement has not reached yet is found when it does.
        watcher.position = replacement.history().firstAfter(watcher.completed);
        return isHeld(watcher.completed);
    }

    private boolean moveInside(Watcher watcher) {
        History before = old.history();
        HistoryEvent next = before.get(watcher.position);
        if (next == null || next.revision() > replacement.watermark()) {
            return false;
        }
        History after = replacement.history();
        long sent = watcher.position - before.firstAt(next.revision());
        long position = after.firstAt(next.revision()) + sent;
        HistoryEvent lastSent = after.get(position - 1);
        HistoryEvent moved = after.get(position);
        if (lastSent == null
                || moved == null
                || lastSent.revision() != next.revision()
                || moved.revision() != next.revision()) {
            return false;
        }
        watcher.position = position;
        return isHeld(next.revision());
    }

    /** Whether a revision's events are in memory, asked after they were searched for: history evicts meanwhile. */
    private boolean isHeld(long revision) {
        return revision >= CatchUp.oldest(replacement);
    }
}
