package io.watershed.gateway.fanout;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.watershed.catalogue.BuiltInResources;
import io.watershed.gateway.fanout.FanoutSettings.Undecodable;
import io.watershed.gateway.represent.Conversion;
import io.watershed.gateway.represent.Transform;
import io.watershed.gateway.select.FieldSelector;
import io.watershed.gateway.select.LabelSelector;
import io.watershed.gateway.select.SelectorSyntax;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One loop over a scripted cache, with a clock that a test moves. */
final class FanoutHarness {
    static final Transform WHOLE_PODS =
            new Transform.Whole(BuiltInResources.byResource("pods").orElseThrow(), Conversion.NONE);

    static final long BOOKMARK_SECONDS = 30;

    final ScriptedCache cache;
    final ManualLoop loop = new ManualLoop();
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    final Fanout fanout;
    final LoopDispatcher dispatcher;
    private long nowNanos = 1_000;

    FanoutHarness(ScriptedCache cache, Undecodable undecodable) {
        this(cache, undecodable, Bounds.USUAL);
    }

    FanoutHarness(ScriptedCache cache, Undecodable undecodable, Bounds bounds) {
        this.cache = cache;
        this.fanout = new Fanout(
                cache::view,
                new FanoutSettings(Duration.ofSeconds(BOOKMARK_SECONDS), undecodable),
                bounds,
                registry,
                () -> nowNanos);
        this.dispatcher = fanout.dispatcher(loop);
    }

    FanoutHarness() {
        this(new ScriptedCache(10), Undecodable.FAIL);
    }

    RecordingSink after(long resourceVersion, WatchTarget target) {
        return open(new WatchStart.After(resourceVersion), target, true, new RecordingSink());
    }

    RecordingSink initial(WatchTarget target) {
        return open(new WatchStart.InitialState(true), target, true, new RecordingSink());
    }

    RecordingSink open(WatchStart start, WatchTarget target, boolean bookmarks, RecordingSink sink) {
        WatchOrder order = new WatchOrder(
                target, start, bookmarks, nowNanos + Duration.ofHours(1).toNanos(), "Pod", "v1");
        sink.watcher = dispatcher.open(order, sink);
        return sink;
    }

    /** Publishes what the cache was written, and lets the loop run until it has nothing to do. */
    void publish() {
        fanout.published(cache.publish());
        loop.runAll();
    }

    void advance(Duration time) {
        nowNanos += time.toNanos();
        dispatcher.tick(nowNanos);
        loop.runAll();
    }

    long nowNanos() {
        return nowNanos;
    }

    double count(String meter, String... tags) {
        return registry.get(meter).tags(tags).counter().count();
    }

    double gauge(String meter, String... tags) {
        return registry.get(meter).tags(tags).gauge().value();
    }

    static WatchTarget pods(String labelSelector, String fieldSelector) {
        return target("pods", null, labelSelector, fieldSelector);
    }

    static WatchTarget pods() {
        return pods("", "");
    }

    static WatchTarget target(String resource, @Nullable String namespace, String labelSelector, String fieldSelector) {
        return target(resource, namespace, labelSelector, fieldSelector, WHOLE_PODS);
    }

    static WatchTarget target(
            String resource,
            @Nullable String namespace,
            String labelSelector,
            String fieldSelector,
            Transform transform) {
        try {
            FieldSelector fields = FieldSelector.parse("pods", fieldSelector);
            return new WatchTarget(
                    resource,
                    namespace,
                    fields.exact("metadata.name"),
                    LabelSelector.parse(labelSelector),
                    fields,
                    transform);
        } catch (SelectorSyntax e) {
            throw new AssertionError(e);
        }
    }
}
