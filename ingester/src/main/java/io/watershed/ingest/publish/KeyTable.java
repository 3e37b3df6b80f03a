package io.watershed.ingest.publish;

import io.watershed.log.EtcdKey;
import io.watershed.log.KeyVersion;
import io.watershed.log.ObjectRecord;
import io.watershed.log.ObjectValue;
import io.watershed.log.state.StateStore;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The last record of each live key in the log (S7): its version, the codec that made the value, and whether it stands in its place. */
final class KeyTable implements StateStore<KeyTable.Known> {
    /** {@code inPlace}: in the resource and under the name that this ingester's configuration gives the key. */
    record Known(KeyVersion version, int codec, boolean inPlace) {}

    private final Map<EtcdKey, Known> keys = new HashMap<>();
    private final Predicate<ObjectRecord> inPlace;

    /** {@code inPlace}: asked of each record of a live object. */
    KeyTable(Predicate<ObjectRecord> inPlace) {
        this.inPlace = inPlace;
    }

    @Override
    public Known keep(ObjectRecord object) {
        ObjectValue value = Objects.requireNonNull(object.value());
        return new Known(object.version(), value.codec(), inPlace.test(object));
    }

    @Override
    public KeyVersion versionOf(Known object) {
        return object.version();
    }

    @Override
    public @Nullable Known get(EtcdKey key) {
        return keys.get(key);
    }

    @Override
    public void put(EtcdKey key, Known object) {
        keys.put(key, object);
    }

    @Override
    public void remove(EtcdKey key) {
        keys.remove(key);
    }

    /** Takes over what a record that was committed says of its key. */
    void apply(ObjectRecord object) {
        if (object.isDelete()) {
            keys.remove(object.key());
        } else {
            keys.put(object.key(), keep(object));
        }
    }

    int size() {
        return keys.size();
    }

    @Override
    public void forEach(BiConsumer<EtcdKey, Known> visitor) {
        keys.forEach(visitor);
    }

    @Override
    public void event(long revision, EtcdKey key, @Nullable Known previous, @Nullable Known object, boolean last) {
        // The ingester keeps no history.
    }

    @Override
    public void publish(long revision) {
        // LogState holds the watermark.
    }

    @Override
    public void raiseFloor(long floor) {
        // Resume points are the gateways'.
    }

    @Override
    public void relisted(long revision) {
        // Nobody watches the ingester.
    }
}
