package io.watershed.gateway.fanout;

import io.micrometer.core.instrument.MeterRegistry;
import io.watershed.gateway.cache.CacheListener;
import io.watershed.gateway.cache.CacheView;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Wakes the event loops when the cache has published something. What a loop then does follows from the newest view alone, so that a
 * wake-up which is late or joined with another loses nothing.
 *
 * <p><em>Threads:</em> heard from on the cache's feed thread, which is never held up; {@link #dispatcher} from any thread.
 */
public final class Fanout implements CacheListener {
    private final Supplier<CacheView> views;
    private final FanoutSettings settings;
    private final Bounds bounds;
    private final FanoutMetrics metrics;
    private final LongSupplier nanos;
    private final List<LoopDispatcher> dispatchers = new CopyOnWriteArrayList<>();

    /**
     * @param views the newest view of the cache
     * @param nanos the clock that {@link LoopDispatcher#tick} is called with
     */
    public Fanout(Supplier<CacheView> views, FanoutSettings settings, MeterRegistry registry, LongSupplier nanos) {
        this(views, settings, Bounds.USUAL, registry, nanos);
    }

    Fanout(
            Supplier<CacheView> views,
            FanoutSettings settings,
            Bounds bounds,
            MeterRegistry registry,
            LongSupplier nanos) {
        this.bounds = bounds;
        this.views = views;
        this.settings = settings;
        this.metrics = new FanoutMetrics(registry);
        this.nanos = nanos;
    }

    /**
     * The watches of one more event loop.
     *
     * @param loop runs tasks on that loop, in order
     */
    public LoopDispatcher dispatcher(Executor loop) {
        LoopDispatcher dispatcher = new LoopDispatcher(views, settings, bounds, metrics, loop, nanos);
        dispatchers.add(dispatcher);
        return dispatcher;
    }

    @Override
    public void published(CacheView view) {
        wake();
    }

    @Override
    public void relisted(CacheView view) {
        wake();
    }

    @Override
    public void replaced(CacheView view) {
        wake();
    }

    private void wake() {
        for (LoopDispatcher dispatcher : dispatchers) {
            dispatcher.wake();
        }
    }
}
