package io.watershed.gateway.cache;

import io.watershed.log.LogFailure;
import io.watershed.log.kafka.LogSettings;
import io.watershed.log.kafka.TopicContract;
import java.util.List;

/** {@link ContractWatch.Topic} in Kafka. */
final class KafkaTopic implements ContractWatch.Topic {
    private final TopicContract contract;

    KafkaTopic(LogSettings settings) {
        this.contract = new TopicContract(settings);
    }

    @Override
    public List<TopicContract.Violation> violations() throws LogFailure {
        return contract.violations();
    }

    @Override
    public void close() {
        contract.close();
    }
}
