package io.watershed.gateway.http;

import static io.watershed.gateway.cache.ObjectLog.Write.put;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.gateway.cache.ObjectLog;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GzipIT {
    private static final String MANY = "/api/v1/namespaces/many/configmaps";
    private static final String FEW = "/api/v1/namespaces/few/configmaps";
    private static final String LARGE = "/api/v1/namespaces/large/configmaps/one";
    private static final int THRESHOLD = 128 << 10;
    private final GatewayFixture gateway = new GatewayFixture();

    @AfterEach
    void close() {
        gateway.close();
    }

    private void serving() {
        gateway.serving(10);
        ObjectLog.Write[] writes = new ObjectLog.Write[3000];
        for (int i = 0; i < writes.length; i++) {
            writes[i] = put("configmaps", "many", "n%04d".formatted(i), "},\"data\":{\"k\":\"" + i * 7919 + "\"}}");
        }
        gateway.log.write(writes);
        gateway.log.put("configmaps", "few", "one", "},\"data\":{\"k\":\"é\"}}");
        gateway.log.put("configmaps", "large", "one", "},\"data\":{\"k\":\"" + "0123456789".repeat(20_000) + "\"}}");
        gateway.reached(13);
    }

    @ParameterizedTest
    @ValueSource(strings = {MANY, MANY + "?limit=2000", MANY + "?pretty=true", LARGE})
    void longAnswersAreCompressedForWhoAcceptsIt(String path) throws IOException {
        serving();

        String plain = gateway.get(path).body();
        HttpResponse<byte[]> answer = gateway.bytes(path, "Accept-Encoding", "deflate, gzip");
        assertThat(plain.length()).isGreaterThan(THRESHOLD);
        assertThat(answer.headers().firstValue("Content-Encoding")).hasValue("gzip");
        assertThat(answer.headers().allValues("Vary")).containsExactly("Accept-Encoding");
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(answer.body().length).isLessThan(plain.length() / 4);
        assertThat(uncompressed(answer.body())).isEqualTo(plain);
    }

    @Test
    void yamlAndTablesAreCompressedToo() throws IOException {
        serving();

        for (String accept : new String[] {"application/yaml", "application/json;as=Table;v=v1;g=meta.k8s.io"}) {
            HttpResponse<byte[]> answer = gateway.bytes(MANY, "Accept-Encoding", "gzip", "Accept", accept);
            assertThat(answer.headers().firstValue("Content-Encoding")).hasValue("gzip");
            assertThat(uncompressed(answer.body()))
                    .isEqualTo(gateway.get(MANY, "Accept", accept).body());
        }
    }

    @Test
    void shortAnswersAreSentAsTheyAre() {
        serving();

        for (String path : new String[] {FEW, FEW + "/one", MANY + "?limit=10", "/api/v1/namespaces/none/configmaps"}) {
            HttpResponse<byte[]> answer = gateway.bytes(path, "Accept-Encoding", "gzip");
            assertThat(answer.headers().firstValue("Content-Encoding")).as(path).isEmpty();
            assertThat(new String(answer.body(), UTF_8))
                    .as(path)
                    .isEqualTo(gateway.get(path).body());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", "gzip;q=0", "gzip;q=1.0", "GZIP", "x-gzip", "br, *", ""})
    void onlyTheVeryWordAsksForIt(String accepted) {
        serving();

        HttpResponse<byte[]> answer = gateway.bytes(MANY, "Accept-Encoding", accepted);
        assertThat(answer.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(answer.headers().firstValue("Vary")).isEmpty();
        assertThat(new String(answer.body(), ISO_8859_1)).startsWith("{\"kind\":\"ConfigMapList\"");
    }

    @Test
    void watchesAreNotCompressed() throws IOException {
        serving();

        try (RawConnection watch = gateway.connect()) {
            String head = watch.get(
                            MANY + "?watch=true&allowWatchBookmarks=true&sendInitialEvents=true"
                                    + "&resourceVersionMatch=NotOlderThan&timeoutSeconds=20",
                            "Accept-Encoding: gzip")
                    .head();
            assertThat(head).startsWith("HTTP/1.1 200").doesNotContainIgnoringCase("content-encoding");
            assertThat(watch.chunk()).startsWith("{\"type\":\"ADDED\"");
        }
    }

    private static String uncompressed(byte[] body) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(body))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }
}
