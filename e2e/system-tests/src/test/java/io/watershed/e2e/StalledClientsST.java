package io.watershed.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Case B49: clients that open a watch and read nothing of it, on a gateway with a small heap and a short memory. */
final class StalledClientsST {
    private static final int CLIENTS = 200;
    private static final int TRANSACTIONS = 160;
    private static final int WRITES = 64;
    private static final String PATH = "/api/v1/namespaces/stalled/configmaps?watch=true&resourceVersion=";

    /** What the process may take besides its heap of 256 MiB: classes, code, stacks and buffers of connections. */
    private static final long RESIDENT_BOUND = 640L << 20;

    @SuppressWarnings("NullAway.Init") // set before any test
    private static Cluster cluster;

    @BeforeAll
    static void start() {
        cluster = Cluster.start(1, "--gateway-history-bytes=8MiB");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /** Its kernel takes a few kilobytes for it, and no more. */
    private static final class Stalled implements AutoCloseable {
        private final Socket socket = new Socket();
        private final BufferedReader lines;

        Stalled(String url, String path) throws IOException {
            URI server = URI.create(url);
            socket.setReceiveBufferSize(4096);
            socket.connect(new InetSocketAddress(server.getHost(), server.getPort()));
            socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: gw\r\n\r\n").getBytes(UTF_8));
            // No more than the head is there to be read ahead.
            lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8), 512);
            assertThat(lines.readLine()).isEqualTo("HTTP/1.1 200 OK");
            while (!lines.readLine().isEmpty()) {
                // Headers.
            }
        }

        /** The events of all that was sent; those of the chunked coding are left out. */
        List<String> readOn() throws IOException {
            List<String> events = new ArrayList<>();
            for (String line = lines.readLine(); line != null && !line.equals("0"); line = lines.readLine()) {
                if (line.startsWith("{")) {
                    events.add(line);
                }
            }
            return events;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Test
    void b49ClientsThatNeverReadCostABoundedAmountAndDelayNobody() throws IOException {
        Cluster.Node gateway = cluster.gateway(0);
        long before = cluster.etcd().head();
        List<Stalled> stalled = new ArrayList<>();
        try (HttpWatch healthy = HttpWatch.open(gateway.url(), PATH + before)) {
            for (int i = 0; i < CLIENTS; i++) {
                stalled.add(new Stalled(gateway.url(), PATH + before));
            }
            await("all watches")
                    .atMost(HttpWatch.DEADLINE)
                    .untilAsserted(() -> assertThat(watchers(gateway)).isEqualTo(CLIENTS + 1));
            List<String> expected = new ArrayList<>();
            for (int t = 0; t < TRANSACTIONS; t++) {
                expected.addAll(transaction(t));
                if (t % 10 == 9) {
                    // All at once would be more than the gateway remembers, for anybody.
                    healthy.awaitEvents(expected.size());
                }
            }

            assertThat(healthy.briefs()).containsExactlyElementsOf(expected);
            await("the end of the others, whose place is no longer held")
                    .atMost(HttpWatch.DEADLINE)
                    .untilAsserted(() -> assertThat(watchers(gateway)).isEqualTo(1));
            assertThat(healthy.end()).isNull();
            assertThat(Processes.peakResidentBytes(gateway.process().pid())).isLessThan(RESIDENT_BOUND);
            assertThat(gateway.process().output()).doesNotContain("OutOfMemoryError");

            List<String> late = stalled.get(0).readOn();
            assertThat(late).hasSizeLessThan(expected.size());
            assertThat(late.get(late.size() - 1))
                    .startsWith("{\"type\":\"ERROR\"")
                    .contains("\"code\":410");
            assertThat(late.subList(0, late.size() - 1))
                    .isEqualTo(healthy.events().subList(0, late.size() - 1).stream()
                            .map(HttpWatch.Event::line)
                            .toList());
        } finally {
            for (Stalled client : stalled) {
                client.close();
            }
        }
        await("the end of the last watch")
                .atMost(HttpWatch.DEADLINE)
                .untilAsserted(() -> assertThat(watchers(gateway)).isZero());
    }

    private static double watchers(Cluster.Node gateway) {
        return Metrics.of(gateway.url()).sum("watershed_gateway_watchers");
    }

    /** So many writes in one revision, two kilobytes each; returns their events. */
    private static List<String> transaction(int number) {
        Map<String, @Nullable String> writes = new LinkedHashMap<>();
        List<String> events = new ArrayList<>();
        String value = "{\"data\":{\"n\":\"" + number + "\",\"x\":\"" + "x".repeat(2000) + "\"}}";
        for (int i = 0; i < WRITES; i++) {
            writes.put("/registry/configmaps/stalled/" + object(i), value);
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
