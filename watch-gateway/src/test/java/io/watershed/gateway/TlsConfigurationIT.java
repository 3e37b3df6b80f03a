package io.watershed.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.config.LogConfiguration;
import io.watershed.config.Settings;
import io.watershed.gateway.http.ServerSettings;
import io.watershed.gateway.http.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsConfigurationIT {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set before any test
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"RSA", "EC"})
    void takesACertificateWithItsKey(String algorithm) throws IOException, GeneralSecurityException, Settings.Invalid {
        TestCertificate made = TestCertificate.make(directory, algorithm);

        assertThat(server(made.certificate(), made.key()).tls()).isNotNull();
    }

    @Test
    void namesTheSettingOfAFileThatWillNotDo() throws IOException, GeneralSecurityException {
        TestCertificate made = TestCertificate.make(directory, "RSA");
        Path other = TestCertificate.make(Files.createDirectory(directory.resolve("other")), "RSA")
                .key();
        Path curve = TestCertificate.make(directory, "EC").key();
        Path text = Files.writeString(directory.resolve("text"), "nothing");
        Path old = Files.writeString(directory.resolve("old"), "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n");
        Path none = directory.resolve("none");

        assertRefused(none, made.key(), "gateway.tls.certificate", "can't be read");
        assertRefused(text, made.key(), "gateway.tls.certificate", "must name a PEM file with a certificate");
        assertRefused(made.certificate(), none, "gateway.tls.key", "can't be read");
        assertRefused(made.certificate(), old, "gateway.tls.key", "openssl pkcs8 -topk8");
        assertRefused(made.certificate(), other, "gateway.tls.key", "is not its certificate's");
        assertRefused(made.certificate(), curve, "gateway.tls.key", "of another kind");
        assertRefused(made.certificate(), Path.of(""), "gateway.tls.key", "must be set");
        assertRefused(Path.of(""), made.key(), "gateway.tls.certificate", "must be set");
    }

    @Test
    void takesOriginsAsBrowsersWriteThem() throws Settings.Invalid {
        assertThat(load("--gateway-allowed-origins=https://ui.example.com,http://localhost:3000,http://[::1]:3000")
                        .allowedOrigins())
                .containsExactlyInAnyOrder("https://ui.example.com", "http://localhost:3000", "http://[::1]:3000");
        for (String origin :
                List.of("*", "ui.example.com", "https://ui.example.com/", "https://UI.example.com", "null")) {
            assertThatThrownBy(() -> load("--gateway-allowed-origins=" + origin))
                    .isInstanceOf(Settings.Invalid.class)
                    .hasMessageContaining("gateway.allowedOrigins")
                    .hasMessageContaining("scheme://host[:port]");
        }
    }

    private static void assertRefused(Path certificate, Path key, String setting, String problem) {
        assertThatThrownBy(() -> server(certificate, key))
                .isInstanceOf(Settings.Invalid.class)
                .hasMessageContaining(setting + " is \"")
                .hasMessageContaining(problem);
    }

    private static ServerSettings server(Path certificate, Path key) throws Settings.Invalid {
        return load("--gateway-tls-certificate=" + certificate, "--gateway-tls-key=" + key);
    }

    private static ServerSettings load(String... arguments) throws Settings.Invalid {
        return GatewayConfiguration.server(Settings.load(
                GatewayConfiguration.ALL, List.of(LogConfiguration.PROPERTIES), List.of(arguments), Map.of()));
    }
}
