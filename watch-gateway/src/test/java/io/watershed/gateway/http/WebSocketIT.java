package io.watershed.gateway.http;

import static io.watershed.gateway.cache.ObjectLog.Write.put;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebSocketIT {
    private static final String WATCH = "/api/v1/namespaces/default/configmaps?watch=true";
    private static final String LIST = "/api/v1/namespaces/default/configmaps";
    private static final int PING = 0x89;
    private static final int CLOSE = 0x88;
    private final GatewayFixture gateway = new GatewayFixture();

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void refusesATokenWithoutAProtocolThatCanBeChosen() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect()) {
            String head = watch.upgrade(WATCH, "Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.c2VjcmV0")
                    .head();
            assertThat(head).startsWith("HTTP/1.1 400 ").doesNotContain("c2VjcmV0");
            assertThat(watch.body(head)).contains("offer another protocol").doesNotContain("c2VjcmV0");
        }
    }

    @Test
    void sendsEachEventAsAMessageOfItsOwn() throws IOException {
        gateway.serving(10);
        gateway.log.write(put("configmaps", "default", "a", "}}"), put("configmaps", "default", "b", "}}"));
        gateway.reached(11);
        try (RawConnection watch = gateway.connect()) {
            assertThat(watch.upgrade(WATCH + "&allowWatchBookmarks=true").head())
                    .startsWith("HTTP/1.1 101 Switching Protocols\n")
                    .containsIgnoringCase("upgrade: websocket\n")
                    .containsIgnoringCase("connection: Upgrade\n")
                    .containsIgnoringCase("sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\n")
                    .doesNotContainIgnoringCase("sec-websocket-protocol")
                    .doesNotContainIgnoringCase("sec-websocket-extensions")
                    .doesNotContainIgnoringCase("transfer-encoding");
            assertThat(watch.frame()).isEqualTo("TEXT " + event("ADDED", 11, "a"));
            assertThat(watch.frame()).isEqualTo("TEXT " + event("ADDED", 11, "b"));
            assertThat(watch.frame()).contains("BOOKMARK", "initial-events-end");

            String large = "x".repeat(70_000);
            gateway.log.write(
                    put("configmaps", "default", "c", "},\"data\":{\"k\":\"" + large + "\"}}"),
                    put("configmaps", "default", "d", "}}"));
            assertThat(nextEvent(watch)).startsWith("TEXT {\"type\":\"ADDED\"").endsWith(large + "\"}}}\n");
            assertThat(nextEvent(watch)).isEqualTo("TEXT " + event("ADDED", 12, "d"));
        }
    }

    @Test
    void servesTheDeprecatedPathToo() throws IOException {
        gateway.serving(10);
        gateway.log.put("configmaps", "default", "a", "}}");
        gateway.reached(11);
        try (RawConnection watch = gateway.connect()) {
            assertThat(watch.upgrade("/api/v1/watch/namespaces/default/configmaps/a")
                            .head())
                    .startsWith("HTTP/1.1 101 ");
            assertThat(watch.frame()).isEqualTo("TEXT " + event("ADDED", 11, "a"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "v4.channel.k8s.io, v5.x | v4.channel.k8s.io",
                "base64url.bearer.authorization.k8s.io.c2VjcmV0, kept | kept",
            })
    void choosesTheFirstProtocolThatIsNoToken(String offered, String chosen) throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect()) {
            assertThat(watch.upgrade(WATCH, "Sec-WebSocket-Protocol: " + offered)
                            .head())
                    .startsWith("HTTP/1.1 101 ")
                    .containsIgnoringCase("sec-websocket-protocol: " + chosen + "\n")
                    .doesNotContain("c2VjcmV0");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/namespaces/default/configmaps?watch=1&labelSelector=((, 400",
        "/api/v1/nosuch?watch=1, 404",
        "/api/v1/namespaces/default/configmaps?watch=1&sendInitialEvents=true, 422",
        "/api/v1/namespaces/default/configmaps?watch=1&resourceVersion=12, 503",
        "/api/v1/namespaces/default/configmaps, 200",
        "/version, 200",
        "/readyz, 200",
    })
    void answersPlainlyWhatIsNoWatchOrFailsBeforeIt(String path, int code) throws IOException {
        gateway.serving(10);
        try (RawConnection asked = gateway.connect()) {
            assertThat(asked.upgrade(path).head())
                    .startsWith("HTTP/1.1 " + code + " ")
                    .doesNotContainIgnoringCase("upgrade:");
        }
    }

    @Test
    void asksToComeBackWhileTheLogIsRead() throws IOException {
        try (RawConnection watch = gateway.connect()) {
            assertThat(watch.upgrade(WATCH).head())
                    .startsWith("HTTP/1.1 503 ")
                    .containsIgnoringCase("retry-after: 1\n");
        }
    }

    @Test
    void refusesAnotherVersionOfTheProtocol() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect()) {
            assertThat(watch.get(WATCH, "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 8")
                            .head())
                    .startsWith("HTTP/1.1 400 ")
                    .containsIgnoringCase("sec-websocket-version: 13\n");
        }
    }

    @Test
    void saysThatARevisionIsTooOldAndCloses() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect()) {
            watch.upgrade(WATCH + "&resourceVersion=5").head();
            assertThat(watch.frame()).startsWith("TEXT {\"type\":\"ERROR\"").contains("\"code\":410");
            assertThat(watch.frame()).isEqualTo("CLOSE 1000");
            watch.sendFrame(CLOSE, new byte[] {3, (byte) 0xe8});
            assertThat(watch.ends()).isTrue();
        }
    }

    @Test
    void saysThatAnInitialStateIsNotHereInTimeAndCloses() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect()) {
            watch.upgrade(WATCH + "&resourceVersion=99&sendInitialEvents=true&resourceVersionMatch=NotOlderThan")
                    .head();
            assertThat(watch.frame()).contains("ResourceVersionTooLarge").endsWith("}}\n");
            assertThat(watch.frame()).isEqualTo("CLOSE 1000");
        }
    }

    @Test
    void closesAtTheTimeoutBehindALastBookmark() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect()) {
            watch.upgrade(WATCH + "&resourceVersion=10&allowWatchBookmarks=true&timeoutSeconds=1")
                    .head();
            String last = "";
            String frame = watch.frame();
            for (; frame.startsWith("TEXT"); frame = watch.frame()) {
                last = frame;
            }
            assertThat(last).contains("BOOKMARK", "\"resourceVersion\":\"10\"");
            assertThat(frame).isEqualTo("CLOSE 1000");
        }
    }

    @Test
    void drainsWithALastBookmarkAndOpensNoNewOne() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect();
                RawConnection late = gateway.connect()) {
            watch.upgrade(WATCH + "&resourceVersion=10&allowWatchBookmarks=true")
                    .head();
            await().atMost(Duration.ofSeconds(60)).until(() -> gateway.openWatches() == 1);

            Future<Void> drained = gateway.server.drain(Duration.ofSeconds(1));

            assertThat(late.upgrade(WATCH).head()).startsWith("HTTP/1.1 503 ");
            String last = "";
            String frame = watch.frame();
            for (; frame.startsWith("TEXT"); frame = watch.frame()) {
                last = frame;
            }
            assertThat(last).contains("BOOKMARK");
            assertThat(frame).isEqualTo("CLOSE 1000");
            GatewayFixture.done(drained);
        }
        assertThat(gateway.meters
                        .counter("watershed_gateway_requests", "code", "101")
                        .count())
                .isEqualTo(1);
    }

    @Test
    void passesOverWhatTheClientSaysAndAnswersItsPings() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect()) {
            watch.upgrade(WATCH + "&resourceVersion=10").head();
            watch.sendFrame(0x81, "hello".getBytes(US_ASCII)).sendFrame(PING, "here?".getBytes(US_ASCII));
            assertThat(watch.frame()).isEqualTo("PONG here?");
            gateway.log.put("configmaps", "default", "a", "}}");
            assertThat(watch.frame()).isEqualTo("TEXT " + event("ADDED", 11, "a"));
        }
    }

    @Test
    void aClientThatDoesNotReadStaysBehindAndMissesNothing() throws IOException {
        gateway.serving(10);
        int events = 300;
        String large = "x".repeat(50_000);
        try (RawConnection watch = gateway.connect()) {
            watch.upgrade(WATCH + "&resourceVersion=10").head();
            await().atMost(Duration.ofSeconds(60)).until(() -> gateway.openWatches() == 1);
            for (int i = 0; i < events; i++) {
                gateway.log.put("configmaps", "default", "m" + i, "},\"data\":{\"k\":\"" + large + "\"}}");
            }
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> gateway.meters
                                    .get("watershed.gateway.watchers.behind")
                                    .gauge()
                                    .value()
                            == 1);

            for (int i = 0; i < events; i++) {
                assertThat(watch.frame())
                        .startsWith("TEXT {\"type\":\"ADDED\"")
                        .contains("\"name\":\"m" + i + "\"")
                        .endsWith("}}}\n");
            }
        }
    }

    @Test
    void endsTheWatchOfAClientThatClosesOrGoesAwayOrSendsTooMuch() throws IOException {
        gateway.serving(10);
        try (RawConnection closing = gateway.connect();
                RawConnection leaving = gateway.connect();
                RawConnection flooding = gateway.connect()) {
            closing.upgrade(WATCH + "&resourceVersion=10").head();
            leaving.upgrade(WATCH + "&resourceVersion=10").head();
            flooding.upgrade(WATCH + "&resourceVersion=10").head();
            await().atMost(Duration.ofSeconds(60)).until(() -> gateway.openWatches() == 3);

            closing.sendFrame(CLOSE, new byte[] {3, (byte) 0xe9});
            leaving.hangUp();
            flooding.sendFrame(0x82, new byte[5000]);

            assertThat(closing.frame()).isEqualTo("CLOSE 1000");
            assertThat(closing.ends()).isTrue();
            assertThat(flooding.frame()).isEqualTo("CLOSE 1009");
            await().atMost(Duration.ofSeconds(60)).until(() -> gateway.openWatches() == 0);
        }
    }

    @Test
    void pingsAfterHalfAMinute() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect()) {
            watch.upgrade(WATCH + "&resourceVersion=10&allowWatchBookmarks=true")
                    .head();
            assertThat(watch.frame()).as("the gateway ticks").contains("BOOKMARK");
            assertThat(watch.frame()).contains("BOOKMARK");

            gateway.advance(Duration.ofSeconds(30));

            String frame = watch.frame();
            for (int i = 0; i < 5 && !frame.equals("PING"); i++) {
                frame = watch.frame();
            }
            assertThat(frame).isEqualTo("PING");
        }
    }

    @Test
    void showsColumnsInTheFirstMessageOfATable() throws IOException {
        gateway.serving(10);
        gateway.log.write(put("configmaps", "default", "a", "}}"), put("configmaps", "default", "b", "}}"));
        gateway.reached(11);
        try (RawConnection watch = gateway.connect()) {
            watch.upgrade(WATCH, "Accept: application/json;as=Table;g=meta.k8s.io;v=v1")
                    .head();
            assertThat(watch.frame()).contains("\"columnDefinitions\":[").endsWith("}]}}\n");
            assertThat(watch.frame())
                    .contains("\"columnDefinitions\":null", "\"name\":\"b\"")
                    .endsWith("}]}}\n");
        }
        assertThat(gateway.get(LIST).statusCode()).isEqualTo(200);
    }

    private static String nextEvent(RawConnection watch) throws IOException {
        String frame = watch.frame();
        while (frame.contains("\"BOOKMARK\"")) {
            frame = watch.frame();
        }
        return frame;
    }

    private static String event(String type, long revision, String name) {
        return "{\"type\":\"" + type + "\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":"
                + "{\"resourceVersion\":\"" + revision + "\",\"name\":\"" + name + "\",\"namespace\":\"default\"}}}\n";
    }
}
