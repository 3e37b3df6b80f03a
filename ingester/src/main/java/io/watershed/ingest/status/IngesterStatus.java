package io.watershed.ingest.status;

import org.jspecify.annotations.Nullable;

/**
 * What the ingester does now.
 *
 * <p><em>Threads:</em> the ingester's thread writes, any reads; each call sees one whole state.
 */
public final class IngesterStatus {
    /**
     * One state.
     *
     * @param ready whether events of etcd reach the log
     * @param text for people
     * @param generation null before this ingester has led
     * @param clusterId null likewise
     * @param revision the watermark
     */
    public record State(
            boolean ready,
            String text,
            @Nullable String generation,
            @Nullable String clusterId,
            long revision) {}

    private volatile State state = new State(false, "starting", null, null, 0);

    public State state() {
        return state;
    }

    public void set(State next) {
        state = next;
    }

    /** Not ready, and why; what is known of the lineage stays. */
    public void unready(String text) {
        State last = state;
        state = new State(false, text, last.generation(), last.clusterId(), last.revision());
    }
}
