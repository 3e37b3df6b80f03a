package io.watershed.log.kafka;

import io.watershed.log.LogFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongPredicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the topic must be, so that it is a snapshot and the history of the window since: created so, checked, and refused with the command
 * that repairs it.
 *
 * <p><em>Threads:</em> confined to its owner; calls block for at most some seconds.
 */
public final class TopicContract implements AutoCloseable {
    static final int MAX_MESSAGE_BYTES = 16 << 20;

    private static final Logger LOGGER = LoggerFactory.getLogger(TopicContract.class);
    private static final long SEGMENT_BYTES = 256L << 20;
    private static final long DAY_MILLIS = 86_400_000;
    private static final long CALL_SECONDS = 15;
    private static final int NEW_TOPIC_TRIES = 50;

    /**
     * One setting that is not what it must be.
     *
     * @param stopsWriter whether going on publishing would destroy history, or the time by which it is judged
     * @param repair the command, or what to do where there is none
     */
    public record Violation(String config, String actual, String required, boolean stopsWriter, String repair) {}

    private final LogSettings settings;
    private final Admin admin;
    private boolean warnedOfAutoCreation;

    /** Does not wait for a broker; the calls do. */
    public TopicContract(LogSettings settings) {
        this.settings = settings;
        this.admin = Admin.create(ClientProperties.admin(settings));
    }

    /** Creates the topic with every setting explicit when it is absent and may be created. */
    public void createIfAbsent() throws LogFailure {
        if (exists()) {
            return;
        }
        if (!settings.createTopic()) {
            throw new LogFailure.ContractBroken(
                    "topic " + settings.topic() + " does not exist, and kafka.topic.create is false."
                            + " Create it: "
                            + command(
                                    "topics",
                                    "--create --topic " + settings.topic() + " --partitions 1"
                                            + " --replication-factor " + replicas() + creationConfigs()));
        }
        NewTopic topic = new NewTopic(settings.topic(), 1, (short) replicas()).configs(required());
        try {
            await("creating the topic", admin.createTopics(List.of(topic)).all());
            LOGGER.atInfo().addKeyValue("topic", settings.topic()).log("topic created");
        } catch (LogFailure.Unavailable e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
        // A broker may not know its new topic for a moment.
        for (int tries = 0; !exists(); tries++) {
            if (tries == NEW_TOPIC_TRIES) {
                throw new LogFailure.Unavailable("topic " + settings.topic() + " was created and does not appear");
            }
            pause();
        }
    }

    private int replicas() {
        return settings.singleBroker() ? 1 : 3;
    }

    private String creationConfigs() {
        StringBuilder text = new StringBuilder();
        required()
                .forEach((name, value) ->
                        text.append(" --config ").append(name).append('=').append(value));
        return text.toString();
    }

    private boolean exists() throws LogFailure {
        return await("listing the topics", admin.listTopics().names()).contains(settings.topic());
    }

    /** Every setting of the topic, as it is created. */
    private Map<String, String> required() {
        long window = settings.window().toMillis();
        Map<String, String> configs = new LinkedHashMap<>();
        configs.put("cleanup.policy", "compact");
        configs.put("message.timestamp.type", "LogAppendTime");
        configs.put("min.compaction.lag.ms", Long.toString(window));
        configs.put("max.compaction.lag.ms", Long.toString(2 * window));
        configs.put("segment.ms", Long.toString(Math.max(1, window / 6)));
        configs.put("segment.bytes", Long.toString(SEGMENT_BYTES));
        configs.put("min.cleanable.dirty.ratio", "0.1");
        configs.put("delete.retention.ms", Long.toString(Math.max(DAY_MILLIS, window)));
        configs.put("max.message.bytes", Integer.toString(MAX_MESSAGE_BYTES));
        configs.put("compression.type", "producer");
        configs.put("unclean.leader.election.enable", "false");
        configs.put("retention.ms", "-1");
        configs.put("retention.bytes", "-1");
        configs.put("min.insync.replicas", settings.singleBroker() ? "1" : "2");
        return configs;
    }

    /** Refuses a topic that is not what it must be: the message holds every violation and its repair. */
    public void require() throws LogFailure {
        List<Violation> found = violations();
        if (!found.isEmpty()) {
            StringBuilder message = new StringBuilder("topic " + settings.topic() + " at " + settings.bootstrapServers()
                    + " is not what it must be. Nothing is published.");
            for (Violation violation : found) {
                message.append("\n  ")
                        .append(violation.config())
                        .append(" is ")
                        .append(violation.actual())
                        .append(", must be ")
                        .append(violation.required())
                        .append(". Repair: ")
                        .append(violation.repair());
            }
            throw new LogFailure.ContractBroken(message.toString());
        }
    }

    /** What is not as it must be now, by effective values. */
    public List<Violation> violations() throws LogFailure {
        List<Violation> found = new ArrayList<>();
        TopicDescription topic = describe();
        Config config = config();
        layout(topic, config, found);
        exact(config, "cleanup.policy", "compact", true, found);
        exact(config, "message.timestamp.type", "LogAppendTime", true, found);
        long window = settings.window().toMillis();
        number(config, "min.compaction.lag.ms", window, lag -> lag == window, "", found);
        number(config, "max.compaction.lag.ms", 2 * window, lag -> lag >= window, "at least the window; ", found);
        number(config, "segment.ms", Math.max(1, window / 6), ms -> ms <= window, "at most the window; ", found);
        number(
                config,
                "delete.retention.ms",
                Math.max(DAY_MILLIS, window),
                ms -> ms >= Math.max(DAY_MILLIS, window),
                "at least ",
                found);
        number(config, "max.message.bytes", MAX_MESSAGE_BYTES, bytes -> bytes >= 4 << 20, "at least 4194304; ", found);
        number(config, "retention.ms", -1, ms -> ms == -1, "", found);
        number(config, "retention.bytes", -1, bytes -> bytes == -1, "", found);
        exact(config, "unclean.leader.election.enable", "false", false, found);
        exact(config, "compression.type", "producer", false, found);
        beginning(found);
        warnOfAutoCreation();
        return found;
    }

    private void layout(TopicDescription topic, Config config, List<Violation> found) {
        String again = "the log needs a topic of its own: set kafka.topic.name to one that does not exist yet";
        if (topic.partitions().size() != 1) {
            found.add(new Violation(
                    "partitions", Integer.toString(topic.partitions().size()), "1", true, again));
        }
        if (!settings.singleBroker()) {
            int replicas = topic.partitions().get(0).replicas().size();
            if (replicas < 2) {
                found.add(
                        new Violation(
                                "replication factor",
                                Integer.toString(replicas),
                                "at least 2",
                                false,
                                "reassign the partition to more brokers with bin/kafka reassign-partitions, or set"
                                        + " kafka.topic.singleBroker=true and accept that power loss may lose the end of the log"));
            }
            number(config, "min.insync.replicas", 2, isr -> isr >= 2, "at least ", found);
        }
    }

    private void beginning(List<Violation> found) throws LogFailure {
        TopicPartition partition = new TopicPartition(settings.topic(), 0);
        long first = await(
                        "reading the first offset",
                        admin.listOffsets(Map.of(partition, OffsetSpec.earliest()))
                                .partitionResult(partition))
                .offset();
        if (first != 0) {
            found.add(new Violation(
                    "first offset",
                    Long.toString(first),
                    "0",
                    true,
                    "records were deleted from this topic, its history is lost: set kafka.topic.name to a new one"));
        }
    }

    private void exact(Config config, String name, String required, boolean stops, List<Violation> found) {
        String actual = value(config, name);
        if (!actual.equals(required)) {
            found.add(new Violation(name, shown(actual), required, stops, alter(name, required)));
        }
    }

    private void number(
            Config config, String name, long repaired, LongPredicate holds, String rule, List<Violation> found) {
        String actual = value(config, name);
        if (!holds.test(Long.parseLong(actual))) {
            found.add(new Violation(name, actual, rule + repaired, false, alter(name, Long.toString(repaired))));
        }
    }

    private static String shown(String value) {
        return value.isEmpty() ? "empty" : value;
    }

    private String alter(String name, String value) {
        // Several values are one value with commas, which the tool takes in brackets only.
        return command(
                "configs",
                "--alter --entity-type topics --entity-name " + settings.topic() + " --add-config " + name + "="
                        + value);
    }

    private String command(String tool, String arguments) {
        return "bin/kafka " + tool + " --bootstrap-server " + settings.bootstrapServers() + " " + arguments;
    }

    private static String value(Config config, String name) {
        String value = config.get(name) == null ? null : config.get(name).value();
        return value == null ? "" : value;
    }

    private void warnOfAutoCreation() {
        if (warnedOfAutoCreation) {
            return;
        }
        warnedOfAutoCreation = true;
        try {
            int broker = await("describing the cluster", admin.describeCluster().controller())
                    .id();
            ConfigResource resource = new ConfigResource(ConfigResource.Type.BROKER, Integer.toString(broker));
            Config config = await(
                    "reading the broker's configuration",
                    admin.describeConfigs(List.of(resource)).values().get(resource));
            if (!value(config, "auto.create.topics.enable").equals("false")) {
                LOGGER.atWarn()
                        .log(
                                "the broker creates topics by itself (auto.create.topics.enable): a topic that is deleted under a"
                                        + " running client comes back with other settings. Set it to false");
            }
        } catch (LogFailure e) {
            LOGGER.atWarn()
                    .addKeyValue("error", e.getMessage())
                    .log(
                            "can't read the broker's configuration, so auto.create.topics.enable is not checked: it must be false");
        }
    }

    private TopicDescription describe() throws LogFailure {
        return known(
                "describing the topic",
                () -> admin.describeTopics(List.of(settings.topic()))
                        .topicNameValues()
                        .get(settings.topic()));
    }

    private Config config() throws LogFailure {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, settings.topic());
        return known(
                "reading the topic's configuration",
                () -> admin.describeConfigs(List.of(resource)).values().get(resource));
    }

    /** The id that Kafka gave the topic: another one after it was deleted and created again. */
    public Uuid topicId() throws LogFailure {
        return describe().topicId();
    }

    private interface Ask<T> {
        @Nullable
        KafkaFuture<T> ask();
    }

    /** Asks again for a moment when the broker does not know the topic: it may just have been created. */
    private <T> T known(String what, Ask<T> ask) throws LogFailure {
        for (int tries = 0; ; tries++) {
            try {
                return await(what, java.util.Objects.requireNonNull(ask.ask()));
            } catch (LogFailure.Unavailable e) {
                if (!(e.getCause() instanceof UnknownTopicOrPartitionException) || tries == 5) {
                    throw e;
                }
                pause();
            }
        }
    }

    private <T> T await(String what, @Nullable KafkaFuture<T> future) throws LogFailure.Unavailable {
        try {
            return java.util.Objects.requireNonNull(future).get(CALL_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw ClientProperties.unavailable(settings, what, cause instanceof KafkaException kafka ? kafka : e);
        } catch (TimeoutException e) {
            throw ClientProperties.unavailable(settings, what, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ClientProperties.unavailable(settings, what, e);
        }
    }

    private static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The names of topics that exist, for a reader that waits for its topic. */
    Set<String> topics() throws LogFailure {
        return await("listing the topics", admin.listTopics().names());
    }

    @Override
    public void close() {
        admin.close(java.time.Duration.ofSeconds(2));
    }
}
