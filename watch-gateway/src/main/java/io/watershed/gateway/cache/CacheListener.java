package io.watershed.gateway.cache;

/**
 * Hears what becomes of the cache.
 *
 * <p><em>Threads:</em> called on the feed thread, after the view was published; must not block.
 */
public interface CacheListener {
    /** Something has happened: there is a newer view. */
    void published(CacheView view);

    /** The source was listed again: watches from below the view's floor are over. */
    void relisted(CacheView view);

    /** The cache was built anew, with another epoch. */
    void replaced(CacheView view);
}
