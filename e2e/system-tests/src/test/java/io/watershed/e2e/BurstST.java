package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Many watchers and large transactions, on a gateway with a small heap. */
final class BurstST {
    private static final int WATCHERS = 1_000;
    private static final int TRANSACTIONS = 10;
    private static final int WRITES = 64;
    private static final String PATH = "/api/v1/namespaces/burst/configmaps?watch=true&resourceVersion=";
    /** What the process may take besides its heap of 256 MiB: classes, code, stacks and buffers of connections. */
    private static final long RESIDENT_BOUND = 640L << 20;

    @SuppressWarnings("NullAway.Init") // set before any test
    private static Cluster cluster;

    @BeforeAll
    static void start() {
        cluster = Cluster.start(1, "--gateway-history-bytes=64MiB");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void everyWatcherGetsEveryEventOfEveryTransactionInOrder() {
        Cluster.Node gateway = cluster.gateway(0);
        long before = cluster.etcd().head();
        try (WatcherCrowd crowd = WatcherCrowd.open(gateway.url() + PATH + before, WATCHERS);
                HttpWatch reference = HttpWatch.open(gateway.url(), PATH + before)) {
            List<String> expected = new ArrayList<>();
            for (int t = 0; t < TRANSACTIONS; t++) {
                expected.addAll(transaction(t));
            }

            reference.awaitEvents(TRANSACTIONS * WRITES);
            crowd.awaitEvents(TRANSACTIONS * WRITES);

            assertThat(reference.briefs()).containsExactlyElementsOf(expected);
            assertThat(crowd.failures()).isEmpty();
            assertThat(crowd.digests())
                    .as("every watcher gets the same lines in the same order")
                    .containsOnly(WatcherCrowd.digest(reference.events().stream()
                            .map(HttpWatch.Event::line)
                            .toList()));
            assertThat(reference.end()).isNull();
            assertThat(gateway.process().isAlive()).isTrue();
            assertThat(gateway.process().output()).doesNotContain("OutOfMemoryError");
            assertThat(Processes.peakResidentBytes(gateway.process().pid())).isLessThan(RESIDENT_BOUND);
            assertThat(Metrics.of(gateway.url()).sum("watershed_gateway_watches_ended_total"))
                    .as("watches that the gateway ended")
                    .isZero();
        }
    }

    /** 64 writes in one revision; returns their events. */
    private static List<String> transaction(int number) {
        Map<String, @Nullable String> writes = new LinkedHashMap<>();
        List<String> events = new ArrayList<>();
        String value = "{\"data\":{\"transaction\":\"" + number + "\"}}";
        for (int i = 0; i < WRITES; i++) {
            writes.put("/registry/configmaps/burst/" + object(i), value);
        }
        long revision = cluster.etcd().transaction(writes);
        for (int i = 0; i < WRITES; i++) {
            events.add((number == 0 ? "ADDED" : "MODIFIED") + " " + object(i) + " " + revision);
        }
        return events;
    }

    /** The order of the writes is that of the keys too. */
    private static String object(int number) {
        return "object-" + (10 + number);
    }
}
