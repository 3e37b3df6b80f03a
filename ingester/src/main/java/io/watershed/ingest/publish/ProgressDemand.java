package io.watershed.ingest.publish;

/**
 * A head of etcd that a barrier read, and that a progress record must follow.
 *
 * <p><em>Threads:</em> any may ask, the ingester's thread takes.
 */
public final class ProgressDemand {
    private long head;
    private long timestampMillis;

    /** {@code timestampMillis}: our clock before the read. */
    public synchronized void ask(long newHead, long newTimestampMillis) {
        if (newHead >= head) {
            head = newHead;
            timestampMillis = newTimestampMillis;
        }
    }

    synchronized long head() {
        return head;
    }

    synchronized long timestampMillis() {
        return timestampMillis;
    }
}
