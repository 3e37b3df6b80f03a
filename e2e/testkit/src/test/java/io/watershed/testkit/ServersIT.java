package io.watershed.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServersIT {
    @Test
    void brokerGoesOnWithItsDataAndPortAfterAKill() {
        try (BrokerProcess broker = BrokerProcess.start()) {
            String servers = broker.bootstrapServers();
            long first = broker.process().pid();
            assertThat(broker.data()).isNotEmptyDirectory();
            broker.kill();
            assertThat(broker.process().isAlive()).isFalse();
            broker.run();
            assertThat(broker.bootstrapServers()).isEqualTo(servers);
            assertThat(broker.process().pid()).isNotEqualTo(first);
            broker.stop();
            assertThat(broker.process().isAlive()).isFalse();
        }
    }

    @Test
    void etcdGoesOnWithItsDataAndPortAfterAKill() throws Exception {
        try (EtcdProcess etcd = EtcdProcess.startNewest()) {
            post(etcd, "put", "{\"key\":\"L2E=\",\"value\":\"MQ==\"}");
            etcd.kill();
            etcd.run();
            assertThat(post(etcd, "range", "{\"key\":\"L2E=\"}")).contains("\"value\":\"MQ==\"");
            assertThat(etcd.version()).matches("3\\.\\d+\\.\\d+");
        }
    }

    private static String post(EtcdProcess etcd, String call, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(etcd.endpoint() + "/v3/kv/" + call))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void waitEndsWhenTheProcessEndsAndShowsItsLastLines(@TempDir Path directory) {
        try (ChildProcess child = ChildProcess.start(
                "child", List.of("sh", "-c", "echo out of luck; exit 3"), Map.of(), directory.resolve("output"))) {
            assertThatThrownBy(() -> child.await("what never comes", () -> false))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("ended before what never comes")
                    .hasMessageContaining("out of luck");
            assertThat(child.awaitExit()).isEqualTo(3);
        }
    }

    @Test
    void stoppedProcessStandsStillUntilItIsContinued(@TempDir Path directory) {
        try (ChildProcess child = ChildProcess.start(
                "child", List.of("sh", "-c", "while :; do :; done"), Map.of(), directory.resolve("output"))) {
            child.signal("STOP");
            child.await("standstill", () -> state(child).equals("T"));
            child.signal("CONT");
            child.await("going on", () -> !state(child).equals("T"));
        }
    }

    /** The process state of Linux: T is stopped. */
    private static String state(ChildProcess child) throws java.io.IOException {
        String stat = Files.readString(Path.of("/proc/" + child.pid() + "/stat"));
        int state = stat.lastIndexOf(')') + 2;
        return stat.substring(state, state + 1);
    }
}
