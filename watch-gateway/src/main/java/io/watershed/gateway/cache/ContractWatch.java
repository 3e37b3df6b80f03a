package io.watershed.gateway.cache;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.watershed.log.LogFailure;
import io.watershed.log.kafka.TopicContract.Violation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks once a minute whether the topic is still what it must be. That it is not is a condition and a metric, and no reason to stop
 * serving: what was read stays true.
 *
 * <p><em>Threads:</em> one of its own asks, so that a slow broker delays no event; any reads {@link #conditions}.
 */
final class ContractWatch implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(ContractWatch.class);
    private static final Duration APART = Duration.ofMinutes(1);
    /** There may be no broker yet, or no topic. */
    private static final Duration SOON = Duration.ofSeconds(5);

    /** What is asked; its thread is the watch's. */
    interface Topic extends AutoCloseable {
        List<Violation> violations() throws LogFailure;

        @Override
        void close();
    }

    private final Topic topic;
    private final MultiGauge gauge;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "topic-contract");
    private volatile List<Violation> found = List.of();

    ContractWatch(Topic topic, MeterRegistry meters) {
        this.topic = topic;
        this.gauge = MultiGauge.builder("watershed_topic_contract_violations")
                .description("Settings of the topic that are not what they must be")
                .register(meters);
    }

    void start() {
        // It may wait for a broker, and has nothing to end in order.
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try (topic) {
            Duration pause = look() ? APART : SOON;
            while (!stop.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                pause = look() ? APART : SOON;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks once. False when there was no answer: what was found last stays. */
    boolean look() {
        List<Violation> now;
        try {
            now = topic.violations();
        } catch (LogFailure | RuntimeException e) {
            // The feed says it when the broker or the topic is away.
            LOGGER.atDebug().addKeyValue("error", e.getMessage()).log("what the topic must be could not be checked");
            return false;
        }
        for (Violation violation : now) {
            if (!found.contains(violation)) {
                LOGGER.atWarn()
                        .addKeyValue("config", violation.config())
                        .addKeyValue("is", violation.actual())
                        .addKeyValue("mustBe", violation.required())
                        .addKeyValue("remedy", violation.repair())
                        .log("the topic is not what it must be; what is here is served on");
            }
        }
        found = List.copyOf(now);
        gauge.register(
                now.stream()
                        .map(violation -> MultiGauge.Row.of(Tags.of("config", violation.config()), 1))
                        .toList(),
                true);
        return true;
    }

    /** What is wrong with the topic, each with its repair; empty when nothing is known to be. */
    List<String> conditions() {
        return found.stream()
                .map(violation -> "the topic's " + violation.config() + " is " + violation.actual() + ", must be "
                        + violation.required() + ": " + violation.repair())
                .toList();
    }

    @Override
    public void close() {
        stop.countDown();
    }
}
