package io.watershed.gateway.fanout;

import io.netty.buffer.ByteBuf;

/**
 * Where the frames of one watch go: a response body.
 *
 * <p><em>Threads:</em> called on the watch's event loop only, and never before {@link LoopDispatcher#open} has returned.
 */
public interface WatchSink {
    /**
     * Whether a write now would not be queued up. After an answer of false, {@link Watcher#writable()} must be called once it has
     * become true; until then nothing but a last frame before {@link #end()} is written.
     */
    boolean isWritable();

    /**
     * Sends whole lines, each a watch event in ASCII that ends with a line feed.
     *
     * @param frames handed over: to be released by the sink. Its bytes are shared with other watches and must not be changed
     */
    void write(ByteBuf frames);

    /** Ends the body cleanly, behind everything written. The last call; the watch is closed. */
    void end();
}
