package io.watershed.log;

/**
 * An entry and its place in the log.
 *
 * @param sequence the dense committed sequence of the topic: 1, 2, 3 … over all types, generations and takeovers
 */
public record LogRecord(Generation generation, long sequence, Entry entry) {}
