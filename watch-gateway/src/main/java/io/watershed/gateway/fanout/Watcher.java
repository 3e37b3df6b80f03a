package io.watershed.gateway.fanout;

import io.watershed.log.Generation;
import org.jspecify.annotations.Nullable;

/**
 * One open watch, as its transport sees it.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
public final class Watcher {
    /** How far a watch has come. */
    enum State {
        /** Asked for a revision that is not looked up yet. */
        STARTING,
        /** Asked for a revision that the cache has not reached. */
        WAITING,
        /** Is being sent the initial state. */
        INITIAL,
        /** Has a place of its own, behind the loop's tail. */
        BEHIND,
        /** Has been sent everything up to the loop's tail. */
        CURRENT,
        /** Over. */
        CLOSED
    }

    // All fields: the loop's own. What the watch is:
    final WatchOrder order;
    final WatchSink sink;
    final WatchClass watchClass;
    private final LoopDispatcher dispatcher;

    /** The history that the client's revision belongs to. */
    final @Nullable Generation generation;

    // Where it is:
    State state;

    /** Next event to look at, while BEHIND. */
    long position;

    /** The last revision gone through to its end, while BEHIND; before that, the revision to start at. */
    long completed;

    /** Whether the position is inside a revision, so that no bookmark may be sent. */
    boolean inside;

    /** What it started from: no bookmark is below it. */
    long start;

    /** Whether the events of its start are sent again if there are several. */
    boolean repeats;

    /** The rest of the initial state, while INITIAL. */
    @Nullable
    ObjectStream initial;

    // Bookkeeping of the loop:
    long bookmarkAtNanos;
    long endAtNanos;
    boolean draining;

    /** Whether its client has been sent anything. */
    boolean begun;

    /** Whether it waits for its turn to catch up. */
    boolean queued;

    /** Last batch that it was given. */
    long batch = -1;

    /** Place among its class's current members. */
    int slot;

    /** Place among all of the loop. */
    int index;

    Watcher(
            LoopDispatcher dispatcher,
            WatchOrder order,
            WatchSink sink,
            WatchClass watchClass,
            @Nullable Generation generation) {
        this.dispatcher = dispatcher;
        this.order = order;
        this.sink = sink;
        this.watchClass = watchClass;
        this.generation = generation;
        this.state = State.STARTING;
        this.endAtNanos = order.deadlineNanos();
    }

    /** The sink can be written to again: the watch goes on from its place, soon. */
    public void writable() {
        dispatcher.writable(this);
    }

    /** The client has gone: nothing is written any more, nor is the sink ended. Closing twice does nothing. */
    public void close() {
        dispatcher.close(this);
    }

    boolean isClosed() {
        return state == State.CLOSED;
    }
}
