package io.watershed.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.gateway.cache.ObjectLog;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/1.0, which knows no chunks, and clients that want their connection closed. */
class ClosedBodyIT {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String WATCH = MAPS + "?watch=true&timeoutSeconds=1&resourceVersion=";
    private final GatewayFixture gateway = new GatewayFixture();

    @AfterEach
    void close() {
        gateway.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Connection: keep-alive\r\n"})
    void bodiesOfUnknownLengthEndWithTheConnectionOfHttp10(String header) throws IOException {
        serving();
        String list = gateway.get(MAPS).body();
        assertThat(list).contains("\"items\":[{");
        for (String path : new String[] {MAPS, MAPS + "?limit=1"}) {
            try (RawConnection connection = gateway.connect()) {
                assertThat(old(connection, path, header).head())
                        .startsWith("HTTP/1.0 200 OK\n")
                        .doesNotContainIgnoringCase("transfer-encoding")
                        .doesNotContainIgnoringCase("keep-alive");
                assertThat(connection.rest())
                        .startsWith("{\"kind\":\"ConfigMapList\"")
                        .contains("\"items\":[{");
            }
        }
        try (RawConnection connection = gateway.connect()) {
            assertThat(old(connection, WATCH + "10", header).head())
                    .startsWith("HTTP/1.0 200 OK\n")
                    .doesNotContainIgnoringCase("transfer-encoding")
                    .doesNotContainIgnoringCase("keep-alive");
            assertThat(connection.rest()).startsWith("{\"type\":\"ADDED\",").endsWith("}}}\n");
        }
        try (RawConnection connection = gateway.connect()) {
            old(connection, WATCH + "5", header).head();
            assertThat(connection.rest()).startsWith("{\"type\":\"ERROR\",").contains("\"code\":410");
        }
        try (RawConnection connection = gateway.connect()) {
            old(connection, WATCH + "10", header + "Accept: text/event-stream\r\n")
                    .head();
            assertThat(connection.rest())
                    .startsWith("retry: 3000\n: open\n\nevent: ADDED\n")
                    .endsWith("}}\nid: " + ObjectLog.GENERATION + ":11\n\n");
        }
    }

    @Test
    void anObjectHasALengthInHttp10AndKeepsTheConnectionIfAsked() throws IOException {
        serving();
        try (RawConnection kept = gateway.connect();
                RawConnection closed = gateway.connect()) {
            assertThat(old(closed, MAPS + "/a", "").head())
                    .startsWith("HTTP/1.0 200 OK\n")
                    .containsIgnoringCase("content-length: ");
            assertThat(closed.rest()).startsWith("{\"kind\":\"ConfigMap\"");

            for (int i = 0; i < 2; i++) {
                String head =
                        old(kept, MAPS + "/a", "Connection: keep-alive\r\n").head();
                assertThat(head).startsWith("HTTP/1.0 200 OK\n").containsIgnoringCase("connection: keep-alive\n");
                assertThat(kept.body(head)).startsWith("{\"kind\":\"ConfigMap\"");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"/a, 0", "'', 1", "?watch=true&timeoutSeconds=1&resourceVersion=10, 1", "/none, 0"})
    void closesAfterTheAnswerOfWhoAsksForIt(String rest, int chunked) throws IOException {
        serving();
        try (RawConnection connection = gateway.connect()) {
            String head = connection.get(MAPS + rest, "Connection: close").head();
            assertThat(head).startsWith("HTTP/1.1 ").containsIgnoringCase("connection: close\n");
            if (chunked == 1) {
                String last = "";
                for (String chunk = connection.chunk(); !chunk.isEmpty(); chunk = connection.chunk()) {
                    last = chunk;
                }
                assertThat(last).endsWith("}\n");
            } else {
                assertThat(connection.body(head)).endsWith("}\n");
            }
            assertThat(connection.ends()).isTrue();
        }
    }

    private void serving() {
        gateway.serving(10);
        gateway.log.put("configmaps", "default", "a", "}}");
        gateway.reached(11);
    }

    private static RawConnection old(RawConnection connection, String path, String headers) throws IOException {
        return connection.send("GET " + path + " HTTP/1.0\r\n" + headers + "\r\n");
    }
}
