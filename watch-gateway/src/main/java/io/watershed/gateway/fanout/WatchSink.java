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
     * Sends whole events, each in ASCII and framed as {@link WatchTarget#framing()} says.
     *
     * @param frames handed over: to be released by the sink. Its bytes are shared with other watches and must not be changed
     */
    void write(ByteBuf frames);

    /**
     * Called about once a second while the watch is open, between two writes: for what a transport sends of its own, as pings.
     *
     * @param nowNanos the clock that {@link LoopDispatcher#tick} is called with
     */
    default void keepAlive(long nowNanos) {}

    /** Ends the body cleanly, behind everything written. The last call; the watch is closed. */
    void end();
}
