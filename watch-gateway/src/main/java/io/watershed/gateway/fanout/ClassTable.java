package io.watershed.gateway.fanout;

import io.watershed.gateway.cache.HistoryEvent;
import io.watershed.gateway.cache.ObjectEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The classes of one loop, and which of them an event can concern.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
final class ClassTable {
    private final Map<WatchTarget, WatchClass> classes = new HashMap<>();
    private final Map<String, ClassIndex> indexes = new HashMap<>();
    private final FanoutMetrics metrics;
    private long visits;

    ClassTable(FanoutMetrics metrics) {
        this.metrics = metrics;
    }

    /** The class of a target, for a watch that has just opened. */
    WatchClass enter(WatchTarget target) {
        WatchClass entered = classes.get(target);
        if (entered == null) {
            entered = new WatchClass(target, metrics);
            classes.put(target, entered);
            for (String resource : target.resources()) {
                indexes.computeIfAbsent(resource, absent -> new ClassIndex()).add(entered);
            }
        }
        entered.opened();
        return entered;
    }

    /** For a watch that has closed; the class goes with its last one. */
    void leave(WatchClass left) {
        if (!left.closed()) {
            return;
        }
        classes.remove(left.target);
        left.forgetRun();
        for (String resource : left.target.resources()) {
            ClassIndex index = indexes.get(resource);
            if (index != null) {
                index.remove(left);
                if (index.isEmpty()) {
                    indexes.remove(resource);
                }
            }
        }
    }

    /** Adds to a list the classes that the event can concern, each once. */
    void visit(HistoryEvent event, List<WatchClass> out) {
        ClassIndex index = indexes.get(event.resource());
        if (index == null) {
            return;
        }
        ObjectEntry object = event.object();
        if (object != null && !WatchClass.isDecoded(object)) {
            out.addAll(index.all());
        } else {
            index.visit(event, ++visits, out);
        }
    }

    /** For all classes: lets go of what was kept for members that are behind. */
    void forgetRuns() {
        classes.values().forEach(WatchClass::forgetRun);
    }
}
