package io.watershed.gateway.cache;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cache's metrics. Gauges read what the feed has published.
 *
 * <p><em>Threads:</em> the feed registers, any reads.
 */
final class CacheMetrics {
    private final MeterRegistry meters;
    private final CacheFeed feed;
    private final Set<String> resources = new HashSet<>();

    CacheMetrics(MeterRegistry meters, CacheFeed feed) {
        this.meters = meters;
        this.feed = feed;
        Gauge.builder("watershed_gateway_revision", () -> feed.view().watermark())
                .description("The revision that is served")
                .register(meters);
        Gauge.builder("watershed_gateway_oldest_revision", () -> feed.view().memoryFloor())
                .description("The lowest resourceVersion that a watch can start from")
                .register(meters);
        Gauge.builder("watershed_gateway_oldest_image", () -> feed.images().oldest())
                .description("The lowest revision of an exact read")
                .register(meters);
        Gauge.builder("watershed_gateway_images", () -> feed.images().size())
                .description("Images kept for exact reads")
                .register(meters);
        Gauge.builder("watershed_gateway_staleness_seconds", () -> seconds(feed.staleness()))
                .description("Age of the last head of etcd that was reached")
                .register(meters);
        Gauge.builder("watershed_gateway_bootstrap_seconds", () -> seconds(feed.bootstrap()))
                .description("How long the log was read until its state could be served, the last time")
                .register(meters);
        Gauge.builder(
                        "watershed_gateway_history_events",
                        () -> feed.view().historyEnd() - feed.view().history().start())
                .description("Events held in memory")
                .register(meters);
        Gauge.builder(
                        "watershed_gateway_history_bytes",
                        () -> feed.view().history().bytes())
                .description("About how much memory the events take at the most, see gateway.history.bytes")
                .baseUnit("bytes")
                .register(meters);
        Gauge.builder("watershed_gateway_waiting_requests", feed.waiters()::size)
                .description("Requests that wait for a revision which is not here yet")
                .register(meters);
    }

    private static double seconds(@Nullable Duration duration) {
        return duration == null ? Double.NaN : duration.toMillis() / 1000.0;
    }

    /** The log has to be read anew, or could not be read. */
    void readingEnded(String reason) {
        meters.counter("watershed_gateway_log_readings_ended", "reason", reason).increment();
    }

    /** A gauge for each resource that there is an object of. */
    void published(CacheView view) {
        if (view.images().count() == resources.size()) {
            return;
        }
        for (String resource : view.images().names()) {
            if (resources.add(resource)) {
                Gauge.builder(
                                "watershed_gateway_objects",
                                () -> feed.view().resource(resource).size())
                        .description("Objects in the cache")
                        .tag("resource", resource)
                        .register(meters);
            }
        }
    }
}
