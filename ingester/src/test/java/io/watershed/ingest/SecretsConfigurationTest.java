package io.watershed.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.config.LogConfiguration;
import io.watershed.config.Settings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsConfigurationTest {
    private static Settings settings(String... arguments) throws Settings.Invalid {
        return Settings.load(
                IngesterConfiguration.ALL, List.of(LogConfiguration.PROPERTIES), List.of(arguments), Map.of());
    }

    private static String fingerprint(Settings settings) throws Settings.Invalid {
        return IngesterConfiguration.fingerprint(IngesterConfiguration.etcd(settings), List.of(), settings);
    }

    @Test
    void anotherModeIsAnotherConfiguration() throws Exception {
        assertThat(fingerprint(settings("--ingester-secrets=full"))).isNotEqualTo(fingerprint(settings()));
        assertThat(fingerprint(settings("--ingester-secrets=none"))).isEqualTo(fingerprint(settings()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"metadata", "redacted"})
    void modesOfSecretsThatAreNotThereYetAreRefusedAndSaidToBe(String mode) {
        assertThatThrownBy(() -> settings("--ingester-secrets=" + mode))
                .hasMessage("flag --ingester-secrets: ingester.secrets is \"" + mode
                        + "\" and must be none or full; metadata and redacted are not available yet");
    }

    @Test
    void anyOtherModeOfSecretsIsRefused() {
        assertThatThrownBy(() -> settings("--ingester-secrets=all")).hasMessageEndingWith("must be none or full");
    }

    @Test
    void secretsAreExcludedUnlessTheyAreAskedForInFull() throws Exception {
        Settings none = settings("--kubernetes-root=/k8s/");
        Settings full = settings("--ingester-secrets=full");

        assertThat(IngesterConfiguration.etcd(none).exclude())
                .extracting(Object::toString)
                .containsExactly("/watershed/", "/k8s/secrets/");
        assertThat(IngesterConfiguration.etcd(full).exclude())
                .extracting(Object::toString)
                .containsExactly("/watershed/");
    }
}
