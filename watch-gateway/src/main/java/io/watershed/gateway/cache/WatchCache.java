package io.watershed.gateway.cache;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.watershed.log.LogFailure;
import io.watershed.log.kafka.LogSettings;
import io.watershed.log.state.Resync;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway's cache. Its feed thread reads the log from the beginning, publishes a view a batch, and goes on for ever: a broker or topic
 * that isn't there is waited for, and after a break of continuity the log is read anew into a second store while the old view serves on.
 *
 * <p><em>Threads:</em> every method from any thread.
 */
public final class WatchCache implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(WatchCache.class);
    private static final long RETRY_MILLIS = 500;
    private static final long RETRY_MOST_MILLIS = 5_000;
    private static final long SAY_AGAIN_MILLIS = 30_000;

    private final LogSource source;
    private final CacheSettings settings;
    private final Duration window;
    private final InstantSource clock;
    private final List<CacheListener> listeners = new CopyOnWriteArrayList<>();
    private final Queue<Waiter> waiters = new ConcurrentLinkedQueue<>();
    private final ImageWindow images;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread feed = new Thread(this::run, "cache-feed");
    private final long startedMillis;

    private volatile CacheView view = new CacheView(0, 0, 0, null, new History(0), 0, 0, Map.of());
    private volatile @Nullable Replay served;
    private volatile @Nullable String trouble = "starting";
    private volatile boolean everReady;

    // The feed's own:
    private long epoch;
    private String said = "";
    private long saidMillis;
    private long retryMillis = RETRY_MILLIS;

    private WatchCache(LogSource source, CacheSettings settings, Duration window, InstantSource clock) {
        this.source = source;
        this.settings = settings;
        this.window = window;
        this.clock = clock;
        this.images = new ImageWindow(settings.imageWindow());
        this.startedMillis = clock.millis();
    }

    /** Starts reading; returns at once. */
    public static WatchCache start(LogSettings log, CacheSettings settings, MeterRegistry meters, InstantSource clock) {
        return start(new KafkaLogSource(log), settings, log.window(), meters, clock);
    }

    static WatchCache start(
            LogSource source, CacheSettings settings, Duration window, MeterRegistry meters, InstantSource clock) {
        WatchCache cache = new WatchCache(source, settings, window, clock);
        cache.register(meters);
        cache.feed.start();
        return cache;
    }

    private void register(MeterRegistry meters) {
        Gauge.builder("watershed_gateway_revision", () -> view.watermark())
                .description("The revision that is served")
                .register(meters);
        Gauge.builder("watershed_gateway_oldest_revision", () -> view.memoryFloor())
                .description("The lowest resourceVersion that a watch can start from")
                .register(meters);
        Gauge.builder("watershed_gateway_oldest_image", images::oldest)
                .description("The lowest revision of an exact read")
                .register(meters);
        Gauge.builder("watershed_gateway_staleness_seconds", () -> {
                    Duration staleness = staleness();
                    return staleness == null ? Double.NaN : staleness.toMillis() / 1000.0;
                })
                .description("Age of the last head of etcd that was reached")
                .register(meters);
        Gauge.builder("watershed_gateway_images", images::size)
                .description("Images held for exact reads")
                .register(meters);
        Gauge.builder(
                        "watershed_gateway_history_events",
                        () -> view.historyEnd() - view.history().start())
                .description("Events held in memory")
                .register(meters);
        Gauge.builder("watershed_gateway_objects", () -> {
                    Replay replay = served;
                    return replay == null ? 0 : replay.store().objects();
                })
                .description("Objects in the cache")
                .register(meters);
    }

    private void run() {
        while (running()) {
            try (Replay replay = new Replay(source, settings, window, ++epoch, view.historyEnd(), clock)) {
                follow(replay);
            } catch (LogFailure | Resync e) {
                retry(e.getMessage() == null ? e.toString() : e.getMessage());
            } catch (RuntimeException e) {
                LOGGER.atError().setCause(e).log("unexpected; reading the log anew");
                retry("unexpected: " + e);
            }
        }
    }

    private void follow(Replay replay) throws LogFailure, Resync {
        boolean live = false;
        while (running()) {
            boolean moved = replay.step();
            if (live) {
                trouble = replay.reachable() ? null : "Kafka can't be reached";
                if (!replay.reachable()) {
                    say(
                            "Kafka can't be reached: what is here is served on, and grows stale. See kafka.bootstrapServers");
                }
                if (moved) {
                    publish(replay, false);
                }
            } else {
                String unready = replay.unready();
                if (served == null) {
                    trouble = unready != null ? unready : tooStale(replay);
                }
                if (unready == null && (everReady || tooStale(replay) == null)) {
                    replay.becomeLive();
                    live = true;
                    trouble = null;
                    retryMillis = RETRY_MILLIS;
                    publish(replay, true);
                } else {
                    say("not ready yet: " + (unready == null ? tooStale(replay) : unready));
                }
            }
        }
    }

    private @Nullable String tooStale(Replay replay) {
        Duration staleness = replay.freshness().staleness(clock.millis());
        if (staleness != null && staleness.compareTo(settings.stalenessLimit()) <= 0) {
            return null;
        }
        return "the log is "
                + (staleness == null ? "of unknown age" : staleness.toSeconds() + " s old")
                + ": waiting for an ingester that reaches etcd (gateway.stalenessLimit)";
    }

    private void publish(Replay replay, boolean first) {
        boolean replaced = first && everReady;
        CacheView before = view;
        if (!first && replay.watermark() == before.watermark() && replay.floor() == before.floor()) {
            return;
        }
        CacheView next = replay.view();
        if (first) {
            images.clear();
            served = replay;
            everReady = true;
            LOGGER.atInfo()
                    .addKeyValue("resourceVersion", next.watermark())
                    .addKeyValue("floor", next.floor())
                    .addKeyValue("objects", replay.store().objects())
                    .addKeyValue("millis", clock.millis() - startedMillis)
                    .log(replaced ? "the log was read anew" : "ready");
        }
        images.add(next, clock.millis());
        view = next;
        boolean relisted = replay.takeRelisted();
        for (CacheListener listener : listeners) {
            if (replaced) {
                listener.replaced(next);
            } else if (relisted && !first) {
                listener.relisted(next);
            } else {
                listener.published(next);
            }
        }
        wakeWaiters(next);
    }

    private void wakeWaiters(CacheView now) {
        waiters.removeIf(waiter -> waiter.runIfReached(now));
    }

    private void retry(String why) {
        if (served == null) {
            trouble = why;
        } else {
            trouble = "the log is being read anew: " + why;
        }
        say(why);
        try {
            if (!stop.await(retryMillis, TimeUnit.MILLISECONDS)) {
                retryMillis = Math.min(RETRY_MOST_MILLIS, retryMillis * 2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop.countDown();
        }
    }

    /** Once for each new reason, and else twice a minute. */
    private void say(String why) {
        long now = clock.millis();
        if (!why.equals(said) || now - saidMillis >= SAY_AGAIN_MILLIS) {
            said = why;
            saidMillis = now;
            LOGGER.atWarn().log(why);
        }
    }

    private boolean running() {
        return stop.getCount() > 0;
    }

    /** The newest view; an empty one at revision 0 before the first. */
    public CacheView view() {
        return view;
    }

    /** The state at exactly this revision; null when it is not held. */
    public @Nullable CacheView at(long revision) {
        return images.at(revision, view);
    }

    public CacheHealth health() {
        Replay replay = served;
        String reason = trouble;
        return new CacheHealth(
                replay != null,
                replay != null && replay.reachable(),
                reason == null ? List.of() : List.of(reason),
                staleness(),
                replay == null ? null : replay.freshness().address());
    }

    private @Nullable Duration staleness() {
        Replay replay = served;
        return replay == null ? null : replay.freshness().staleness(clock.millis());
    }

    private static final class Waiter implements Cancellable {
        private final long revision;
        private final Consumer<CacheView> then;
        private final AtomicBoolean done = new AtomicBoolean();
        private final Queue<Waiter> queue;

        Waiter(long revision, Consumer<CacheView> then, Queue<Waiter> queue) {
            this.revision = revision;
            this.then = then;
            this.queue = queue;
        }

        /** Whether it is over. */
        boolean runIfReached(CacheView now) {
            if (revision > now.watermark()) {
                return false;
            }
            run(now);
            return true;
        }

        private void run(CacheView now) {
            if (done.compareAndSet(false, true)) {
                then.accept(now);
            }
        }

        @Override
        public void cancel() {
            done.set(true);
            queue.remove(this);
        }
    }

    /**
     * Calls back once the watermark has reached the revision: on the feed thread, or at once on the caller's when it has. Give it up when
     * it is no longer waited for.
     */
    public Cancellable whenAt(long revision, Consumer<CacheView> then) {
        Waiter waiter = new Waiter(revision, then, waiters);
        waiters.add(waiter);
        CacheView now = view;
        if (now.watermark() >= revision && waiters.remove(waiter)) {
            waiter.run(now);
        }
        return waiter;
    }

    public void addListener(CacheListener listener) {
        listeners.add(listener);
    }

    /** For tests and messages: whether nothing waits. */
    List<Long> waitedFor() {
        List<Long> revisions = new ArrayList<>();
        waiters.forEach(waiter -> revisions.add(waiter.revision));
        return revisions;
    }

    @Override
    public void close() {
        stop.countDown();
        try {
            feed.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
