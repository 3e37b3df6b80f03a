package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** What a client has told so far, as {@code ADDED name 17}; closing it ends the client. The supplier may be asked by any thread. */
record ObservedEvents(Supplier<List<String>> events, Runnable end) implements AutoCloseable {
    /**
     * These, in this order, and nothing else; but the first of them, which are the state that the client found, come in any order: client-go keeps
     * it in a map.
     */
    void await(List<String> expected, int found) {
        Awaitility.await("the client's events").atMost(HttpWatch.DEADLINE).untilAsserted(() -> {
            List<String> told = events.get();
            assertThat(told).hasSameSizeAs(expected);
            assertThat(told.subList(0, found)).containsExactlyInAnyOrderElementsOf(expected.subList(0, found));
            assertThat(told.subList(found, told.size()))
                    .containsExactlyElementsOf(expected.subList(found, expected.size()));
        });
    }

    @Override
    public void close() {
        end.run();
    }
}
