package io.watershed.ingest.etcd;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.Consumer;

/**
 * One etcd as a source of revisions.
 *
 * <p><em>Threads:</em> {@link #head()} from any, the others from the one thread that ingests. Every call is bounded in time.
 */
public interface EtcdSource extends AutoCloseable {
    /** Does not wait for etcd; the first call does. */
    static EtcdSource connect(EtcdSettings settings, MeterRegistry meters) {
        return new GrpcEtcdSource(settings, meters, System::nanoTime, GrpcEtcdSource.WAITING_LIMIT_BYTES);
    }

    /** One linearizable read. */
    Head head() throws EtcdFailure;

    /**
     * Lists all ranges as of one revision, each in byte order of the keys, page by page.
     *
     * @param atRevision 0 pins the list at the head
     * @return the revision of the list
     */
    long list(long atRevision, Consumer<List<EtcdValue>> page) throws EtcdFailure;

    /** Opens watches of all ranges on one stream; everything from {@code fromRevision} on comes, or {@link EtcdFailure.Compacted}. */
    RevisionStream stream(long fromRevision) throws EtcdFailure;

    @Override
    void close();
}
