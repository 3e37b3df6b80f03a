package io.watershed.ingest.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PageSizeTest {
    @Test
    void growsTowardsTheTargetStepByStep() {
        PageSize size = new PageSize(true);
        assertThat(size.keys()).isEqualTo(500);
        size.came(500, 500 * 100);
        assertThat(size.keys()).isEqualTo(2000);
        size.came(2000, 2000 * 100);
        size.came(8000, 8000 * 100);
        assertThat(size.keys()).isEqualTo(10_000);
    }

    @Test
    void shrinksWithLargeValues() {
        PageSize size = new PageSize(true);
        size.came(500, 500L * (1 << 20));
        assertThat(size.keys()).isEqualTo(3);
    }

    @Test
    void asksForLargePagesWhereEachOneWalksTheIndex() {
        PageSize size = new PageSize(false);
        size.came(500, 500 * 1000);
        assertThat(size.keys()).isEqualTo(4000);
    }

    @Test
    void endsWithOneKeyWhenPagesAreTooLarge() {
        PageSize size = new PageSize(true);
        assertThat(size.shrink()).isTrue();
        assertThat(size.keys()).isEqualTo(50);
        assertThat(size.shrink()).isTrue();
        assertThat(size.shrink()).isTrue();
        assertThat(size.keys()).isEqualTo(1);
        assertThat(size.shrink()).isFalse();
    }
}
