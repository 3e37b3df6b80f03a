package io.watershed.gateway.cache;

import io.micrometer.core.instrument.MeterRegistry;
import io.watershed.log.kafka.LogSettings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The gateway's cache: the newest state of the log, the exact states of the last minutes, and the history that watches move along. It
 * waits for a broker or topic that isn't there, and heals breaks of the log's continuity by itself; {@link #health()} says so.
 *
 * <p><em>Threads:</em> every method from any thread.
 */
public final class WatchCache implements AutoCloseable {
    private static final long CLOSE_MILLIS = 5_000;

    private final CacheFeed feed;
    private final Thread thread;
    private final ContractWatch contract;

    private WatchCache(CacheFeed feed, ContractWatch contract) {
        this.feed = feed;
        this.contract = contract;
        this.thread = new Thread(feed, "cache-feed");
    }

    /** Starts reading; returns at once. */
    public static WatchCache start(LogSettings log, CacheSettings settings, MeterRegistry meters, InstantSource clock) {
        return start(new KafkaLogSource(log), new KafkaTopic(log), settings, log.window(), meters, clock);
    }

    static WatchCache start(
            LogSource source,
            ContractWatch.Topic topic,
            CacheSettings settings,
            Duration window,
            MeterRegistry meters,
            InstantSource clock) {
        WatchCache cache = new WatchCache(
                new CacheFeed(source, settings, window, meters, clock), new ContractWatch(topic, meters));
        cache.thread.start();
        cache.contract.start();
        return cache;
    }

    /** The newest view; an empty one at revision 0 before the first. */
    public CacheView view() {
        return feed.view();
    }

    /** The state at exactly this revision; null when it is not held. */
    public @Nullable CacheView at(long revision) {
        return feed.images().at(revision, feed.view());
    }

    /** The newest revision that was written to the log by a time; null when it is older than what is held. */
    public @Nullable Moment by(long timeMillis) {
        return feed.images().by(timeMillis, feed.view());
    }

    public CacheHealth health() {
        return feed.health().with(contract.conditions());
    }

    /**
     * Calls back once the watermark has reached the revision: on the feed thread, or at once on the caller's when it has. The callback
     * must not block. Give it up when it is no longer waited for.
     */
    public Cancellable whenAt(long revision, Consumer<CacheView> then) {
        return feed.waiters().add(revision, then, feed::view);
    }

    public void addListener(CacheListener listener) {
        feed.addListener(listener);
    }

    @Override
    public void close() {
        contract.close();
        feed.stop();
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
