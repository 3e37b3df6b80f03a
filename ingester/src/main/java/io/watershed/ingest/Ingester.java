package io.watershed.ingest;

import io.micrometer.core.instrument.MeterRegistry;
import io.watershed.ingest.decode.ValueDecoder;
import io.watershed.ingest.etcd.EtcdFailure;
import io.watershed.ingest.etcd.EtcdSource;
import io.watershed.ingest.etcd.RevisionStream;
import io.watershed.ingest.publish.Halted;
import io.watershed.ingest.publish.Lead;
import io.watershed.ingest.publish.Log;
import io.watershed.ingest.publish.ProgressDemand;
import io.watershed.ingest.publish.Publisher;
import io.watershed.ingest.publish.SourceIdentity;
import io.watershed.ingest.publish.Takeover;
import io.watershed.ingest.status.IngesterStatus;
import io.watershed.log.LogFailure;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ingester's life: take the log over, relist if that is due, stream; and after whatever goes wrong wait a little and do it again. A
 * peer that is late or goes away is waited for; nothing but {@link #close()} ends it.
 *
 * <p><em>Threads:</em> one of its own does all of it.
 */
public final class Ingester implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(Ingester.class);
    private static final long RELIST_AGAIN_MILLIS = 1000;

    private final EtcdSource etcd;
    private final Log log;
    private final Takeover takeover;
    private final ValueDecoder decoder;
    private final ProgressDemand demand;
    private final SourceIdentity identity;
    private final IngesterStatus status;
    private final MeterRegistry meters;
    private final InstantSource clock;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Backoff backoff = new Backoff();
    private final Thread thread = new Thread(this::run, "ingester");

    public Ingester(
            EtcdSource etcd,
            Log log,
            Takeover takeover,
            ValueDecoder decoder,
            ProgressDemand demand,
            SourceIdentity identity,
            IngesterStatus status,
            MeterRegistry meters,
            InstantSource clock) {
        this.etcd = etcd;
        this.log = log;
        this.takeover = takeover;
        this.decoder = decoder;
        this.demand = demand;
        this.identity = identity;
        this.status = status;
        this.meters = meters;
        this.clock = clock;
    }

    /** An Error ends this thread: the default handler of uncaught exceptions must end the process. */
    public void start() {
        thread.start();
    }

    private void run() {
        while (running()) {
            try (Lead lead = takeover.run()) {
                lead(lead);
            } catch (LogFailure.Fenced e) {
                pause(e.getMessage() + ". Run one ingester for each topic", e);
            } catch (LogFailure | EtcdFailure | Halted e) {
                pause(message(e), e);
            } catch (RuntimeException e) {
                LOGGER.atError().setCause(e).log("unexpected; taking over again");
                pause("unexpected: " + e, e);
            }
        }
        status.unready("stopped");
    }

    private void lead(Lead lead) throws LogFailure, Halted {
        Publisher publisher = new Publisher(lead, etcd, log, decoder, demand, identity, meters, clock);
        while (running()) {
            try {
                if (publisher.owesRelist()) {
                    relist(lead, publisher);
                } else {
                    stream(lead, publisher);
                }
            } catch (EtcdFailure e) {
                // The log is sound and still ours: only etcd is to be asked again.
                pause(message(e), e);
            }
        }
    }

    private void relist(Lead lead, Publisher publisher) throws LogFailure, EtcdFailure, Halted {
        report(lead, false, "relisting etcd");
        if (publisher.relist()) {
            backoff.reset();
        } else {
            report(lead, false, publisher.waiting());
            await(RELIST_AGAIN_MILLIS);
        }
    }

    private void stream(Lead lead, Publisher publisher) throws LogFailure, EtcdFailure, Halted {
        try (RevisionStream stream = publisher.resume()) {
            LOGGER.atInfo().addKeyValue("resourceVersion", lead.watermark()).log("streaming from etcd");
            while (running() && publisher.step(stream)) {
                report(lead, true, "streaming");
                backoff.reset();
            }
        }
    }

    private void report(Lead lead, boolean ready, String text) {
        status.set(new IngesterStatus.State(
                ready, text, lead.generation().toString(), lead.clusterId(), lead.watermark()));
    }

    private void pause(String why, Exception cause) {
        status.unready(why);
        backoff.failed(why, clock.millis(), cause);
        await(backoff.millis());
    }

    private void await(long millis) {
        try {
            if (stop.await(millis, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop.countDown();
        }
    }

    private boolean running() {
        return stop.getCount() > 0;
    }

    private static String message(Exception e) {
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    /** Stops, with what was committed as the last word. */
    @Override
    public void close() {
        stop.countDown();
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
