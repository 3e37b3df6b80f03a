package io.watershed.gateway.http;

import static io.watershed.gateway.cache.ObjectLog.Write.delete;
import static io.watershed.gateway.cache.ObjectLog.Write.put;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.vertx.core.Future;
import io.watershed.gateway.cache.ObjectLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatchIT {
    private static final String WATCH = "/api/v1/namespaces/default/configmaps?watch=true";
    private final GatewayFixture gateway = new GatewayFixture();

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void sendsTheHeadBeforeThereIsAnyEvent() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect()) {
            assertThat(watch.get(WATCH + "&resourceVersion=10").head())
                    .startsWith("HTTP/1.1 200 OK\n")
                    .containsIgnoringCase("content-type: application/json\n")
                    .containsIgnoringCase("transfer-encoding: chunked\n")
                    .containsIgnoringCase("x-accel-buffering: no\n")
                    .containsIgnoringCase("cache-control: no-cache, private\n");
        }
    }

    @Test
    void sendsWhatHappensInOrderWholeLinesToAChunk() throws IOException {
        gateway.serving(10);
        gateway.log.put("configmaps", "default", "a", "}}");
        gateway.reached(11);
        try (RawConnection watch = gateway.connect()) {
            watch.get(WATCH).head();
            assertThat(watch.chunk()).isEqualTo(event("ADDED", 11, "a"));

            gateway.log.put("configmaps", "default", "a", "},\"data\":{\"k\":\"é\"}}");
            assertThat(watch.chunk())
                    .isEqualTo(event("MODIFIED", 12, "a").replace("}}}\n", "},\"data\":{\"k\":\"\\u00e9\"}}}\n"));
            gateway.log.write(
                    delete("configmaps", "default", "a"),
                    put("configmaps", "other", "b", "}}"),
                    put("configmaps", "default", "c", "}}"));
            assertThat(watch.chunk())
                    .isEqualTo(event("DELETED", 13, "a").replace("}}}\n", "},\"data\":{\"k\":\"\\u00e9\"}}}\n")
                            + event("ADDED", 13, "c"));
        }
    }

    @Test
    void endsTheInitialStateOfAWatchListWithAnAnnotatedBookmark() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect()) {
            watch.get(WATCH + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")
                    .head();
            assertThat(watch.chunk())
                    .isEqualTo(
                            "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":"
                                    + "{\"resourceVersion\":\"10\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}\n");
        }
    }

    @Test
    void saysInTheStreamThatARevisionIsTooOldAndEnds() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect()) {
            assertThat(watch.get(WATCH + "&resourceVersion=5").head()).startsWith("HTTP/1.1 200 OK\n");
            assertThat(watch.chunk())
                    .isEqualTo(
                            "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
                                    + "\"status\":\"Failure\",\"message\":\"too old resource version: 5 (10)\",\"reason\":\"Expired\","
                                    + "\"code\":410}}\n");
            assertThat(watch.chunk()).isEmpty();
            assertThat(watch.get("/version").head())
                    .as("the connection serves on")
                    .startsWith("HTTP/1.1 200 OK\n");
        }
    }

    @Test
    void holdsSilentlyWhatTheBarrierKnowsAndEndsWhatItDoesNot() throws IOException {
        HttpServer barrier = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] answer = ("{\"revision\":20,\"generation\":\"" + ObjectLog.GENERATION + "\"}").getBytes(UTF_8);
        barrier.createContext("/barrier", exchange -> {
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        barrier.start();
        gateway.log.barrierAt("http://127.0.0.1:" + barrier.getAddress().getPort());
        gateway.serving(10);
        try (RawConnection behind = gateway.connect();
                RawConnection beyond = gateway.connect()) {
            assertThat(behind.get(WATCH + "&resourceVersion=12").head()).startsWith("HTTP/1.1 200 OK\n");
            assertThat(beyond.get(WATCH + "&resourceVersion=21").head()).startsWith("HTTP/1.1 200 OK\n");
            assertThat(beyond.chunk()).contains("\"reason\":\"Expired\",\"code\":410");
            assertThat(beyond.chunk()).isEmpty();

            gateway.log.put("configmaps", "default", "seen", "}}");
            gateway.log.put("configmaps", "default", "seen-too", "}}");
            gateway.log.put("configmaps", "default", "new", "}}");
            assertThat(behind.chunk()).isEqualTo(event("ADDED", 13, "new"));
        } finally {
            barrier.stop(0);
        }
    }

    @Test
    void asksAClientToComeBackWhenNobodyKnowsItsRevision() {
        gateway.serving(10);

        assertThat(gateway.get(WATCH + "&resourceVersion=12").statusCode()).isEqualTo(429);
    }

    @Test
    void saysInTheStreamThatAnInitialStateIsNotHereInTime() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect()) {
            watch.get(WATCH + "&resourceVersion=99&sendInitialEvents=true&resourceVersionMatch=NotOlderThan")
                    .head();
            assertThat(watch.chunk()).contains("ResourceVersionTooLarge", "\"code\":504");
            assertThat(watch.chunk()).isEmpty();
        }
    }

    @Test
    void endsCleanlyAtTheTimeout() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect()) {
            watch.get(WATCH + "&resourceVersion=10&timeoutSeconds=1").head();
            assertThat(watch.chunk()).isEmpty();
        }
    }

    @Test
    void servesTheDeprecatedPathWithoutTheAnnotatedBookmark() throws IOException {
        gateway.serving(10);
        gateway.log.write(put("configmaps", "default", "a", "}}"), put("configmaps", "default", "b", "}}"));
        gateway.reached(11);
        try (RawConnection watch = gateway.connect()) {
            watch.get("/api/v1/watch/namespaces/default/configmaps/b?allowWatchBookmarks=true&timeoutSeconds=1")
                    .head();
            assertThat(watch.chunk()).isEqualTo(event("ADDED", 11, "b"));
            String next = watch.chunk();
            assertThat(next).doesNotContain("initial-events-end");
        }
        assertThat(gateway.get("/api/v1/watch/namespaces/default/configmaps/b?fieldSelector=metadata.name%3Dc")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void forgetsAWatchWhoseClientHasGone() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect()) {
            watch.get(WATCH + "&resourceVersion=10").head();
            assertThat(gateway.openWatches()).isEqualTo(1);
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> gateway.openWatches() == 0);
    }

    @Test
    void drainsEachWatchWithALastBookmarkAndOpensNoNewOne() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect()) {
            watch.get(WATCH + "&resourceVersion=10&allowWatchBookmarks=true").head();
            gateway.log.progressTo(12);
            gateway.reached(12);

            Future<Void> drained = gateway.server.drain(Duration.ofSeconds(1));

            assertThat(gateway.get("/readyz").statusCode()).isEqualTo(500);
            assertThat(gateway.get(WATCH).statusCode()).isEqualTo(429);
            String lines = "";
            for (String chunk = watch.chunk(); !chunk.isEmpty(); chunk = watch.chunk()) {
                lines = chunk;
            }
            assertThat(lines).contains("BOOKMARK").contains("\"resourceVersion\":\"12\"");
            GatewayFixture.done(drained);
        }
    }

    private static String event(String type, long revision, String name) {
        return "{\"type\":\"" + type + "\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":"
                + "{\"resourceVersion\":\"" + revision + "\",\"name\":\"" + name + "\",\"namespace\":\"default\"}}}\n";
    }
}
