package io.watershed.ingest.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.watershed.catalogue.ResourceType;
import io.watershed.ingest.catalogue.KeyCatalogue;
import io.watershed.ingest.decode.ValueDecoder;
import io.watershed.ingest.etcd.EtcdFailure;
import io.watershed.ingest.etcd.EtcdValue;
import io.watershed.ingest.etcd.RevisionStream;
import io.watershed.log.AppendedRecord;
import io.watershed.log.Entry;
import io.watershed.log.EtcdKey;
import io.watershed.log.KeyVersion;
import io.watershed.log.LogFailure;
import io.watershed.log.ValueHash;
import io.watershed.log.state.LogState;
import io.watershed.log.state.Resync;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** An ingester without processes: a history, a log, and the clock in the test's hand. */
final class IngestFixture {
    static final Duration WINDOW = Duration.ofHours(1);

    private long nowMillis = 1_000_000_000_000L;
    final InstantSource clock = () -> Instant.ofEpochMilli(nowMillis);
    final FakeEtcd etcd = new FakeEtcd();
    final MemoryLog log = new MemoryLog(clock);
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    final ProgressDemand demand = new ProgressDemand();
    KeyCatalogue catalogue = new KeyCatalogue(EtcdKey.utf8("/registry/"), List.of());
    SourceIdentity identity = identity("f1", 0);

    static SourceIdentity identity(String fingerprint, long acceptDeletes) {
        return new SourceIdentity(List.of(""), fingerprint, "test", "http://ingester", List.of(), acceptDeletes);
    }

    /** From now on ingesters are started with this configuration. */
    void configure(String fingerprint, ResourceType... documents) {
        catalogue = new KeyCatalogue(EtcdKey.utf8("/registry/"), List.of(documents));
        identity = new SourceIdentity(List.of(""), fingerprint, "test", "http://ingester", List.of(documents), 0);
    }

    void pass(Duration time) {
        nowMillis += time.toMillis();
    }

    Takeover takeover() {
        return new Takeover(etcd, log, Leadership.alone(), identity, catalogue, WINDOW, clock, new Random(1));
    }

    Lead lead() throws LogFailure, EtcdFailure, Halted {
        return takeover().run();
    }

    Publisher publisher(Lead lead) {
        return new Publisher(lead, etcd, log, new ValueDecoder(catalogue, meters), demand, identity, meters, clock);
    }

    /** A start of the ingester: goes on until all that etcd has stands in the log. */
    Publisher start() throws LogFailure, EtcdFailure, Halted {
        Publisher publisher = publisher(lead());
        follow(publisher);
        return publisher;
    }

    /** Until all that etcd has stands in the log; fails where that needs something else to happen first. */
    void follow(Publisher publisher) throws LogFailure, EtcdFailure, Halted {
        for (int attempt = 0; attempt < 20; attempt++) {
            if (publisher.owesRelist()) {
                assertThat(publisher.relist()).as(publisher::waiting).isTrue();
                continue;
            }
            pass(Duration.ofSeconds(1)); // a progress record is due, which tells how far the log is
            try (RevisionStream stream = publisher.resume()) {
                if (publisher.step(stream)) {
                    return;
                }
            }
        }
        throw new AssertionError("does not come to rest");
    }

    double relists(String reason) {
        return meters.counter("watershed_ingester_relists", "reason", reason).count();
    }

    /** What a reader that is live from the first record on has at the end; it checks that every other record follows. */
    LogState<KeyTable.Known> read(KeyTable table) throws Resync {
        LogState<KeyTable.Known> state = new LogState<>(table, WINDOW);
        for (AppendedRecord record : log.records()) {
            state.apply(record, nowMillis);
            state.becomeLive();
        }
        return state;
    }

    void assertLogEqualsEtcd() throws Resync {
        KeyTable table = new KeyTable(catalogue::isInPlace);
        LogState<KeyTable.Known> state = read(table);
        Map<EtcdKey, KeyVersion> published = new TreeMap<>();
        table.forEach((key, known) -> published.put(key, known.version()));
        Map<EtcdKey, KeyVersion> expected = new TreeMap<>();
        etcd.state().forEach((key, value) -> expected.put(key, version(value)));
        assertThat(published).isEqualTo(expected);
        assertThat(state.phase()).isEqualTo(LogState.Phase.WHOLE);
        assertThat(state.watermark()).isEqualTo(etcd.head().revision());
    }

    private static KeyVersion version(EtcdValue value) {
        return new KeyVersion(
                value.createRevision(),
                value.modRevision(),
                value.version(),
                value.lease(),
                ValueHash.of(value.value()));
    }

    static String letters(List<Entry> entries) {
        StringBuilder letters = new StringBuilder();
        for (Entry entry : entries) {
            letters.append(
                    switch (entry.getClass().getSimpleName()) {
                        case "Change" -> 'D';
                        case "Snapshot" -> 'S';
                        case "Lineage" -> 'M';
                        case "RelistBegin" -> 'B';
                        case "RelistEnd" -> 'E';
                        case "Progress" -> 'P';
                        default -> '?';
                    });
        }
        return letters.toString();
    }
}
