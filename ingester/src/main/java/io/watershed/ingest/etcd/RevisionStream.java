package io.watershed.ingest.etcd;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Revisions as they are released. Pulled: as long as nobody asks, etcd is not read, and nothing piles up here.
 *
 * <p><em>Threads:</em> confined to the thread that opened it.
 */
public interface RevisionStream extends AutoCloseable {
    /**
     * The next whole revisions, or progress alone.
     *
     * @return null when nothing came in time
     * @throws EtcdFailure the stream is over; a new one goes on from the revision after the last {@link Released#upTo()}
     */
    @Nullable
    Released next(Duration atMost) throws EtcdFailure;

    /** Asks etcd how far it is, where its version can be trusted with that; else does nothing. */
    void requestProgress();

    @Override
    void close();
}
