package io.watershed.gateway.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.log.Entry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FreshnessTest {
    private final Freshness freshness = new Freshness();

    @Test
    void isUnknownBeforeAHeadWasReached() {
        assertThat(freshness.staleness(1000)).isNull();
        freshness.progress(new Entry.Progress(5, 9, 1000, null));
        freshness.reached(8);
        assertThat(freshness.staleness(1000)).isNull();
        freshness.reached(9);
        assertThat(freshness.staleness(1500)).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void heartbeatsAloneDoNotLowerIt() {
        freshness.progress(new Entry.Progress(5, 5, 1000, null));
        freshness.reached(5);
        for (long now = 2000; now <= 9000; now += 1000) {
            freshness.progress(new Entry.Progress(5, 7, now, null));
            freshness.reached(5);
        }
        assertThat(freshness.staleness(9000)).isEqualTo(Duration.ofSeconds(8));
    }

    @Test
    void isTheAgeOfTheNewestHeadReached() {
        freshness.progress(new Entry.Progress(5, 6, 1000, null));
        freshness.progress(new Entry.Progress(5, 8, 2000, null));
        freshness.progress(new Entry.Progress(5, 9, 3000, null));
        freshness.reached(8);
        assertThat(freshness.staleness(3000)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void isNeverNegative() {
        freshness.progress(new Entry.Progress(5, 5, 9000, null));
        freshness.reached(5);
        assertThat(freshness.staleness(1000)).isEqualTo(Duration.ZERO);
    }

    @Test
    void knowsTheNewestHeadAfterALongTimeBehind() {
        for (int i = 0; i < 100_000; i++) {
            freshness.progress(new Entry.Progress(5, 10 + i, i, null));
            freshness.reached(5);
        }
        assertThat(freshness.staleness(0)).isNull();
        freshness.reached(10 + 99_999);
        assertThat(freshness.staleness(100_000)).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void tellsTheAddressOfWhoWroteLast() {
        freshness.progress(new Entry.Progress(5, 5, 0, "http://one"));
        freshness.lineage(new Entry.Lineage(5, 1, null, "c", 0, "start", List.of(), "f", "two", "http://two"));
        assertThat(freshness.address()).isEqualTo("http://two");
    }
}
