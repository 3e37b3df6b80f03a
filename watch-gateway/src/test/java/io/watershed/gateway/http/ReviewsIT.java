package io.watershed.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReviewsIT {
    private static final String AUTHORIZATION = "/apis/authorization.k8s.io/v1/";
    private static final String ACCESS = AUTHORIZATION + "selfsubjectaccessreviews";
    private static final String RULES = AUTHORIZATION + "selfsubjectrulesreviews";
    private static final String SUBJECT = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    private static final String LIST = "{\"spec\":{\"resourceAttributes\":{\"verb\":\"list\",\"resource\":\"pods\"}}}";

    private final GatewayFixture gateway = new GatewayFixture();

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void answersWhatIsPosted() {
        gateway.serving(10);

        HttpResponse<String> access = post(ACCESS, LIST, "Content-Type", "application/json");
        assertThat(access.statusCode()).isEqualTo(201);
        assertThat(access.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(access.headers().firstValue("Cache-Control")).hasValue("no-cache, private");
        assertThat(access.body()).endsWith("\"status\":{\"allowed\":true}}\n");
        assertThat(post(RULES + "/", "{\"spec\":{\"namespace\":\"default\"}}").body())
                .contains("\"incomplete\":false");
        assertThat(post(SUBJECT, "{}", "Accept", "application/vnd.kubernetes.protobuf,application/json")
                        .body())
                .contains("\"username\":\"system:anonymous\"");
        assertThat(post(SUBJECT, "{}", "Accept", "application/yaml").body()).contains("  username: system:anonymous\n");
    }

    @Test
    void refusesWhatItDoesNotRead() {
        gateway.serving(10);

        assertThat(post(ACCESS, "{}", "Content-Type", "text/plain").statusCode())
                .isEqualTo(415);
        assertThat(post(ACCESS, "{", "Content-Type", "application/json").statusCode())
                .isEqualTo(400);
        assertThat(post(ACCESS, "{}", "Content-Type", "application/json").statusCode())
                .isEqualTo(422);
        assertThat(post(ACCESS, LIST, "Accept", "text/html").statusCode()).isEqualTo(406);
        assertThat(post(ACCESS, "").statusCode()).isEqualTo(400);
    }

    @Test
    void answersNothingElseThere() {
        gateway.serving(10);

        for (String method : List.of("GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS")) {
            for (String path : List.of(ACCESS, RULES, SUBJECT)) {
                assertThat(gateway.send(method, path).statusCode())
                        .as(method + path)
                        .isEqualTo(405);
            }
        }
        for (String path : List.of(
                AUTHORIZATION + "subjectaccessreviews",
                "/apis/authentication.k8s.io/v1/tokenreviews",
                ACCESS + "/x",
                AUTHORIZATION + "namespaces/default/selfsubjectaccessreviews")) {
            assertThat(post(path, LIST).statusCode()).as(path).isEqualTo(405);
            assertThat(gateway.get(path).statusCode()).as(path).isEqualTo(404);
        }
    }

    @Test
    void isInDiscovery() {
        gateway.serving(10);

        assertThat(gateway.get(AUTHORIZATION).body())
                .contains("{\"name\":\"selfsubjectaccessreviews\",\"singularName\":\"selfsubjectaccessreview\","
                        + "\"namespaced\":false,\"kind\":\"SelfSubjectAccessReview\",\"verbs\":[\"create\"]}");
        assertThat(gateway.get("/apis/authentication.k8s.io").body())
                .contains("\"groupVersion\":\"authentication.k8s.io/v1\"");
        assertThat(gateway.get("/apis").body())
                .containsSubsequence(
                        "\"events.k8s.io\"",
                        "\"authentication.k8s.io\"",
                        "\"authorization.k8s.io\"",
                        "\"autoscaling\"");
    }

    @Test
    void asksForPatienceUntilTheLogIsRead() {
        assertThat(post(ACCESS, LIST).statusCode()).isEqualTo(429);
    }

    @Test
    void aBodyThatIsTooLongIsReadButRefused() throws IOException {
        gateway.serving(10);
        int limit = 64 << 10;
        String blanks = LIST + " ".repeat(limit - LIST.length());

        assertThat(post(ACCESS, blanks).statusCode()).isEqualTo(201);
        HttpResponse<String> refused = post(ACCESS, blanks + " ");
        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(refused.body()).contains("\"reason\":\"RequestEntityTooLarge\",\"code\":413");
        try (RawConnection socket = gateway.connect()) {
            assertThat(socket.send(head("Content-Length: " + (limit + 1) + "\r\nExpect: 100-continue\r\n"))
                            .head())
                    .startsWith("HTTP/1.1 413 ");
        }
        try (RawConnection socket = gateway.connect()) {
            assertThat(socket.send(head("Content-Length: 3000000\r\n")).head())
                    .startsWith("HTTP/1.1 413 ")
                    .containsIgnoringCase("connection: close\n");
        }
        try (RawConnection socket = gateway.connect()) {
            socket.send(head("Transfer-Encoding: chunked\r\n"));
            for (int i = 0; i < 17; i++) {
                socket.send("10000\r\n" + " ".repeat(0x10000) + "\r\n");
            }
            assertThat(socket.head()).startsWith("HTTP/1.1 413 ");
        }
    }

    @Test
    void aClientThatAsksFirstIsToldToGoOn() throws IOException {
        gateway.serving(10);

        try (RawConnection socket = gateway.connect()) {
            socket.send(head("Content-Length: " + LIST.length() + "\r\nExpect: 100-continue\r\n"));
            assertThat(socket.head()).startsWith("HTTP/1.1 100 ");
            assertThat(socket.send(LIST).head()).startsWith("HTTP/1.1 201 ");
        }
    }

    @Test
    void aConnectionIsGoodForTheNextRequest() throws IOException {
        gateway.serving(10);

        try (RawConnection socket = gateway.connect()) {
            for (int i = 0; i < 2; i++) {
                String head = socket.send(head("Content-Length: " + LIST.length() + "\r\n") + LIST)
                        .head();
                assertThat(head).startsWith("HTTP/1.1 201 ");
                assertThat(socket.body(head)).contains("\"allowed\":true");
                String refusal = socket.send(head("Content-Type: x/y\r\nContent-Length: 2\r\n") + "{}")
                        .head();
                assertThat(refusal).startsWith("HTTP/1.1 415 ");
                assertThat(socket.body(refusal)).contains("UnsupportedMediaType");
            }
        }
    }

    @Test
    void aBodyThatDoesNotComeIsNotWaitedForForEver() throws IOException {
        gateway.serving(10);
        Vertx vertx = Vertx.vertx();
        try {
            HttpServer impatient = GatewayFixture.done(vertx.createHttpServer()
                    .requestHandler(request -> BodyReader.read(
                            vertx,
                            new Exchange(request, gateway.cache),
                            100,
                            1,
                            body -> request.response().end()))
                    .listen(0, "127.0.0.1"));
            try (RawConnection socket = new RawConnection(impatient.actualPort())) {
                String head = socket.send(head("Content-Length: 3\r\n") + "{}").head();
                assertThat(head).startsWith("HTTP/1.1 408 ").containsIgnoringCase("connection: close\n");
                assertThat(socket.body(head)).contains("did not come within 0.001 s");
                assertThat(socket.ends()).isTrue();
            }
        } finally {
            GatewayFixture.done(vertx.close());
        }
    }

    private static String head(String headers) {
        return "POST " + ACCESS + " HTTP/1.1\r\nHost: test\r\n" + headers + "\r\n";
    }

    private HttpResponse<String> post(String path, String body, String... headers) {
        return gateway.post(path, body.getBytes(UTF_8), headers);
    }
}
