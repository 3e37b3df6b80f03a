package io.watershed.ingest.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProgressWatchdogTest {
    private final ProgressWatchdog watchdog = new ProgressWatchdog(100);

    private void starve(int seconds) {
        watchdog.starved(TimeUnit.SECONDS.toNanos(seconds));
    }

    @Test
    void calmsOnAnIdleEtcd() {
        watchdog.head(100);
        starve(3600);
        assertThat(watchdog.isBehind()).isFalse();
        assertThat(watchdog.isSilent()).isFalse();
    }

    @Test
    void findsAStreamThatDoesNotReachTheHead() {
        watchdog.head(101);
        starve(5);
        assertThat(watchdog.lacksProgress()).isFalse();
        starve(1);
        assertThat(watchdog.lacksProgress()).isTrue();
        assertThat(watchdog.isSilent()).isFalse();
        starve(5);
        assertThat(watchdog.isSilent()).isTrue();
        assertThat(watchdog.expected()).isEqualTo(101);
    }

    @Test
    void bearsALongCatchUp() {
        watchdog.head(100_000);
        for (long revision = 101; revision < 1000; revision++) {
            starve(9);
            watchdog.released(revision);
            assertThat(watchdog.isSilent()).isFalse();
        }
    }

    @Test
    void keepsTheFirstHeadThatIsAhead() {
        watchdog.head(101);
        starve(6);
        watchdog.head(200);
        starve(6);
        assertThat(watchdog.isSilent()).isTrue();
        watchdog.released(101);
        assertThat(watchdog.isBehind()).isFalse();
        assertThat(watchdog.isSilent()).isFalse();
    }
}
