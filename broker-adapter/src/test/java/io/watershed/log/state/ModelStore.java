package io.watershed.log.state;

import io.watershed.log.EtcdKey;
import io.watershed.log.KeyVersion;
import io.watershed.log.ObjectRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Keeps an image of every revision and all events, and holds the state to what {@link StateStore} promises. */
final class ModelStore implements StateStore<Obj> {
    final Map<EtcdKey, Obj> state = new HashMap<>();
    final List<Obj.Event> history = new ArrayList<>();
    private final TreeMap<Long, Map<EtcdKey, Obj>> images = new TreeMap<>(Map.of(0L, Map.of()));
    private final List<Obj.Event> waiting = new ArrayList<>();
    private long published;
    private long floor;
    private long relisted;

    @Override
    public Obj keep(ObjectRecord object) {
        return Objects.requireNonNull(Obj.of(object), "asked to keep a delete");
    }

    @Override
    public KeyVersion versionOf(Obj object) {
        return object.keyVersion();
    }

    @Override
    public @Nullable Obj get(EtcdKey key) {
        return state.get(key);
    }

    @Override
    public void put(EtcdKey key, Obj object) {
        state.put(key, object);
    }

    @Override
    public void remove(EtcdKey key) {
        state.remove(key);
    }

    @Override
    public void forEach(BiConsumer<EtcdKey, Obj> visitor) {
        state.forEach(visitor);
    }

    @Override
    public void event(long revision, EtcdKey key, @Nullable Obj previous, @Nullable Obj object, boolean last) {
        Violation.unless(revision >= floor, "event of", revision, "below the floor", floor);
        Violation.unless(Objects.equals(state.get(key), object), "event comes before the state has changed");
        waiting.add(new Obj.Event(revision, key, previous, object));
    }

    @Override
    public void publish(long revision) {
        Violation.unless(revision >= published, "watermark goes back from", published, "to", revision);
        for (Obj.Event event : waiting) {
            Violation.unless(event.revision() <= revision, "published", revision, "with events of", event.revision());
        }
        history.addAll(waiting);
        waiting.clear();
        published = revision;
        images.put(revision, Map.copyOf(state));
    }

    @Override
    public void raiseFloor(long to) {
        Violation.unless(to > floor, "floor goes from", floor, "to", to);
        floor = to;
        history.removeIf(event -> event.revision() < to);
        waiting.removeIf(event -> event.revision() < to);
    }

    @Override
    public void relisted(long revision) {
        Violation.unless(revision > relisted, "relisted at", revision, "after", relisted);
        relisted = revision;
    }

    Map<EtcdKey, Obj> imageAt(long revision) {
        return images.floorEntry(revision).getValue();
    }

    /** What a watch from the valid point {@code from} is sent (V1): the revision itself again, if a client may have been cut inside it. */
    List<Obj.Seen> watch(long from, char selector) {
        List<Obj.Seen> seen = new ArrayList<>();
        for (Obj.Event event : history) {
            if (event.revision() >= from) {
                seen.addAll(event.seenBy(selector));
            }
        }
        if (seen.stream().filter(event -> event.revision() == from).count() < 2) {
            seen.removeIf(event -> event.revision() == from);
        }
        return seen;
    }
}
