package io.watershed.log.kafka;

import io.watershed.testkit.BrokerProcess;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One broker for all test classes of the JVM: starting one takes longer than most tests. Each test takes a topic of its own. */
final class SharedBroker implements BeforeAllCallback {
    private static final AtomicInteger TOPICS = new AtomicInteger();

    private static final class Running implements AutoCloseable {
        final BrokerProcess broker = BrokerProcess.start();

        @Override
        public void close() {
            broker.close();
        }
    }

    private static @Nullable BrokerProcess running;

    @Override
    public void beforeAll(ExtensionContext context) {
        running = context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(Running.class, key -> new Running(), Running.class)
                .broker;
    }

    /** The broker itself, for a test that kills it and starts it again. */
    static BrokerProcess process() {
        return Objects.requireNonNull(running, "no test class has asked for the broker");
    }

    /** Settings for a topic that no other test uses. */
    static LogSettings settings() {
        return settings(Duration.ofHours(1));
    }

    static LogSettings settings(Duration window) {
        return settings(window, Map.of());
    }

    static LogSettings settings(Duration window, Map<String, String> clientProperties) {
        return new LogSettings(
                process().bootstrapServers(), "log-" + TOPICS.incrementAndGet(), window, true, true, clientProperties);
    }
}
