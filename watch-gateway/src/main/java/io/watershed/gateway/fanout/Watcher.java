package io.watershed.gateway.fanout;

/**
 * One open watch, as its transport sees it.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
public final class Watcher {
    Watcher() {}

    /** The sink can be written to again: the watch goes on from its place, soon. */
    public void writable() {
        throw new UnsupportedOperationException("not built yet");
    }

    /** The client has gone: nothing is written any more, nor is the sink ended. Closing twice does nothing. */
    public void close() {
        throw new UnsupportedOperationException("not built yet");
    }
}
