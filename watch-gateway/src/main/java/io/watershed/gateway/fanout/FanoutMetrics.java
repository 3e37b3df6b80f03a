package io.watershed.gateway.fanout;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the fan-out counts.
 *
 * <p><em>Threads:</em> any; the loops share it.
 */
final class FanoutMetrics {
    private final MeterRegistry registry;
    private final Map<String, AtomicInteger> watchers = new ConcurrentHashMap<>();
    private final Map<String, Counter> events = new ConcurrentHashMap<>();
    private final Map<EndReason, Counter> ends = new EnumMap<>(EndReason.class);

    /** Watches that are behind the newest event because their client does not read. */
    final AtomicInteger behind = new AtomicInteger();

    final Counter writes;
    final Counter bytes;
    final Counter bookmarks;
    final Counter leftOut;

    FanoutMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.writes = counter("watershed.gateway.watch.writes", "Writes to watches, of one or more events each.");
        this.bytes = counter("watershed.gateway.watch.bytes", "Bytes written to watches, before transport framing.");
        this.bookmarks = counter("watershed.gateway.watch.bookmarks", "Bookmarks sent.");
        this.leftOut = counter(
                "watershed.gateway.watch.undecodable",
                "Changes to a value that can't be decoded and is left out of watches, counted once a loop.");
        for (EndReason reason : EndReason.values()) {
            ends.put(
                    reason,
                    Counter.builder("watershed.gateway.watches.ended")
                            .description("Watches that ended, by reason.")
                            .tag("reason", reason.label())
                            .register(registry));
        }
        Gauge.builder("watershed.gateway.watchers.behind", behind, AtomicInteger::get)
                .description("Watches that are not at the newest event.")
                .register(registry);
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    AtomicInteger watchers(String resource) {
        return watchers.computeIfAbsent(resource, added -> {
            AtomicInteger open = new AtomicInteger();
            Gauge.builder("watershed.gateway.watchers", open, AtomicInteger::get)
                    .description("Open watches.")
                    .tag("resource", added)
                    .register(registry);
            return open;
        });
    }

    Counter events(String resource) {
        return events.computeIfAbsent(
                resource,
                added -> Counter.builder("watershed.gateway.watch.events")
                        .description("Events delivered to watches, bookmarks and errors not counted.")
                        .tag("resource", added)
                        .register(registry));
    }

    void ended(EndReason reason) {
        Counter counter = ends.get(reason);
        if (counter != null) {
            counter.increment();
        }
    }
}
