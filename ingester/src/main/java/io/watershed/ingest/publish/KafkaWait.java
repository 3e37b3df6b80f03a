package io.watershed.ingest.publish;

import io.watershed.log.LogFailure;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * How long the ingester's thread has waited for Kafka in the call that it is in: a broker that hangs answers nothing, and fails a call only
 * when its timeout has passed, which is long enough for clients to want to know earlier.
 *
 * <p><em>Threads:</em> the ingester's thread enters and leaves, any reads.
 */
public final class KafkaWait {
    /** What is waited for, and since when. */
    private record Call(String what, long sinceMillis) {}

    /** Something that may take long. */
    interface Asking<T> {
        T ask() throws LogFailure;
    }

    private final InstantSource clock;
    private volatile @Nullable Call call;

    public KafkaWait(InstantSource clock) {
        this.clock = clock;
    }

    /** @param what for people: {@code a commit to topic watershed at Kafka 127.0.0.1:9092} */
    <T> T during(String what, Asking<T> asking) throws LogFailure {
        call = new Call(what, clock.millis());
        try {
            return asking.ask();
        } finally {
            call = null;
        }
    }

    /** What has been waited for this long or longer, for people; null when there is no such call. */
    public @Nullable String longerThan(Duration limit) {
        Call now = call;
        if (now == null) {
            return null;
        }
        long waited = clock.millis() - now.sinceMillis();
        return waited < limit.toMillis()
                ? null
                : now.what() + " has had no answer for " + waited / 1000
                        + " s. Is the broker alive, and reachable? See kafka.bootstrapServers";
    }
}
