package io.watershed.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestsIT {
    private final GatewayFixture gateway = new GatewayFixture();

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void asksForPatienceUntilTheLogIsRead() throws IOException {
        HttpResponse<String> list = gateway.get("/api/v1/pods");
        assertThat(list.statusCode()).isEqualTo(429);
        assertThat(list.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(list.body()).contains("storage is (re)initializing", "\"TooManyRequests\"");
        assertThat(gateway.get("/apis/nobody.example.com/v1/x").statusCode()).isEqualTo(429);
        assertThat(gateway.get("/readyz").statusCode()).isEqualTo(500);
        assertThat(gateway.get("/livez").statusCode()).isEqualTo(200);
        assertThat(gateway.get("/version").statusCode()).isEqualTo(200);
        try (RawConnection socket = gateway.connect()) {
            assertThat(socket.upgrade("/api/v1/pods?watch=true").head()).startsWith("HTTP/1.1 503");
        }
    }

    @Test
    void refusesEveryMethodButGet() {
        gateway.serving(10);

        for (String method : List.of("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "FOO")) {
            HttpResponse<String> answer = gateway.send(method, "/api/v1/namespaces/default/pods");
            assertThat(answer.statusCode()).as(method).isEqualTo(405);
            assertThat(answer.body()).contains("MethodNotAllowed", "\"details\":{}");
            assertThat(answer.headers().firstValue("Allow")).isEmpty();
        }
    }

    @Test
    void answersHeadWhereKubernetesDoes() {
        gateway.serving(10);

        for (String path : List.of("/api", "/api/v1", "/apis/apps/v1", "/version", "/api/v1/pods")) {
            assertThat(gateway.send("HEAD", path).statusCode()).as(path).isEqualTo(405);
        }
        for (String path : List.of("/", "/apis", "/apis/apps", "/healthz", "/livez", "/readyz")) {
            HttpResponse<String> answer = gateway.send("HEAD", path);
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            assertThat(answer.body()).isEmpty();
        }
    }

    @Test
    void tellsAnUnknownResourceFromAnUnknownGroup() {
        gateway.serving(10);

        for (String path : List.of(
                "/api/v1/nopes",
                "/api/v2",
                "/apis/apps/v9",
                "/apis/apps/v9/deployments",
                "/api/v1//configmaps",
                "/api/v1/pods/foo",
                "/api/v1/namespaces/default/nodes",
                "/api/v1/namespaces/default/pods/x/nonsense")) {
            HttpResponse<String> answer = gateway.get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(404);
            assertThat(answer.body()).as(path).contains("the server could not find the requested resource");
        }
        for (String path : List.of("/apis/no.example.com", "/nope", "//api/v1/pods", "/apis//v1/pods", "/apis//v1")) {
            HttpResponse<String> answer = gateway.get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(404);
            assertThat(answer.body()).as(path).isEqualTo("404 page not found\n");
            assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        }
    }

    @Test
    void refusesWhatCanNotBeRead() {
        gateway.serving(10);
        String pods = "/api/v1/pods?";

        for (String query : List.of(
                "limit=abc",
                "limit=",
                "timeoutSeconds=1.5",
                "labelSelector=a%3D%3D%3Db",
                "fieldSelector=spec.nope%3Dx",
                "resourceVersion=-1",
                "watch=true&resourceVersion=abc",
                "continue=zzz")) {
            HttpResponse<String> answer = gateway.get(pods + query);
            assertThat(answer.statusCode()).as(query).isEqualTo(400);
            assertThat(answer.body()).as(query).contains("\"reason\":\"BadRequest\",\"code\":400");
        }
        assertThat(gateway.get("/api/v1/namespaces/default/pods/x?resourceVersion=abc")
                        .statusCode())
                .isEqualTo(400);
        assertThat(gateway.get(pods + "watch=true&sendInitialEvents=true").statusCode())
                .isEqualTo(422);
    }

    @Test
    void refusesMalformedEscapesWithoutAStackTrace() throws IOException {
        gateway.serving(10);

        for (String path : List.of("/api/v1/pods?labelSelector=%2", "/api/v1/%zz", "/api/v1/pods/%00", "/api/v1/%ff")) {
            try (RawConnection socket = gateway.connect()) {
                assertThat(socket.get(path).head()).as(path).startsWith("HTTP/1.1 400");
            }
        }
    }

    @Test
    void refusesWhatIsTooLong() throws IOException {
        gateway.serving(10);

        try (RawConnection socket = gateway.connect()) {
            assertThat(socket.get("/api/v1/pods?x=" + "y".repeat(40_000)).head())
                    .containsPattern("^HTTP/1.[01] 414 ");
        }
        try (RawConnection socket = gateway.connect()) {
            assertThat(socket.get("/api/v1/pods", "X: " + "y".repeat(70_000)).head())
                    .containsPattern("^HTTP/1.[01] 431 ");
        }
        try (RawConnection socket = gateway.connect()) {
            assertThat(socket.send("nonsense\r\n\r\n").head()).containsPattern("^HTTP/1.[01] 400 ");
        }
    }

    @Test
    void answersInJsonWhatAcceptsIt() {
        gateway.serving(10);

        for (String accept : List.of(
                "*/*",
                "application/*",
                "application/json",
                "text/html,application/json;q=0.5",
                "application/vnd.kubernetes.protobuf,application/json")) {
            HttpResponse<String> answer = gateway.get("/api/v1/pods", "Accept", accept);
            assertThat(answer.statusCode()).as(accept).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Type")).as(accept).hasValue("application/json");
            assertThat(answer.body()).as(accept).startsWith("{\"kind\":\"PodList\",");
        }
        for (String accept : List.of("text/html", "application/vnd.kubernetes.protobuf")) {
            HttpResponse<String> answer = gateway.get("/api/v1/pods", "Accept", accept);
            assertThat(answer.statusCode()).as(accept).isEqualTo(406);
            assertThat(answer.body())
                    .as(accept)
                    .contains("\"reason\": \"NotAcceptable\"")
                    .endsWith("}");
        }
    }

    @Test
    void servesAggregatedDiscoveryOncePerEntityTag() {
        gateway.serving(10);
        String accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

        for (String path : List.of("/api", "/apis")) {
            HttpResponse<String> document = gateway.get(path, "Accept", accept + ",application/json");
            String tag = document.headers().firstValue("ETag").orElseThrow();
            assertThat(document.headers().firstValue("Content-Type")).hasValue(accept);
            assertThat(document.body()).startsWith("{\"kind\":\"APIGroupDiscoveryList\"");
            assertThat(gateway.get(path, "Accept", accept, "If-None-Match", tag).statusCode())
                    .isEqualTo(304);
            assertThat(gateway.get(path, "Accept", "application/json").body()).doesNotContain("APIGroupDiscoveryList");
        }
        assertThat(gateway.get("/apis/apps/v1").body()).contains("\"name\":\"deployments\"");
        assertThat(gateway.get("/apis/watershed.io/v1").body()).contains("\"name\":\"keyvalues\"");
    }

    @Test
    void saysHowItIs() {
        gateway.serving(10);

        assertThat(gateway.get("/readyz").body()).isEqualTo("ok");
        assertThat(gateway.get("/readyz?verbose").body())
                .contains("[+]topic-caught-up ok: staleness ", "[+]kafka-connectivity ok\n", "[+]shutdown ok\n")
                .endsWith("readyz check passed\n");
        assertThat(gateway.get("/readyz/shutdown").body()).isEqualTo("ok");
        assertThat(gateway.get("/readyz?exclude=shutdown&verbose").body()).contains("[+]shutdown excluded: ok\n");
        assertThat(gateway.get("/livez?exclude=x&verbose").body()).contains("no matches for \"x\"\n");
        HttpResponse<String> unknown = gateway.get("/livez/nope");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).isEqualTo("404 page not found\n");
        assertThat(gateway.get("/metrics").body())
                .contains("watershed_gateway_revision 10.0", "watershed_gateway_staleness_seconds");
    }
}
