package io.watershed.log.kafka;

import io.watershed.log.LogFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the topic must be, so that it is a snapshot and the history of the window since: created so, checked, and refused with the command
 * that repairs it.
 *
 * <p><em>Threads:</em> confined to its owner. <em>Errors:</em> a cluster that does not answer is {@link LogFailure.Unavailable} within
 * some seconds.
 */
public final class TopicContract implements AutoCloseable {
    /** In the message of {@link #require}: the commands follow. */
    public static final String REFUSAL = "is not what it must be. Nothing is published. Repair:";

    private static final Logger LOGGER = LoggerFactory.getLogger(TopicContract.class);
    private static final int NEW_TOPIC_TRIES = 50;
    private static final String AUTO_CREATE = "auto.create.topics.enable";

    /**
     * One setting that is not what it must be.
     *
     * @param stopsWriter whether going on publishing would destroy history, or the time by which it is judged
     * @param repair the command, or what to do where there is none
     */
    public record Violation(String config, String actual, String required, boolean stopsWriter, String repair) {}

    private final LogSettings settings;
    private final TopicRules rules;
    private final LogAdmin admin;
    private boolean warnedOfBroker;

    /** Does not wait for a broker; the calls do. */
    public TopicContract(LogSettings settings) {
        this.settings = settings;
        this.rules = new TopicRules(settings);
        this.admin = new LogAdmin(settings);
    }

    /** Creates the topic with every setting explicit when it is absent and may be created. */
    public void createIfAbsent() throws LogFailure {
        if (admin.topicExists()) {
            return;
        }
        if (!settings.createTopic()) {
            throw new LogFailure.ContractBroken("topic " + settings.topic() + " does not exist at Kafka "
                    + settings.bootstrapServers() + ", and kafka.topic.create is false. Create it: "
                    + rules.creation());
        }
        NewTopic topic = new NewTopic(settings.topic(), 1, (short) rules.replicas()).configs(rules.required());
        try {
            admin.ask(
                    "creating topic " + settings.topic(),
                    to -> to.createTopics(List.of(topic)).all());
            LOGGER.atInfo().addKeyValue("topic", settings.topic()).log("topic created");
            if (settings.singleBroker()) {
                LOGGER.atWarn()
                        .addKeyValue("topic", settings.topic())
                        .log("the topic has one replica: power loss may lose the end of the log."
                                + " Take three brokers and kafka.topic.singleBroker=false where that matters");
            }
        } catch (LogFailure.Unavailable e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw refusal(e);
            }
        }
        // A broker may not know its new topic for a moment.
        for (int tries = 0; !admin.topicExists(); tries++) {
            if (tries == NEW_TOPIC_TRIES) {
                throw new LogFailure.Unavailable("topic " + settings.topic() + " was created at Kafka "
                        + settings.bootstrapServers() + " and does not appear");
            }
            LogAdmin.pause();
        }
    }

    /** A broker that answers no is not one that is away. */
    private LogFailure refusal(LogFailure.Unavailable failure) {
        if (!(failure.getCause() instanceof ApiException cause)) {
            return failure;
        }
        String said = "Kafka " + settings.bootstrapServers() + " refuses to create topic " + settings.topic() + ": "
                + ClientProperties.reason(cause) + ". ";
        if (cause instanceof InvalidReplicationFactorException) {
            return new LogFailure.ContractBroken(said + "The topic has " + rules.replicas()
                    + " replicas, each on another broker. Start as many, or set kafka.topic.singleBroker=true and accept"
                    + " that power loss may lose the end of the log");
        }
        if (cause instanceof InvalidConfigurationException
                || cause instanceof PolicyViolationException
                || cause instanceof InvalidTopicException
                || cause instanceof TopicAuthorizationException) {
            return new LogFailure.ContractBroken(said + "Create it by hand: " + rules.creation());
        }
        return failure;
    }

    /** Refuses a topic that is not what it must be: the message holds every violation and its repair. */
    public void require() throws LogFailure {
        List<Violation> found = violations();
        if (!found.isEmpty()) {
            StringBuilder message = new StringBuilder(
                    "topic " + settings.topic() + " at Kafka " + settings.bootstrapServers() + " " + REFUSAL);
            for (Violation violation : found) {
                message.append("\n  ")
                        .append(violation.config())
                        .append(" is ")
                        .append(violation.actual())
                        .append(", must be ")
                        .append(violation.required())
                        .append(":\n    ")
                        .append(violation.repair());
            }
            throw new LogFailure.ContractBroken(message.toString());
        }
    }

    /** What is not as it must be now, by effective values. */
    public List<Violation> violations() throws LogFailure {
        TopicDescription topic = admin.describe();
        Map<String, String> configs = admin.topicConfigs();
        long first = admin.offset(OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
        int replicas = topic.partitions().get(0).replicas().size();
        return rules.violations(
                new TopicRules.Observed(topic.partitions().size(), replicas, first, configs, autoCreating()));
    }

    /** Brokers that create topics by themselves; without the right to ask, a warning says what was not checked. */
    private List<Integer> autoCreating() {
        List<Integer> found = new ArrayList<>();
        try {
            for (int broker : admin.brokers()) {
                if ("true".equals(admin.brokerConfigs(broker).get(AUTO_CREATE))) {
                    found.add(broker);
                }
            }
        } catch (LogFailure e) {
            if (!warnedOfBroker) {
                warnedOfBroker = true;
                LOGGER.atWarn()
                        .addKeyValue("config", AUTO_CREATE)
                        .addKeyValue("error", e.getMessage())
                        .log("a broker's configuration can't be read, so this is not checked: it must be false."
                                + " Grant DescribeConfigs on the cluster, or make sure yourself");
            }
        }
        return found;
    }

    /** The id that Kafka gave the topic: another one after it was deleted and created again. */
    public Uuid topicId() throws LogFailure {
        return admin.describe().topicId();
    }

    @Override
    public void close() {
        admin.close();
    }
}
