package io.watershed.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.config.LogConfiguration;
import io.watershed.config.Settings;
import io.watershed.gateway.http.ServerSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GatewayConfigurationTest {
    @Test
    void listensOnLoopbackUnlessToldOtherwise() throws Settings.Invalid {
        assertThat(server().host()).isEqualTo("127.0.0.1");
        assertThat(server("--gateway-listen=localhost:0").port()).isZero();
        assertThat(server("--gateway-listen=[::1]:8081").host()).isEqualTo("::1");
    }

    @Test
    void refusesAnAddressThatEveryoneReachesUnlessItIsSaidInSoManyWords() throws Settings.Invalid {
        assertThatThrownBy(() -> server("--gateway-listen=0.0.0.0:8080"))
                .isInstanceOf(Settings.Invalid.class)
                .hasMessageContaining("flag --gateway-listen")
                .hasMessageContaining("gateway.openToAll=true");
        assertThat(server("--gateway-listen=0.0.0.0:8080", "--gateway-open-to-all")
                        .host())
                .isEqualTo("0.0.0.0");
    }

    @Test
    void namesWhatIsNoAddress() {
        for (String address : List.of("8080", "127.0.0.1", "127.0.0.1:", ":8080", "127.0.0.1:70000", "127.0.0.1:x")) {
            assertThatThrownBy(() -> server("--gateway-listen=" + address))
                    .as(address)
                    .isInstanceOf(Settings.Invalid.class)
                    .hasMessageContaining("\"" + address + "\" and must be HOST:PORT");
        }
    }

    private static ServerSettings server(String... arguments) throws Settings.Invalid {
        return GatewayConfiguration.server(Settings.load(
                GatewayConfiguration.ALL, List.of(LogConfiguration.PROPERTIES), List.of(arguments), Map.of()));
    }
}
