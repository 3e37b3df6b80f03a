package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Many events of one revision, and more bytes at once than one message of gRPC holds: cases B04 and B05. */
final class LargeRevisionsST {
    private static final String DOCUMENTS = "/apis/watershed.io/v1/keyvalues?watch=true&resourceVersion=";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/large/configmaps?watch=true&resourceVersion=";

    @SuppressWarnings("NullAway.Init") // set before any test
    private static Cluster cluster;

    @BeforeAll
    static void start() {
        cluster = Cluster.start(2);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void b04AClientThatIsCutInsideTheRevisionOfALeasesEndGetsAllOfItWhereverItResumes() {
        List<String> names = numbered("%2Fsvc%2Fi", 2_000);
        long lease = cluster.etcd().grantLease(2);
        long put = cluster.etcd().putTogether(numbered("/svc/i", 2_000), "up", lease);

        // Nobody keeps the lease alive.
        List<HttpWatch.Event> first =
                HttpWatch.firstEvents(cluster.gateway(0).url(), DOCUMENTS + put, 10 + 2_000).stream()
                        .filter(event -> event.type().equals("DELETED"))
                        .toList();

        long gone = first.get(0).resourceVersion();
        assertThat(gone).isGreaterThan(put);
        assertThat(first).hasSize(10).extracting(HttpWatch.Event::brief).isEqualTo(deleted(names.subList(0, 10), gone));
        long next = cluster.etcd().put("/svc/next", "up");
        for (Cluster.Node gateway : cluster.gateways()) {
            try (HttpWatch resumed = HttpWatch.open(gateway.url(), DOCUMENTS + gone)) {
                resumed.awaitEvent(event -> event.resourceVersion() == next);

                List<String> expected = deleted(names, gone);
                assertThat(resumed.briefs().subList(0, 2_000)).isEqualTo(expected);
                assertThat(resumed.events()).as("nothing twice").hasSize(2_001);
            }
        }
    }

    @Test
    void b05WhatPiledUpWhileTheIngesterWasDownArrivesRevisionByRevision() {
        long before = cluster.etcd().head();
        try (HttpWatch watch = HttpWatch.open(cluster.gateway(0).url(), CONFIG_MAPS + before)) {
            Cluster.listAt(cluster.gateway(0), "/api/v1/namespaces/large/configmaps", before);
            cluster.ingester().kill();
            List<String> expected = new ArrayList<>();
            String value = "{\"data\":{\"v\":\"" + "z".repeat(100_000) + "\"}}";
            for (String transaction : List.of("a", "b", "c", "d")) {
                long revision =
                        cluster.etcd().putTogether(numbered("/registry/configmaps/large/" + transaction, 12), value, 0);
                numbered(transaction, 12).forEach(name -> expected.add("ADDED " + name + " " + revision));
            }

            cluster.ingester().restart();

            watch.awaitEvents(48);
            assertThat(watch.briefs()).isEqualTo(expected);
            assertThat(watch.events())
                    .allSatisfy(event ->
                            assertThat(event.object().at("/data/v").asText()).hasSize(100_000));
            assertNothingWasRelistedOrTooLarge();
        }
    }

    @Test
    void b05ALeaseOfTwentyThousandKeysEndsAsOneRevision() {
        long lease = cluster.etcd().grantLease(3600);
        List<String> keys = numbered("/leased/k", 20_000);
        for (int from = 0; from < keys.size(); from += 5_000) {
            cluster.etcd().putTogether(keys.subList(from, from + 5_000), "up", lease);
        }
        // A watch from a revision of several events would begin with them.
        long put = cluster.etcd().put("/leased", "all");
        Cluster.listAt(cluster.gateway(1), "/apis/watershed.io/v1/keyvalues", put);
        try (HttpWatch watch = HttpWatch.open(cluster.gateway(1).url(), DOCUMENTS + put)) {
            cluster.ingester().kill();
            cluster.etcd().revokeLease(lease);
            cluster.ingester().restart();

            watch.awaitEvents(20_000);
            long gone = watch.events().get(0).resourceVersion();
            assertThat(watch.briefs()).isEqualTo(deleted(numbered("%2Fleased%2Fk", 20_000), gone));
            assertNothingWasRelistedOrTooLarge();
        }
    }

    private static void assertNothingWasRelistedOrTooLarge() {
        assertThat(cluster.ingester().process().output()).doesNotContain("RESOURCE_EXHAUSTED");
        assertThat(Metrics.of(cluster.ingester().url()).has("watershed_ingester_relists_total"))
                .isFalse();
    }

    /** In the order of the keys. */
    private static List<String> numbered(String prefix, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> prefix + (100_000 + number))
                .toList();
    }

    private static List<String> deleted(List<String> names, long revision) {
        return names.stream().map(name -> "DELETED " + name + " " + revision).toList();
    }
}
