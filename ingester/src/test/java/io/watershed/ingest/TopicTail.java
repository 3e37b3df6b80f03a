package io.watershed.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.log.AppendedRecord;
import io.watershed.log.Entry;
import io.watershed.log.EtcdKey;
import io.watershed.log.KeyVersion;
import io.watershed.log.LogFailure;
import io.watershed.log.ObjectRecord;
import io.watershed.log.kafka.LogReader;
import io.watershed.log.kafka.LogSettings;
import io.watershed.log.state.LogState;
import io.watershed.log.state.Resync;
import io.watershed.log.state.StateStore;
import io.watershed.testkit.BrokerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Reads a topic as a gateway does, live from its first record on: any record that does not follow fails the test. */
final class TopicTail implements AutoCloseable {
    private final LogReader reader;
    private final Store store = new Store();
    private final LogState<ObjectRecord> state = new LogState<>(store, Duration.ofHours(1));
    private final List<AppendedRecord> records = new ArrayList<>();

    private TopicTail(LogReader reader) {
        this.reader = reader;
    }

    static TopicTail of(BrokerProcess broker, String topic) throws LogFailure {
        return new TopicTail(LogReader.open(
                new LogSettings(broker.bootstrapServers(), topic, Duration.ofHours(1), false, true, Map.of())));
    }

    void await(String what, BooleanSupplier condition) {
        Awaitility.await(what)
                .atMost(Duration.ofSeconds(90))
                .pollDelay(Duration.ZERO)
                .until(() -> {
                    poll();
                    return condition.getAsBoolean();
                });
    }

    /** Everything up to this revision of etcd stands in the log. */
    void awaitRevision(long revision) {
        await("watermark " + revision, () -> state.watermark() >= revision);
    }

    private void poll() throws LogFailure, Resync {
        for (AppendedRecord record : reader.poll(Duration.ofMillis(100))) {
            state.apply(record, System.currentTimeMillis());
            state.becomeLive();
            records.add(record);
        }
    }

    List<Entry> entries() {
        return records.stream().map(record -> record.record().entry()).toList();
    }

    <T extends Entry> List<T> entries(Class<T> type) {
        return entries().stream().filter(type::isInstance).map(type::cast).toList();
    }

    void assertHolds(Map<EtcdKey, KeyVersion> listed) {
        Map<EtcdKey, KeyVersion> published = new TreeMap<>();
        store.objects.forEach((key, object) -> published.put(key, object.version()));
        assertThat(published).isEqualTo(listed);
        assertThat(state.phase()).isEqualTo(LogState.Phase.WHOLE);
    }

    @Override
    public void close() {
        reader.close();
    }

    private static final class Store implements StateStore<ObjectRecord> {
        private final Map<EtcdKey, ObjectRecord> objects = new TreeMap<>();

        @Override
        public ObjectRecord keep(ObjectRecord object) {
            return object;
        }

        @Override
        public KeyVersion versionOf(ObjectRecord object) {
            return object.version();
        }

        @Override
        public @Nullable ObjectRecord get(EtcdKey key) {
            return objects.get(key);
        }

        @Override
        public void put(EtcdKey key, ObjectRecord object) {
            objects.put(key, object);
        }

        @Override
        public void remove(EtcdKey key) {
            objects.remove(key);
        }

        @Override
        public void forEach(BiConsumer<EtcdKey, ObjectRecord> visitor) {
            objects.forEach(visitor);
        }

        @Override
        public void event(
                long revision,
                EtcdKey key,
                @Nullable ObjectRecord previous,
                @Nullable ObjectRecord object,
                boolean last) {
            // no history is kept here
        }

        @Override
        public void publish(long revision) {
            // LogState holds the watermark
        }

        @Override
        public void raiseFloor(long floor) {
            // LogState holds the floor
        }

        @Override
        public void relisted(long revision) {
            // no one watches
        }
    }
}
