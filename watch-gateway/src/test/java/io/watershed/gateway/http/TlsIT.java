package io.watershed.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemTrustOptions;
import io.watershed.gateway.fanout.FanoutSettings.Undecodable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsIT {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    @SuppressWarnings("NullAway.Init") // set before any test
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private TestCertificate certificate;

    @SuppressWarnings("NullAway.Init")
    private GatewayFixture gateway;

    private final Vertx vertx = Vertx.vertx();

    /** Vert.x closes those that nobody holds. */
    private final List<HttpClient> clients = new ArrayList<>();

    @BeforeEach
    void start() throws IOException, GeneralSecurityException {
        certificate = TestCertificate.make(directory, "EC");
        TlsSettings tls = new TlsSettings(
                certificate.certificate().toString(), certificate.key().toString());
        gateway =
                new GatewayFixture(new ServerSettings("127.0.0.1", 0, true, tls, Set.of(), Set.of(), Undecodable.FAIL));
        gateway.serving(10);
        gateway.log.put("configmaps", "default", "a", "}}");
        gateway.reached(11);
    }

    @AfterEach
    void close() {
        clients.forEach(client -> GatewayFixture.done(client.close()));
        GatewayFixture.done(vertx.close());
        gateway.close();
    }

    private HttpClient client(HttpVersion version, boolean alpn, String... protocols) {
        HttpClientOptions options = new HttpClientOptions()
                .setSsl(true)
                .setUseAlpn(alpn)
                .setProtocolVersion(version)
                .setDefaultHost("localhost")
                .setDefaultPort(gateway.port)
                .setTrustOptions(trust());
        if (protocols.length > 0) {
            options.setEnabledSecureTransportProtocols(Set.of(protocols));
        }
        HttpClient client = vertx.createHttpClient(options);
        clients.add(client);
        return client;
    }

    private PemTrustOptions trust() {
        return new PemTrustOptions().addCertPath(certificate.certificate().toString());
    }

    private static HttpClientResponse get(HttpClient client, String path) {
        return GatewayFixture.done(client.request(HttpMethod.GET, path)
                .compose(request -> request.send())
                .compose(response -> response.body().map(response)));
    }

    @Test
    void agreesOnTheVersionOfHttpByAlpn() {
        assertThat(get(client(HttpVersion.HTTP_2, true), MAPS).version()).isEqualTo(HttpVersion.HTTP_2);
        assertThat(get(client(HttpVersion.HTTP_1_1, true), MAPS).version()).isEqualTo(HttpVersion.HTTP_1_1);
        assertThat(get(client(HttpVersion.HTTP_1_1, false), MAPS).version()).isEqualTo(HttpVersion.HTTP_1_1);
    }

    @Test
    void speaksTls12And13Only() {
        for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
            HttpClientResponse response = get(client(HttpVersion.HTTP_1_1, false, protocol), MAPS);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.request().connection().sslSession().getProtocol())
                    .isEqualTo(protocol);
        }
        assertThatThrownBy(() -> get(client(HttpVersion.HTTP_1_1, false, "TLSv1.1"), MAPS))
                .isNotNull();
    }

    @Test
    void watchesOverBothVersionsOfHttp() {
        for (HttpVersion version : List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1)) {
            List<String> chunks = new CopyOnWriteArrayList<>();
            GatewayFixture.done(client(version, true)
                    .request(HttpMethod.GET, MAPS + "?watch=1&resourceVersion=10")
                    .compose(request -> request.send())
                    .map(response -> response.handler(bytes -> chunks.add(bytes.toString()))));
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(String.join("", chunks))
                            .startsWith("{\"type\":\"ADDED\"")
                            .endsWith("}}}\n"));
        }
    }

    @Test
    void watchesOverAWebSocket() throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        try (InputStream pem = Files.newInputStream(certificate.certificate())) {
            trusted.setCertificateEntry(
                    "gateway", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        String url = MAPS + "?watch=1&resourceVersion=10&timeoutSeconds=1";
        try (RawConnection watch =
                new RawConnection(context.getSocketFactory().createSocket("localhost", gateway.port))) {
            assertThat(watch.upgrade(url).head()).startsWith("HTTP/1.1 101 ");
            assertThat(watch.frame()).startsWith("TEXT {\"type\":\"ADDED\"");
            assertThat(watch.frame()).isEqualTo("CLOSE 1000");
        }
    }

    @Test
    void doesNotSpeakWithoutTls() throws IOException {
        try (RawConnection plain = gateway.connect()) {
            assertThat(plain.get(MAPS).rest()).doesNotContain("HTTP/");
        }
    }
}
