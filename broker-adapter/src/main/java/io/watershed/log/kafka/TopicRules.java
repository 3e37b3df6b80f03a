package io.watershed.log.kafka;

import io.watershed.log.kafka.TopicContract.Violation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;

/**
 * What the topic must be, value by value, and the command that repairs each. Pure: {@link TopicContract} asks Kafka.
 *
 * <p><em>Threads:</em> immutable.
 */
final class TopicRules {
    static final int MAX_MESSAGE_BYTES = 16 << 20;

    private static final long LEAST_MESSAGE_BYTES = 4 << 20;
    private static final long SEGMENT_BYTES = 256L << 20;
    private static final long DAY_MILLIS = 86_400_000;
    private static final double DIRTY_RATIO = 0.1;

    /**
     * What Kafka says of the topic.
     *
     * @param replicas of the first partition
     * @param configs effective values
     * @param autoCreating ids of brokers that create topics by themselves
     */
    record Observed(
            int partitions, int replicas, long firstOffset, Map<String, String> configs, List<Integer> autoCreating) {
        Observed {
            configs = Map.copyOf(configs);
            autoCreating = List.copyOf(autoCreating);
        }

        String value(String config) {
            return configs.getOrDefault(config, "");
        }
    }

    private final LogSettings settings;
    private final long window;

    TopicRules(LogSettings settings) {
        this.settings = settings;
        this.window = settings.window().toMillis();
    }

    int replicas() {
        return settings.singleBroker() ? 1 : 3;
    }

    /** Every setting of the topic, as it is created. */
    Map<String, String> required() {
        Map<String, String> configs = new LinkedHashMap<>();
        configs.put("cleanup.policy", "compact");
        configs.put("message.timestamp.type", "LogAppendTime");
        configs.put("min.compaction.lag.ms", Long.toString(window));
        configs.put("max.compaction.lag.ms", Long.toString(2 * window));
        configs.put("segment.ms", Long.toString(segmentMillis()));
        configs.put("segment.bytes", Long.toString(SEGMENT_BYTES));
        configs.put("min.cleanable.dirty.ratio", Double.toString(DIRTY_RATIO));
        configs.put("delete.retention.ms", Long.toString(tombstoneMillis()));
        configs.put("max.message.bytes", Integer.toString(MAX_MESSAGE_BYTES));
        configs.put("compression.type", "producer");
        configs.put("unclean.leader.election.enable", "false");
        configs.put("retention.ms", "-1");
        configs.put("retention.bytes", "-1");
        configs.put("remote.storage.enable", "false");
        configs.put("min.insync.replicas", settings.singleBroker() ? "1" : "2");
        return configs;
    }

    private long segmentMillis() {
        return Math.max(1, window / 6);
    }

    private long tombstoneMillis() {
        return Math.max(DAY_MILLIS, window);
    }

    String creation() {
        StringBuilder configs = new StringBuilder();
        required()
                .forEach((name, value) ->
                        configs.append(" --config ").append(name).append('=').append(value));
        return command("topics") + " --create --topic " + settings.topic() + " --partitions 1 --replication-factor "
                + replicas() + configs;
    }

    /** Whatever is not as it must be, in an order in which the repairs can be carried out. */
    List<Violation> violations(Observed topic) {
        List<Violation> found = new ArrayList<>();
        layout(topic, found);
        exact(topic, "cleanup.policy", "compact", true, found);
        exact(topic, "message.timestamp.type", "LogAppendTime", true, found);
        compaction(topic, found);
        number(
                topic,
                "max.message.bytes",
                MAX_MESSAGE_BYTES,
                bytes -> bytes >= LEAST_MESSAGE_BYTES,
                "at least " + LEAST_MESSAGE_BYTES,
                found);
        exact(topic, "compression.type", "producer", false, found);
        exact(topic, "unclean.leader.election.enable", "false", false, found);
        exact(topic, "retention.ms", "-1", false, found);
        exact(topic, "retention.bytes", "-1", false, found);
        if (topic.value("remote.storage.enable").equals("true")) {
            String off = "false,remote.log.delete.on.disable=true";
            found.add(new Violation(
                    "remote.storage.enable", "true", "false", false, alter("remote.storage.enable", off)));
        }
        if (!topic.autoCreating().isEmpty()) {
            found.add(new Violation(
                    "auto.create.topics.enable",
                    "true on broker " + topic.autoCreating(),
                    "false",
                    false,
                    "set auto.create.topics.enable=false in the server.properties of each broker named, and restart it: a"
                            + " topic that is deleted under a client would come back with other settings"));
        }
        return List.copyOf(found);
    }

    private void layout(Observed topic, List<Violation> found) {
        String another = "the log needs a topic of its own: set kafka.topic.name to one that does not exist yet";
        if (topic.partitions() != 1) {
            found.add(new Violation("partitions", Integer.toString(topic.partitions()), "1", true, another));
        }
        if (topic.firstOffset() != 0) {
            found.add(new Violation(
                    "first offset",
                    Long.toString(topic.firstOffset()),
                    "0",
                    true,
                    "records were deleted from this topic, so its history is lost; " + another));
        }
        if (!settings.singleBroker()) {
            if (topic.replicas() < 2) {
                found.add(new Violation(
                        "replication factor",
                        Integer.toString(topic.replicas()),
                        "at least 2",
                        false,
                        "give the partition more replicas with " + command("reassign-partitions")
                                + " --reassignment-json-file FILE --execute, or set kafka.topic.singleBroker=true and"
                                + " accept that power loss may lose the end of the log"));
            }
            number(topic, "min.insync.replicas", 2, isr -> isr >= 2, "at least 2", found);
        }
    }

    private void compaction(Observed topic, List<Violation> found) {
        // The upper bound first: a broker refuses a lower one that exceeds it.
        number(
                topic,
                "max.compaction.lag.ms",
                2 * window,
                lag -> lag >= window && lag <= 2 * window,
                "between " + window + " and " + 2 * window,
                found);
        number(topic, "min.compaction.lag.ms", window, lag -> lag == window, Long.toString(window), found);
        number(topic, "segment.ms", segmentMillis(), ms -> ms <= segmentMillis(), "at most " + segmentMillis(), found);
        number(
                topic,
                "segment.bytes",
                SEGMENT_BYTES,
                bytes -> bytes <= SEGMENT_BYTES,
                "at most " + SEGMENT_BYTES,
                found);
        number(
                topic,
                "delete.retention.ms",
                tombstoneMillis(),
                ms -> ms >= tombstoneMillis(),
                "at least " + tombstoneMillis(),
                found);
        String ratio = topic.value("min.cleanable.dirty.ratio");
        if (ratio.isEmpty() || Double.parseDouble(ratio) > DIRTY_RATIO) {
            found.add(new Violation(
                    "min.cleanable.dirty.ratio",
                    shown(ratio),
                    "at most " + DIRTY_RATIO,
                    false,
                    alter("min.cleanable.dirty.ratio", Double.toString(DIRTY_RATIO))));
        }
    }

    private void exact(Observed topic, String name, String required, boolean stops, List<Violation> found) {
        String actual = topic.value(name);
        if (!actual.equals(required)) {
            found.add(new Violation(name, shown(actual), required, stops, alter(name, required)));
        }
    }

    private void number(
            Observed topic, String name, long repaired, LongPredicate holds, String rule, List<Violation> found) {
        String actual = topic.value(name);
        if (actual.isEmpty() || !holds.test(Long.parseLong(actual))) {
            found.add(new Violation(name, shown(actual), rule, false, alter(name, Long.toString(repaired))));
        }
    }

    private static String shown(String value) {
        return value.isEmpty() ? "empty" : value;
    }

    private String alter(String name, String value) {
        return command("configs") + " --alter --entity-type topics --entity-name " + settings.topic() + " --add-config "
                + name + "=" + value;
    }

    private String command(String tool) {
        return "bin/kafka " + tool + " --bootstrap-server " + settings.bootstrapServers();
    }
}
