package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** What a client has told so far, as {@code ADDED name 17}; closing it ends the client. The supplier may be asked by any thread. */
record ObservedEvents(Supplier<List<String>> events, Runnable end) implements AutoCloseable {
    /** These, in this order, and nothing else. */
    void await(List<String> expected) {
        Awaitility.await("the client's events")
                .atMost(HttpWatch.DEADLINE)
                .untilAsserted(() -> assertThat(events.get()).containsExactlyElementsOf(expected));
    }

    @Override
    public void close() {
        end.run();
    }
}
