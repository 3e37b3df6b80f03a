package io.watershed.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpenApiIT {
    private static final String DOCUMENT = "/openapi/v3/apis/example.com/v1";
    private static final Pattern URL = Pattern.compile("\"serverRelativeURL\":\"(/openapi/[^\"]*)\"");

    private final GatewayFixture gateway = new GatewayFixture();

    @AfterEach
    void close() {
        gateway.close();
    }

    private void serving(String description) {
        if (gateway.cache.view().watermark() == 0) {
            gateway.serving(10);
        }
        gateway.reached(gateway.log.put(
                "customresourcedefinitions.apiextensions.k8s.io",
                null,
                "widgets.example.com",
                "},\"spec\":{\"group\":\"example.com\",\"scope\":\"Namespaced\",\"names\":{\"plural\":\"widgets\","
                        + "\"kind\":\"Widget\"},\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,"
                        + "\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\",\"description\":\"" + description
                        + "\"}}}]}}"));
    }

    private String indexed() {
        Matcher url = URL.matcher(gateway.get("/openapi/v3").body());
        assertThat(url.find()).isTrue();
        return url.group(1);
    }

    @Test
    void theIndexLeadsToADocumentThatMayBeKept() {
        serving("first");

        HttpResponse<String> index = gateway.get("/openapi/v3?timeout=32s", "Accept", "x/y");
        assertThat(index.statusCode()).isEqualTo(200);
        assertThat(index.headers().firstValue("Content-Type")).hasValue("text/plain; charset=utf-8");
        assertThat(index.body())
                .startsWith("{\"paths\":{\"apis/example.com/v1\":{")
                .doesNotContain("api/v1");
        HttpResponse<String> document = gateway.get(indexed() + "&timeout=32s");
        assertThat(document.statusCode()).isEqualTo(200);
        assertThat(document.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(document.headers().firstValue("Cache-Control")).hasValue("public, immutable");
        assertThat(document.headers().firstValue("Vary")).hasValue("Accept");
        assertThat(document.headers().firstValue("Expires").orElseThrow())
                .matches("[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT");
        assertThat(document.body()).contains("\"description\":\"first\"");
    }

    @Test
    void aDocumentIsSentOncePerEntityTag() {
        serving("first");

        HttpResponse<String> document = gateway.get(DOCUMENT);
        String tag = document.headers().firstValue("ETag").orElseThrow();
        assertThat(document.headers().firstValue("Cache-Control")).hasValue("no-cache, private");
        assertThat(indexed()).endsWith("hash=" + tag.replace("\"", ""));
        HttpResponse<String> again = gateway.get(DOCUMENT, "If-None-Match", tag);
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.headers().firstValue("ETag")).hasValue(tag);
        assertThat(again.body()).isEmpty();
        serving("second");
        assertThat(gateway.get(DOCUMENT, "If-None-Match", tag).body()).contains("\"description\":\"second\"");
    }

    @Test
    void anOldHashLeadsToTheDocumentOfTheNewOne() {
        serving("first");
        String old = indexed();
        serving("second");

        HttpResponse<String> moved = gateway.get(old);
        assertThat(moved.statusCode()).isEqualTo(301);
        assertThat(moved.headers().firstValue("Location")).hasValue(indexed());
        assertThat(indexed()).isNotEqualTo(old);
    }

    @Test
    void whatIsNotThereIsSaidSo() {
        serving("first");

        for (String path : new String[] {
            "/openapi/v3/api/v1",
            "/openapi/v3/apis/apps/v1",
            "/openapi/v3/apis/example.com/v9",
            "/openapi/v3/x",
            "/openapi/v2",
            "/openapi/"
        }) {
            HttpResponse<String> answer = gateway.get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(404);
            assertThat(answer.body()).as(path).isEqualTo("404 page not found\n");
        }
        for (String path : new String[] {DOCUMENT, "/openapi/v2"}) {
            String protobuf = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
            assertThat(gateway.get(path, "Accept", protobuf).statusCode())
                    .as(path)
                    .isEqualTo(406);
        }
        assertThat(gateway.get(DOCUMENT + "?hash=%ff").statusCode()).isEqualTo(400);
        assertThat(gateway.send("POST", "/openapi/v3").statusCode()).isEqualTo(405);
    }

    @Test
    void headIsAnsweredWithoutABody() {
        serving("first");

        for (String path : new String[] {"/openapi/v3", DOCUMENT}) {
            HttpResponse<String> answer = gateway.send("HEAD", path);
            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            assertThat(answer.body()).isEmpty();
        }
    }

    @Test
    void asksForPatienceUntilTheLogIsRead() {
        assertThat(gateway.get("/openapi/v3").statusCode()).isEqualTo(429);
    }
}
