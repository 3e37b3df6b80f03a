package io.watershed.ingest.etcd;

/**
 * How many keys the next page of a list asks for: so many that it is near a size that is cheap to hold, by what the last page
 * weighed. Grows a few times a page at most, as the next keys may be far larger than the last ones. Pure.
 *
 * <p><em>Threads:</em> confined to its owner.
 */
final class PageSize {
    private static final int FIRST = 500;
    private static final int LARGEST = 10_000;

    private final long targetBytes;
    private final int growth;
    private int keys = FIRST;

    /**
     * @param cheapPages whether etcd reads no more than it returns; below that version each page walks the whole index, so few and
     *     large ones are better
     */
    PageSize(boolean cheapPages) {
        this.targetBytes = cheapPages ? 3L << 20 : 24L << 20;
        this.growth = cheapPages ? 4 : 8;
    }

    int keys() {
        return keys;
    }

    /** A page with this many bytes has come. */
    void came(int pageKeys, long bytes) {
        long fitting = pageKeys * targetBytes / Math.max(1, bytes);
        keys = (int) Math.max(1, Math.min(Math.min(fitting, (long) keys * growth), LARGEST));
    }

    /** A page was larger than a message may be. False when it can't be made smaller. */
    boolean shrink() {
        boolean possible = keys > 1;
        keys = Math.max(1, keys / 10);
        return possible;
    }
}
