package io.watershed.gateway.fanout;

import java.time.Duration;

/**
 * When which watch is told how far it has come. Bookmarks go to watches that allow them, never before their initial state is
 * complete, and never inside a revision.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
final class Bookmarks {
    /** First bookmarks are spread over half an interval in so many steps, as many watches open at once after a restart. */
    private static final int STEPS = 64;

    private final long intervalNanos;
    private final CatchUp catchUp;
    private final Delivery delivery;
    private int opened;

    Bookmarks(Duration interval, CatchUp catchUp, Delivery delivery) {
        this.intervalNanos = interval.toNanos();
        this.catchUp = catchUp;
        this.delivery = delivery;
    }

    /** For a watch that has just opened. */
    void plan(Watcher watcher, long nowNanos) {
        int step = opened++ % STEPS;
        watcher.bookmarkAtNanos = nowNanos + intervalNanos - intervalNanos / 2 / STEPS * step;
    }

    /** The periodic one. A client that does not read has what it needs in its socket; it gets its bookmark once it has read on. */
    void sendIfDue(Watcher watcher, long nowNanos) {
        if (watcher.order.bookmarks()
                && nowNanos - watcher.bookmarkAtNanos >= 0
                && catchUp.isBetweenRevisions(watcher)
                && watcher.sink.isWritable()) {
            watcher.bookmarkAtNanos = nowNanos + intervalNanos;
            delivery.bookmark(watcher, catchUp.place(watcher));
        }
    }

    /** The one before a clean end, after which the client resumes there. Small enough to be written to a slow client too. */
    void sendLast(Watcher watcher) {
        if (watcher.order.bookmarks() && catchUp.isBetweenRevisions(watcher)) {
            delivery.bookmark(watcher, catchUp.place(watcher));
        }
    }
}
