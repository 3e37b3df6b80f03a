package io.watershed.gateway.cache;

/**
 * Hears of each new view.
 *
 * <p><em>Threads:</em> called on the feed thread; must not block.
 */
public interface CacheListener {
    /** The view goes on from the one before. */
    void published(CacheView view);

    /** A relist has ended: the floor has risen, and every watch from before ends with 410. */
    void relisted(CacheView view);

    /** The log was read anew from its beginning: positions of the history before mean nothing in this view. */
    void replaced(CacheView view);
}
