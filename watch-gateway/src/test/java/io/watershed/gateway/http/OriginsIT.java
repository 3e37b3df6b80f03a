package io.watershed.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.gateway.fanout.FanoutSettings.Undecodable;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which web pages may ask: case B45. */
class OriginsIT {
    private static final String UI = "https://ui.example.com";
    private static final String MAPS = "/api/v1/configmaps";
    private final GatewayFixture gateway =
            new GatewayFixture(new ServerSettings("127.0.0.1", 0, true, null, Set.of(UI), Set.of(), Undecodable.FAIL));

    @BeforeEach
    void serve() {
        gateway.serving(10);
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void answersAPreflightOfAnAllowedOrigin() throws IOException {
        try (RawConnection page = gateway.connect()) {
            String head = page.send("OPTIONS " + MAPS + " HTTP/1.1\r\nHost: gw\r\nOrigin: " + UI
                            + "\r\nAccess-Control-Request-Method: GET"
                            + "\r\nAccess-Control-Request-Headers: authorization\r\n\r\n")
                    .head();
            assertThat(head)
                    .startsWith("HTTP/1.1 204 ")
                    .containsIgnoringCase("access-control-allow-origin: " + UI + "\n")
                    .containsIgnoringCase("access-control-allow-methods: GET, HEAD, POST\n")
                    .containsIgnoringCase("access-control-allow-headers: Accept, Authorization,")
                    .containsIgnoringCase("vary: Origin\n")
                    .doesNotContainIgnoringCase("allow-credentials");
            assertThat(page.get(MAPS, "Origin: " + UI).head())
                    .startsWith("HTTP/1.1 200 ")
                    .containsIgnoringCase("access-control-allow-origin: " + UI + "\n")
                    .containsIgnoringCase("access-control-expose-headers: ETag, Retry-After,")
                    .containsIgnoringCase("vary: Origin\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example",
                "null",
                "http://ui.example.com",
                "https://ui.example.com:444",
                "http://gw2"
            })
    void refusesAnyOtherOriginWhateverItAsks(String origin) throws IOException {
        for (String method : new String[] {"GET", "HEAD", "OPTIONS", "POST"}) {
            try (RawConnection page = gateway.connect()) {
                assertThat(page.send(method + " " + MAPS + " HTTP/1.1\r\nHost: gw\r\nOrigin: " + origin
                                        + "\r\nAccess-Control-Request-Method: GET\r\n\r\n")
                                .head())
                        .startsWith("HTTP/1.1 403 ")
                        .doesNotContainIgnoringCase("access-control-");
            }
        }
        try (RawConnection page = gateway.connect()) {
            assertThat(page.upgrade(MAPS + "?watch=1", "Origin: " + origin).head())
                    .startsWith("HTTP/1.1 403 ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "gw, http://gw",
        "gw, https://gw",
        "gw:443, https://gw",
        "gw:8080, http://gw:8080",
        "GW:8080, http://gw:8080",
        "[::1]:80, http://[::1]",
        "gw, https://ui.example.com",
    })
    void letsItsOwnPagesAndAllowedOnesOpenWebSockets(String host, String origin) throws IOException {
        try (RawConnection page = gateway.connect()) {
            assertThat(page.send("GET " + MAPS + "?watch=1 HTTP/1.1\r\nHost: " + host + "\r\nOrigin: " + origin
                                    + "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13"
                                    + "\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                            .head())
                    .startsWith("HTTP/1.1 101 ");
        }
    }

    @Test
    void refusesWhatAForeignPageLoadsWithoutSayingWho() throws IOException {
        try (RawConnection page = gateway.connect()) {
            assertThat(page.get(MAPS, "Sec-Fetch-Site: cross-site").head()).startsWith("HTTP/1.1 403 ");
        }
        try (RawConnection page = gateway.connect()) {
            assertThat(page.get(MAPS, "Sec-Fetch-Site: same-origin").head()).startsWith("HTTP/1.1 200 ");
        }
    }
}
