package io.watershed.gateway.cache;

import io.watershed.log.ResourceName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happened to one object within memory.
 *
 * @param events the oldest first
 * @param since every event of the object from this revision on is among them
 * @param present the object now; null when it is not there
 */
public record ObjectHistory(
        List<HistoryEvent> events, long since, @Nullable ObjectEntry present) {
    public ObjectHistory {
        events = List.copyOf(events);
    }

    /**
     * Looks through all of memory, which takes milliseconds: not for event loops.
     *
     * @param most only the newest so many events
     */
    public static ObjectHistory of(CacheView view, ResourceName name, int most) {
        History history = view.history();
        List<HistoryEvent> found = new ArrayList<>();
        long position = view.historyEnd() - 1;
        while (position >= 0 && found.size() < most) {
            HistoryEvent event = history.get(position);
            if (event == null) {
                break;
            }
            if (event.resource().equals(name.resource()) && nameOf(event).equals(name)) {
                found.add(event);
            }
            position--;
        }
        Collections.reverse(found);
        long since = found.size() == most
                ? found.get(0).revision()
                : Math.max(Math.max(view.floor(), view.memoryFloor()), history.evictedRevision() + 1);
        ObjectEntry present = view.resource(name.resource()).get(name.namespace(), name.name());
        return new ObjectHistory(found, since, present);
    }

    private static ResourceName nameOf(HistoryEvent event) {
        ObjectEntry object = event.object();
        ObjectEntry either = object == null ? event.previous() : object;
        if (either == null) {
            throw new IllegalStateException("an event of nothing, at revision " + event.revision());
        }
        return either.name();
    }
}
