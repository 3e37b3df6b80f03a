package io.watershed.log.kafka;

import io.watershed.log.LogFailure;
import java.util.List;
import org.apache.kafka.common.Uuid;

/** Skeleton: the topic contract of log.md §3.2. */
public final class TopicContract implements AutoCloseable {
    /** One setting that is not what it must be, and the command that repairs it. */
    public record Violation(String config, String actual, String required, boolean stopsWriter, String repair) {}

    public TopicContract(LogSettings settings) {
        throw new UnsupportedOperationException();
    }

    /** Creates the topic with every setting explicit when it is absent and may be created. */
    public void createIfAbsent() throws LogFailure {
        throw new UnsupportedOperationException();
    }

    /** Throws ContractBroken with every violation and its repair. */
    public void require() throws LogFailure {
        throw new UnsupportedOperationException();
    }

    public List<Violation> violations() throws LogFailure {
        throw new UnsupportedOperationException();
    }

    public Uuid topicId() throws LogFailure {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
