package io.watershed.gateway.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.gateway.ArbitraryText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever comes over a connection, the server has an answer, and none says that the server is to blame. */
class ArbitraryRequestsIT {
    private static final int RUNS = 1500;
    private static final List<String> METHODS = List.of("GET", "GET", "GET", "GET", "POST", "HEAD", "PUT", "OPTIONS");
    private static final List<String> TARGETS = List.of(
            "/api/v1/namespaces/default/configmaps?limit=1&resourceVersion=11",
            "/api/v1/configmaps?watch=true&resourceVersion=10&labelSelector=a%3Db&timeoutSeconds=1",
            "/api/v1/watch/configmaps?resourceVersion=0&timeoutSeconds=1",
            "/api/v1/namespaces/default/configmaps/a?pretty=true",
            "/apis/apps/v1/deployments?fieldSelector=metadata.name%3Dx",
            "/apis/watershed.io/v1/keyvalues/%252Fflags%252Fa",
            "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
            "/apis/authentication.k8s.io/v1/selfsubjectreviews",
            "/openapi/v3/apis/example.com/v1?hash=0",
            "/readyz?verbose&exclude=ping",
            "/version");
    private static final List<String> HEADERS = List.of(
            "Accept: application/json;as=Table;v=v1;g=meta.k8s.io,application/json",
            "Accept: application/yaml",
            "Accept: text/event-stream",
            "Accept-Encoding: gzip",
            "Content-Type: application/json",
            "Content-Type: application/vnd.kubernetes.protobuf",
            "Upgrade: websocket",
            "Connection: upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Version: 13",
            "If-None-Match: \"x\"",
            "Last-Event-ID: 1-0000abcd:10",
            "Origin: http://test",
            "User-Agent: curl/8");
    private static final List<String> BODIES =
            List.of("{}", "", "{\"spec\":{\"resourceAttributes\":{\"verb\":\"list\"}}}", "k8s\0\n\0");

    private final GatewayFixture gateway = new GatewayFixture();

    @AfterEach
    void close() {
        gateway.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void everyRequestIsAnsweredAndNoneWithAnErrorOfTheServer(long seed) throws IOException {
        gateway.serving(10);
        gateway.log.put("configmaps", "default", "a", "},\"data\":{\"k\":\"1\"}}");
        gateway.reached(11);

        for (long run = 0; run < RUNS; run++) {
            long runSeed = seed * 1_000_003 + run;
            String request = request(new Random(runSeed));
            try (RawConnection connection = gateway.connect()) {
                assertThat(connection.send(request).head())
                        .as("seed %d: %s", runSeed, request)
                        .matches("(?s)HTTP/1\\.[01] ([1-4][0-9]{2}|504) .*");
            } catch (IOException e) {
                throw new AssertionError("seed " + runSeed + ": " + request, e);
            }
        }
        assertThat(gateway.get("/api/v1/configmaps").statusCode()).isEqualTo(200);
    }

    private static String request(Random random) {
        ArbitraryText text = new ArbitraryText(random);
        String body = random.nextInt(3) == 0 ? text.near(BODIES) : text.any(BODIES);
        List<String> lines = new ArrayList<>(List.of(
                text.any(METHODS) + " " + target(random.nextInt(5) == 0 ? text.any(TARGETS) : text.near(TARGETS))
                        + " HTTP/1.1",
                "Host: test",
                "Content-Length: " + latin(body).length()));
        for (int headers = random.nextInt(4); headers > 0; headers--) {
            lines.add(line(random.nextBoolean() ? text.any(HEADERS) : text.near(HEADERS)));
        }
        return String.join("\r\n", lines) + "\r\n\r\n" + latin(body);
    }

    /** What can stand in a request's first line, so that it is ours to parse and not only Vert.x's. */
    private static String target(String text) {
        return "/" + latin(text).replaceAll("[\\x00-\\x20#]", "").replaceFirst("^/", "");
    }

    /** A header, and not the end of all of them, nor one that says how long the body is. */
    private static String line(String text) {
        String line = latin(text).replaceAll("[\\r\\n\\x00]", "");
        return line.matches("[A-Za-z-]+:.*") && !line.matches("(?i)(content-length|transfer-encoding|expect):.*")
                ? line
                : "X: " + line;
    }

    /** The UTF-8 of a text, a character a byte. */
    private static String latin(String text) {
        return new String(text.getBytes(UTF_8), ISO_8859_1);
    }
}
