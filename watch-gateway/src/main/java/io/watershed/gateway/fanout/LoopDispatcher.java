package io.watershed.gateway.fanout;

/**
 * All watches of one event loop.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
public final class LoopDispatcher {
    LoopDispatcher() {}

    /** Opens a watch. Nothing is written to the sink before this returns, so the response's head can still go out first. */
    public Watcher open(WatchOrder order, WatchSink sink) {
        throw new UnsupportedOperationException("not built yet");
    }

    /** Sends bookmarks that are due and ends watches whose time is over. To be called about once a second. */
    public void tick(long nowNanos) {
        throw new UnsupportedOperationException("not built yet");
    }

    /** How many watches are open. */
    public int watchers() {
        throw new UnsupportedOperationException("not built yet");
    }

    /**
     * Ends every watch, each with a last bookmark if it allows them, spread evenly until a point in time. The ends happen in
     * {@link #tick}; {@link #watchers()} is 0 after a tick at or behind that point.
     */
    public void drain(long nowNanos, long untilNanos) {
        throw new UnsupportedOperationException("not built yet");
    }
}
