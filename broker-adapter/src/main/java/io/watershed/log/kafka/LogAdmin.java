package io.watershed.log.kafka;

import io.watershed.log.LogFailure;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Questions to the cluster about the log's topic; each answered, or failed, within a bound. Connects with the first question, so that a
 * broker which can't be found yet is a failure like any other.
 *
 * <p><em>Threads:</em> confined to its owner.
 */
final class LogAdmin implements AutoCloseable {
    /** Above the client's own limit for a call: its message is the better one. */
    private static final long CALL_SECONDS = 15;

    private static final int UNKNOWN_TRIES = 10;
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private final LogSettings settings;
    private final TopicPartition partition;
    private @Nullable Admin admin;

    LogAdmin(LogSettings settings) {
        this.settings = settings;
        this.partition = new TopicPartition(settings.topic(), 0);
    }

    boolean topicExists() throws LogFailure {
        return ask("listing the topics", to -> to.listTopics().names()).contains(settings.topic());
    }

    TopicDescription describe() throws LogFailure {
        return known(
                "describing topic " + settings.topic(),
                to -> to.describeTopics(List.of(settings.topic()))
                        .topicNameValues()
                        .get(settings.topic()));
    }

    /** Effective values. */
    Map<String, String> topicConfigs() throws LogFailure {
        return configs(new ConfigResource(ConfigResource.Type.TOPIC, settings.topic()));
    }

    Map<String, String> brokerConfigs(int broker) throws LogFailure {
        return configs(new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(broker)));
    }

    private Map<String, String> configs(ConfigResource resource) throws LogFailure {
        Map<String, String> values = new HashMap<>();
        for (ConfigEntry entry : known(
                        "reading the configuration of " + resource.type() + " " + resource.name(),
                        to -> to.describeConfigs(List.of(resource)).values().get(resource))
                .entries()) {
            if (entry.value() != null) {
                values.put(entry.name(), entry.value());
            }
        }
        return values;
    }

    List<Integer> brokers() throws LogFailure {
        return ask("describing the cluster", to -> to.describeCluster().nodes()).stream()
                .map(node -> node.id())
                .sorted()
                .toList();
    }

    /** Offset of the first, or behind the last, record of the topic. */
    long offset(OffsetSpec which, IsolationLevel isolation) throws LogFailure {
        return known(
                        "reading the ends of topic " + settings.topic(),
                        to -> to.listOffsets(Map.of(partition, which), new ListOffsetsOptions(isolation))
                                .partitionResult(partition))
                .offset();
    }

    /** Asks again for a moment when the broker does not know the topic: it may just have been created. */
    private <T> T known(String what, Function<Admin, @Nullable KafkaFuture<T>> question) throws LogFailure {
        for (int tries = 1; ; tries++) {
            try {
                return ask(what, question);
            } catch (LogFailure.Unavailable e) {
                if (!isUnknownTopic(e) || tries == UNKNOWN_TRIES) {
                    throw e;
                }
                pause();
            }
        }
    }

    static boolean isUnknownTopic(LogFailure failure) {
        return failure.getCause() instanceof UnknownTopicOrPartitionException;
    }

    <T> T ask(String what, Function<Admin, @Nullable KafkaFuture<T>> question) throws LogFailure.Unavailable {
        try {
            Admin open = admin;
            if (open == null) {
                open = Admin.create(ClientProperties.admin(settings));
                admin = open;
            }
            return Objects.requireNonNull(question.apply(open)).get(CALL_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw ClientProperties.unavailable(
                    settings, what, e.getCause() instanceof KafkaException kafka ? kafka : e);
        } catch (KafkaException | TimeoutException e) {
            throw ClientProperties.unavailable(settings, what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ClientProperties.unavailable(settings, what, e);
        }
    }

    static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        Admin open = admin;
        if (open != null) {
            open.close(CLOSE);
            admin = null;
        }
    }
}
