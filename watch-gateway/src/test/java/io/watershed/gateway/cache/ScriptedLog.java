package io.watershed.gateway.cache;

import io.watershed.log.AppendedRecord;
import io.watershed.log.LogFailure;
import io.watershed.log.kafka.TopicContract;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A log that a test writes, and whose broker it can take away; its clock is the test's as well. */
final class ScriptedLog implements LogSource, ContractWatch.Topic, InstantSource {
    private final List<AppendedRecord> records = new ArrayList<>();
    private long millis = 1_800_000_000_000L;
    private int pollSize = Integer.MAX_VALUE;
    private int incarnation;
    private int opened;
    private int topicChecks;
    private long endsTaken;
    private long undecided;
    private List<TopicContract.Violation> violations = List.of();
    private @Nullable LogFailure failure;
    private @Nullable LogFailure pollFailure;

    /** Appends records as one poll may find them; waiting readers wake up. */
    synchronized void append(List<AppendedRecord> more) {
        records.addAll(more);
        notifyAll();
    }

    /** Another topic under the same name. */
    synchronized void recreate() {
        records.clear();
        incarnation++;
        notifyAll();
    }

    /** From now on the broker can't be asked; null: it can. */
    synchronized void fail(@Nullable LogFailure with) {
        failure = with;
    }

    synchronized void failPolls(@Nullable LogFailure with) {
        pollFailure = with;
        notifyAll();
    }

    synchronized void pollSize(int most) {
        pollSize = most;
    }

    /** So many offsets behind the last record belong to an open transaction. */
    synchronized void undecided(long offsets) {
        undecided = offsets;
    }

    /** What the topic is from now on that it must not be. */
    synchronized void violate(List<TopicContract.Violation> found) {
        violations = found;
    }

    @Override
    public synchronized List<TopicContract.Violation> violations() throws LogFailure {
        check(failure);
        return violations;
    }

    @Override
    public void close() {}

    synchronized void advance(Duration by) {
        millis += by.toMillis();
    }

    @Override
    public synchronized Instant instant() {
        return Instant.ofEpochMilli(millis);
    }

    synchronized long offset() {
        return records.size();
    }

    synchronized int opened() {
        return opened;
    }

    synchronized int topicChecks() {
        return topicChecks;
    }

    synchronized long endsTaken() {
        return endsTaken;
    }

    @Override
    public synchronized Reader open() throws LogFailure {
        check(failure);
        opened++;
        return new ScriptedReader(incarnation);
    }

    private static void check(@Nullable LogFailure failure) throws LogFailure {
        if (failure != null) {
            throw failure;
        }
    }

    private final class ScriptedReader implements Reader {
        private final int topic;
        private int position;

        ScriptedReader(int topic) {
            this.topic = topic;
        }

        @Override
        public long endOffset() throws LogFailure {
            synchronized (ScriptedLog.this) {
                check(failure);
                endsTaken++;
                return records.size() + undecided;
            }
        }

        @Override
        public long stableOffset() throws LogFailure {
            synchronized (ScriptedLog.this) {
                check(failure);
                return records.size();
            }
        }

        @Override
        public long position() {
            return position;
        }

        @Override
        public List<AppendedRecord> poll(Duration atMost) throws LogFailure {
            synchronized (ScriptedLog.this) {
                check(pollFailure);
                if (topic != incarnation || position >= records.size()) {
                    try {
                        ScriptedLog.this.wait(1);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
                if (topic != incarnation || position >= records.size()) {
                    return List.of();
                }
                int to = (int) Math.min(records.size(), (long) position + pollSize);
                List<AppendedRecord> found = List.copyOf(records.subList(position, to));
                position = to;
                return found;
            }
        }

        @Override
        public void checkTopicId() throws LogFailure {
            synchronized (ScriptedLog.this) {
                topicChecks++;
                check(failure);
                if (topic != incarnation) {
                    throw new LogFailure.Discontinuity("topic watershed was deleted and created again");
                }
            }
        }

        @Override
        public void close() {}
    }
}
