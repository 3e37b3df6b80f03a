package io.watershed.e2e.golden;

import java.util.concurrent.atomic.AtomicInteger;

/** How far an answer has come while it is still being read: written by the thread that asks, read by any. */
final class StreamProgress {
    private final AtomicInteger lines = new AtomicInteger();
    private volatile boolean open;
    private volatile boolean ended;

    /** The status and the headers are there. */
    void opened() {
        open = true;
    }

    void addLines(int count) {
        lines.addAndGet(count);
    }

    void ended() {
        ended = true;
    }

    /** Whether the server has begun to answer with so many lines, or is through. */
    boolean hasBegun(int count) {
        return ended || (open && lines.get() >= count);
    }
}
