package io.watershed.log;

/**
 * A record as a reader finds it.
 *
 * @param offset in the topic's one partition
 * @param timestampMillis when the broker appended it (LogAppendTime)
 */
public record AppendedRecord(long offset, long timestampMillis, LogRecord record) {}
