package io.watershed.gateway.cache;

import io.micrometer.core.instrument.MeterRegistry;
import io.watershed.log.LogFailure;
import io.watershed.log.state.Resync;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reads the log for ever and publishes a view a batch: a broker or topic that isn't there is waited for, and after a break of continuity
 * the log is read anew into a second store while the old view is served on.
 *
 * <p><em>Threads:</em> {@link #run} is the feed thread; what it publishes, any thread reads.
 */
final class CacheFeed implements Runnable {
    private static final Logger LOGGER = LoggerFactory.getLogger(CacheFeed.class);
    private static final long RETRY_MILLIS = 500;
    private static final long RETRY_MOST_MILLIS = 5_000;
    /** The record stays; only another gateway version, or a newer record of its key, helps. */
    private static final long RETRY_UNDECODABLE_MILLIS = 15_000;

    private static final long SAY_AGAIN_MILLIS = 30_000;
    /** Both processes start together: that the other is not ready yet is worth no warning before this. */
    private static final long PATIENCE_MILLIS = 5_000;

    private final LogSource source;
    private final CacheSettings settings;
    private final Duration window;
    private final InstantSource clock;
    private final CacheMetrics metrics;
    private final ImageWindow images;
    private final Waiters waiters = new Waiters();
    private final List<CacheListener> listeners = new CopyOnWriteArrayList<>();
    private final CountDownLatch stop = new CountDownLatch(1);

    private volatile CacheView view = new CacheView(0, 0, 0, 0, null, new History(0), 0, 0, Images.NONE);
    private volatile @Nullable Freshness served;
    private volatile @Nullable Duration bootstrap;
    private volatile @Nullable String trouble = Replay.READING;
    private volatile boolean reachable;

    // The feed's own:
    private long epoch;
    private String said = "";
    private long saidMillis;
    private long retryMillis = RETRY_MILLIS;

    CacheFeed(LogSource source, CacheSettings settings, Duration window, MeterRegistry meters, InstantSource clock) {
        this.source = source;
        this.settings = settings;
        this.window = window;
        this.clock = clock;
        this.images = new ImageWindow(settings.imageWindow(), settings.historyBytes() / 2);
        this.metrics = new CacheMetrics(meters, this);
    }

    @Override
    public void run() {
        try {
            while (isRunning()) {
                readLog();
            }
        } catch (Error e) {
            trouble =
                    "the cache's feed has ended (" + e + "): what is here is not updated any more. Restart the gateway";
            LOGGER.atError().setCause(e).log("the cache's feed has ended; restart the gateway");
            throw e;
        }
    }

    private void readLog() {
        try (Replay replay = new Replay(source, settings, window, ++epoch, view.historyEnd(), clock)) {
            reachable = true;
            follow(replay);
        } catch (LogFailure.Unavailable e) {
            reachable = false;
            retry(Level.WARN, "unavailable", String.valueOf(e.getMessage()), retryMillis);
        } catch (LogFailure.Undecodable e) {
            retry(Level.ERROR, "undecodable", String.valueOf(e.getMessage()), RETRY_UNDECODABLE_MILLIS);
        } catch (LogFailure e) {
            retry(Level.WARN, "discontinuity", String.valueOf(e.getMessage()), retryMillis);
        } catch (Resync e) {
            boolean lost = e.reason() == Resync.Reason.MISFIT || e.reason() == Resync.Reason.LIST;
            String why = e.getMessage() + (lost ? ": an event was lost between etcd and here" : "");
            retry(lost ? Level.ERROR : Level.WARN, e.reason().name().toLowerCase(Locale.ROOT), why, retryMillis);
        } catch (RuntimeException e) {
            LOGGER.atError().setCause(e).log("unexpected; the log is read anew");
            retry(Level.ERROR, "unexpected", "unexpected: " + e, retryMillis);
        }
    }

    private void follow(Replay replay) throws LogFailure, Resync {
        while (isRunning() && !isReady(replay)) {
            replay.step();
        }
        if (!isRunning()) {
            return;
        }
        replay.becomeLive();
        retryMillis = RETRY_MILLIS;
        publishFirst(replay);
        while (isRunning()) {
            replay.step();
            String unreachable = replay.unreachable();
            reachable = unreachable == null;
            trouble = unreachable;
            if (unreachable != null) {
                say(Level.WARN, "what is here is served on, and grows stale: " + unreachable);
            }
            publish(replay);
        }
    }

    private boolean isReady(Replay replay) {
        reachable = replay.unreachable() == null;
        String unready = replay.unready();
        if (unready == null && served == null) {
            unready = tooStale(replay);
        }
        if (unready == null) {
            return true;
        }
        if (served == null) {
            trouble = unready;
        }
        if (!unready.equals(Replay.READING) && clock.millis() - replay.startedMillis() > PATIENCE_MILLIS) {
            say(Level.WARN, "not ready: " + unready);
        }
        return false;
    }

    private @Nullable String tooStale(Replay replay) {
        Duration staleness = replay.freshness().staleness(clock.millis());
        if (staleness != null && staleness.compareTo(settings.stalenessLimit()) <= 0) {
            return null;
        }
        return "the log is "
                + (staleness == null ? "of unknown age" : "stale")
                + ": waiting for an ingester that reaches etcd (gateway.stalenessLimit)";
    }

    private void publishFirst(Replay replay) {
        boolean replaced = served != null;
        replay.takeRelisted();
        bootstrap = Duration.ofMillis(clock.millis() - replay.startedMillis());
        CacheView next = replay.view();
        images.clear();
        show(next);
        served = replay.freshness();
        trouble = null;
        LOGGER.atInfo()
                .addKeyValue("resourceVersion", next.watermark())
                .addKeyValue("floor", next.floor())
                .addKeyValue("keys", replay.keys())
                .addKeyValue("millis", bootstrap.toMillis())
                .log(replaced ? "the log was read anew" : "ready");
        tell(replaced ? CacheListener::replaced : CacheListener::published, next);
    }

    private void publish(Replay replay) {
        CacheView before = view;
        boolean relisted = replay.takeRelisted();
        if (relisted || replay.watermark() != before.watermark() || replay.floor() != before.floor()) {
            CacheView next = replay.view();
            show(next);
            if (relisted) {
                LOGGER.atWarn()
                        .addKeyValue("resourceVersion", next.watermark())
                        .log("a relist has ended: open watches end with 410, and their clients list again from here");
            }
            tell(relisted ? CacheListener::relisted : CacheListener::published, next);
        }
    }

    private void show(CacheView next) {
        images.add(next, clock.millis());
        view = next;
        metrics.published(next);
    }

    private void tell(BiConsumer<CacheListener, CacheView> what, CacheView next) {
        for (CacheListener listener : listeners) {
            try {
                what.accept(listener, next);
            } catch (RuntimeException e) {
                LOGGER.atError().setCause(e).log("who listens to the cache failed");
            }
        }
        waiters.wake(next);
    }

    private void retry(Level level, String reason, String why, long millis) {
        metrics.readingEnded(reason);
        trouble = served == null ? why : "the log is read anew: " + why;
        say(level, why);
        try {
            if (!stop.await(millis, TimeUnit.MILLISECONDS)) {
                retryMillis = Math.min(RETRY_MOST_MILLIS, retryMillis * 2);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop.countDown();
        }
    }

    /** Once for each new reason, and else twice a minute. */
    private void say(Level level, String why) {
        long now = clock.millis();
        if (!why.equals(said) || now - saidMillis >= SAY_AGAIN_MILLIS) {
            said = why;
            saidMillis = now;
            LOGGER.atLevel(level).log(why);
        }
    }

    private boolean isRunning() {
        return stop.getCount() > 0;
    }

    void stop() {
        stop.countDown();
    }

    CacheView view() {
        return view;
    }

    ImageWindow images() {
        return images;
    }

    Waiters waiters() {
        return waiters;
    }

    void addListener(CacheListener listener) {
        listeners.add(listener);
    }

    CacheHealth health() {
        Freshness freshness = served;
        String reason = trouble;
        Duration staleness = staleness();
        return new CacheHealth(
                freshness != null,
                reachable,
                reason == null ? List.of() : List.of(reason),
                conditions(staleness),
                staleness,
                freshness == null ? null : freshness.address());
    }

    private List<String> conditions(@Nullable Duration staleness) {
        if (staleness == null || staleness.compareTo(settings.stalenessLimit()) <= 0) {
            return List.of();
        }
        return List.of("stale: the last head of etcd that was reached is older than gateway.stalenessLimit, "
                + settings.stalenessLimit().toMillis() / 1000.0
                + " s; what is here is served on. The ingester's /readyz says why");
    }

    @Nullable
    Duration staleness() {
        Freshness freshness = served;
        return freshness == null ? null : freshness.staleness(clock.millis());
    }

    /** How long the last reading took until it could be served; null before the first. */
    @Nullable
    Duration bootstrap() {
        return bootstrap;
    }
}
