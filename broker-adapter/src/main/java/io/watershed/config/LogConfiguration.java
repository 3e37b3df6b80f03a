package io.watershed.config;

import io.watershed.log.kafka.LogSettings;
import java.time.Duration;
import java.util.List;

/** The {@code kafka.*} keys, which ingester and gateway share. */
public final class LogConfiguration {
    public static final Setting<String> BOOTSTRAP_SERVERS =
            Setting.text("kafka.bootstrapServers", "127.0.0.1:9092", "Kafka brokers, HOST:PORT, comma-separated.");
    public static final Setting<String> TOPIC =
            Setting.text("kafka.topic.name", "watershed", "The topic that holds the log. One etcd, one topic.");
    public static final Setting<Duration> WINDOW = Setting.duration(
            "kafka.topic.window",
            Duration.ofHours(1),
            Duration.ofSeconds(1),
            "How long nothing is compacted: what a watch can resume after any restart (min.compaction.lag.ms).");
    public static final Setting<Boolean> CREATE_TOPIC =
            Setting.flag("kafka.topic.create", true, "Whether the ingester creates an absent topic.");
    public static final Setting<Boolean> SINGLE_BROKER = Setting.flag(
            "kafka.topic.singleBroker",
            false,
            "Allow one replica. A broker that loses power may then lose the end of the log.");
    /** Passed to every Kafka client, dots kept. */
    public static final String PROPERTIES = "kafka.properties";

    public static final List<Setting<?>> ALL = List.of(BOOTSTRAP_SERVERS, TOPIC, WINDOW, CREATE_TOPIC, SINGLE_BROKER);

    private LogConfiguration() {}

    public static LogSettings of(Settings settings) throws Settings.Invalid {
        try {
            return new LogSettings(
                    settings.get(BOOTSTRAP_SERVERS),
                    settings.get(TOPIC),
                    settings.get(WINDOW),
                    settings.get(CREATE_TOPIC),
                    settings.get(SINGLE_BROKER),
                    settings.map(PROPERTIES));
        } catch (IllegalArgumentException e) {
            throw new Settings.Invalid(String.valueOf(e.getMessage()));
        }
    }
}
