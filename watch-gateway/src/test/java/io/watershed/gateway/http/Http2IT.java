package io.watershed.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientConnection;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpConnectOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** HTTP/2 with prior knowledge, all requests of a test over one connection. */
class Http2IT {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String WATCH = MAPS + "?watch=true&resourceVersion=10";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final GatewayFixture gateway = new GatewayFixture();
    private final Vertx vertx = Vertx.vertx();
    private final HttpClientAgent client = vertx.createHttpClient(new HttpClientOptions()
            .setProtocolVersion(HttpVersion.HTTP_2)
            .setHttp2ClearTextUpgrade(false)
            .setInitialSettings(new Http2Settings().setInitialWindowSize(65_535))
            .setHttp2ConnectionWindowSize(16 << 20));

    @AfterEach
    void close() {
        GatewayFixture.done(vertx.close());
        gateway.close();
    }

    /** One answer as it comes in. */
    private static final class Stream {
        final HttpClientResponse response;
        final Buffer body = Buffer.buffer();
        final AtomicBoolean ended = new AtomicBoolean();
        final List<Throwable> failures = new CopyOnWriteArrayList<>();

        Stream(HttpClientResponse response, boolean reading) {
            this.response = response;
            response.exceptionHandler(failures::add);
            response.endHandler(end -> ended.set(true));
            response.handler(bytes -> {
                synchronized (body) {
                    body.appendBuffer(bytes);
                }
            });
            if (!reading) {
                response.pause();
            }
        }

        String text() {
            synchronized (body) {
                return body.toString();
            }
        }
    }

    private HttpClientConnection connect() {
        return GatewayFixture.done(
                client.connect(new HttpConnectOptions().setHost("127.0.0.1").setPort(gateway.port)));
    }

    private static Stream open(HttpClientConnection connection, String path, boolean reading) {
        return GatewayFixture.done(connection
                .request(new RequestOptions().setMethod(HttpMethod.GET).setURI(path))
                .compose(request -> {
                    // Before the request goes out: the whole answer may be there before this thread goes on.
                    Future<Stream> answer = request.response().map(response -> new Stream(response, reading));
                    return request.send().compose(sent -> answer);
                }));
    }

    private static String whole(HttpClientConnection connection, String path) {
        Stream stream = open(connection, path, true);
        await().atMost(PATIENCE).untilTrue(stream.ended);
        return stream.text();
    }

    @Test
    void answersListsObjectsAndErrorsAsOverHttp1() {
        gateway.serving(10);
        gateway.log.put("configmaps", "default", "a", "}}");
        gateway.reached(11);
        HttpClientConnection connection = connect();

        for (String path : List.of(MAPS, MAPS + "/a", MAPS + "/none", "/version", "/nowhere", "/readyz")) {
            Stream stream = open(connection, path, true);
            await().atMost(PATIENCE).untilTrue(stream.ended);
            assertThat(stream.response.version()).isEqualTo(HttpVersion.HTTP_2);
            assertThat(stream.response.statusCode())
                    .as(path)
                    .isEqualTo(gateway.get(path).statusCode());
            assertThat(stream.text()).as(path).isEqualTo(gateway.get(path).body());
            assertThat(stream.response.headers().contains("Connection")).isFalse();
        }
        assertThat(whole(connection, "/api")).contains("\"serverAddress\":\"127.0.0.1:" + gateway.port + "\"");
        assertThat(connection.remoteSettings().getMaxConcurrentStreams()).isEqualTo(1000);
    }

    /** As the JDK's client does by default. */
    @Test
    void answersAnUpgradeFromHttp1Too() throws IOException, InterruptedException {
        gateway.serving(10);
        gateway.log.put("configmaps", "default", "a", "}}");
        gateway.reached(11);
        java.net.http.HttpClient jdk = java.net.http.HttpClient.newHttpClient();
        for (String path : List.of(MAPS, WATCH + "&timeoutSeconds=1", MAPS + "/none")) {
            HttpResponse<String> answer = jdk.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port + path))
                            .timeout(PATIENCE)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.version()).isEqualTo(java.net.http.HttpClient.Version.HTTP_2);
            assertThat(answer.body()).isEqualTo(gateway.get(path).body());
        }
    }

    @Test
    void aStreamThatIsNotReadHoldsUpNoOtherAndMissesNothing() {
        gateway.serving(10);
        HttpClientConnection connection = connect();
        Stream stalled = open(connection, WATCH, false);
        Stream reading = open(connection, WATCH, true);
        int events = 60;
        String large = "x".repeat(50_000);
        for (int i = 0; i < events; i++) {
            gateway.log.put("configmaps", "default", "m" + i, "},\"data\":{\"k\":\"" + large + "\"}}");
        }

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(reading.text().lines().count()).isEqualTo(events));
        // The client may miss an answer that is there before it looks for one, and then takes the next for it.
        AtomicBoolean answered = new AtomicBoolean();
        await().atMost(PATIENCE).until(() -> {
            connection
                    .ping(Buffer.buffer("12345678"))
                    .onSuccess(answer -> answered.set(answer.toString().equals("12345678")));
            return answered.get();
        });
        assertThat(whole(connection, "/livez")).isEqualTo("ok");
        assertThat(stalled.text()).isEmpty();
        await().atMost(PATIENCE)
                .until(() -> gateway.meters
                                .get("watershed.gateway.watchers.behind")
                                .gauge()
                                .value()
                        == 1);

        stalled.response.resume();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(stalled.text()).isEqualTo(reading.text()));
    }

    @Test
    void aStreamThatTheClientResetsIsForgotten() {
        gateway.serving(10);
        HttpClientConnection connection = connect();
        Stream one = open(connection, WATCH, true);
        open(connection, WATCH, true);
        await().atMost(PATIENCE).until(() -> gateway.openWatches() == 2);

        one.response.request().reset();

        await().atMost(PATIENCE).until(() -> gateway.openWatches() == 1);
        assertThat(whole(connection, "/livez")).isEqualTo("ok");
    }

    @Test
    void servesManyWatchesOnOneConnection() {
        gateway.serving(10);
        HttpClientConnection connection = connect();
        Stream[] streams = new Stream[500];
        for (int i = 0; i < streams.length; i++) {
            streams[i] = open(connection, WATCH, true);
        }
        gateway.log.put("configmaps", "default", "a", "}}");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(streams)
                        .allSatisfy(stream -> assertThat(stream.text()).contains("\"ADDED\"")));
        assertThat(gateway.openWatches()).isEqualTo(streams.length);
    }

    @Test
    void saysThatItGoesBeforeItEndsItsWatches() {
        gateway.serving(10);
        HttpClientConnection connection = connect();
        AtomicBoolean going = new AtomicBoolean();
        connection.shutdownHandler(shutdown -> going.set(true));
        connection.goAwayHandler(goAway -> going.set(true));
        Stream watch = open(connection, WATCH + "&allowWatchBookmarks=true", true);

        Future<Void> drained = gateway.server.drain(Duration.ofSeconds(2));

        await().atMost(PATIENCE).untilTrue(going);
        Stream late = open(connect(), WATCH, true);
        assertThat(late.response.statusCode()).isEqualTo(429);
        await().atMost(PATIENCE).until(() -> late.text().contains("another one serves"));
        await().atMost(PATIENCE).untilTrue(watch.ended);
        GatewayFixture.done(drained);
        assertThat(watch.failures).isEmpty();
        assertThat(watch.text().lines().toList())
                .last()
                .asString()
                .contains("BOOKMARK")
                .endsWith("}}}");
        assertThat(gateway.openWatches()).isZero();
    }

    @Test
    void endsAtTheTimeoutAndTellsErrorsInTheStream() {
        gateway.serving(10);
        HttpClientConnection connection = connect();

        assertThat(whole(connection, WATCH + "&timeoutSeconds=1")).isEmpty();
        assertThat(whole(connection, MAPS + "?watch=true&resourceVersion=5")).contains("\"code\":410");
        assertThat(whole(connection, "/livez")).isEqualTo("ok");
    }
}
