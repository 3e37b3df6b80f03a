package io.watershed.ingest.status;

import io.watershed.ingest.publish.KafkaWait;
import java.time.Duration;
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

    /** A commit takes milliseconds; a broker that elects a leader answers within some seconds. */
    private static final Duration LONGEST_CALL = Duration.ofSeconds(5);

    private final KafkaWait kafka;
    private volatile State state = new State(false, "starting", null, null, 0);

    public IngesterStatus(KafkaWait kafka) {
        this.kafka = kafka;
    }

    /** As the ingester's thread said last: it says nothing while it waits for Kafka. */
    public State state() {
        return state;
    }

    /** {@link #state}, and not ready either while Kafka does not answer. */
    public State readiness() {
        State last = state;
        String waitsFor = last.ready() ? kafka.longerThan(LONGEST_CALL) : null;
        return waitsFor == null
                ? last
                : new State(false, waitsFor, last.generation(), last.clusterId(), last.revision());
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
