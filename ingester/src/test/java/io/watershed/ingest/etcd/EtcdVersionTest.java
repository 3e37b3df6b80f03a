package io.watershed.ingest.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EtcdVersionTest {
    @ParameterizedTest
    @CsvSource({
        "3.4.23, false, false",
        "3.4.24, false, true",
        "3.4.30, false, true",
        "3.4.31, true, true",
        "3.5.12, false, true",
        "3.5.13, true, true",
        "3.6.0-rc.1, true, true",
        "3.7.3, true, true",
        "4.0.0, true, true"
    })
    void trustsProgressAndPagesFromTheFixedVersionsOn(String version, boolean progress, boolean pages) {
        assertThat(EtcdVersion.parse(version).trustworthyProgress()).isEqualTo(progress);
        assertThat(EtcdVersion.parse(version).cheapPages()).isEqualTo(pages);
    }

    @ParameterizedTest
    @CsvSource({"3.4.31, 3.5.1", "3.5.9, 3.5.13", "3.7.3, 4.0.0"})
    void ordersByNumber(String older, String newer) {
        assertThat(EtcdVersion.parse(older)).isLessThan(EtcdVersion.parse(newer));
    }

    @ParameterizedTest
    @CsvSource({
        "3.4.23, --experimental-watch-progress-notify-interval",
        "3.5.9, --experimental-watch-progress-notify-interval",
        "3.6.0, --watch-progress-notify-interval"
    })
    void knowsTheFlagByItsNameInThatVersion(String version, String flag) {
        assertThat(EtcdVersion.parse(version).progressFlag()).isEqualTo(flag);
    }

    @Test
    void refusesWhatIsNoVersion() {
        assertThatThrownBy(() -> EtcdVersion.parse("nonsense")).hasMessageContaining("nonsense");
    }
}
