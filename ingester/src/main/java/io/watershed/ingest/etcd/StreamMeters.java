package io.watershed.ingest.etcd;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is counted of the streams from etcd.
 *
 * <p><em>Threads:</em> any.
 */
final class StreamMeters {
    private final Counter restarts;
    private final Counter repeated;
    private final AtomicLong waitingBytes = new AtomicLong();

    StreamMeters(MeterRegistry meters) {
        this.restarts = Counter.builder("watershed_ingester_watch_restarts")
                .description("Streams to etcd that ended and were opened again")
                .register(meters);
        this.repeated = Counter.builder("watershed_ingester_repeated_events")
                .description("Events that etcd sent again after they were passed on, and that were dropped")
                .register(meters);
        Gauge.builder("watershed_ingester_waiting_bytes", waitingBytes, AtomicLong::doubleValue)
                .description("Events that wait until every range of etcd has passed their revision")
                .register(meters);
    }

    void ended() {
        restarts.increment();
        waitingBytes.set(0);
    }

    void repeated(long events) {
        repeated.increment((double) events);
    }

    /** Events that wait until every range has passed their revision. */
    void waiting(long bytes) {
        waitingBytes.set(bytes);
    }
}
