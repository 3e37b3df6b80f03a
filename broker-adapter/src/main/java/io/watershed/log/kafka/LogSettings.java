package io.watershed.log.kafka;

import java.time.Duration;
import java.util.Map;

/**
 * Where the log is and what its topic must be.
 *
 * @param bootstrapServers {@code HOST:PORT[,HOST:PORT]}
 * @param window W: how long nothing is compacted; what a watch can resume
 * @param createTopic whether the ingester creates an absent topic
 * @param singleBroker whether replication factor 1 is allowed (power loss may then lose the tail)
 * @param clientProperties passed to every Kafka client; what would override the log's safety is an IllegalArgumentException
 */
public record LogSettings(
        String bootstrapServers,
        String topic,
        Duration window,
        boolean createTopic,
        boolean singleBroker,
        Map<String, String> clientProperties) {
    public LogSettings {
        clientProperties = Map.copyOf(clientProperties);
        ClientProperties.check(clientProperties);
    }
}
