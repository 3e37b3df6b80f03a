package io.watershed.gateway.cache;

/**
 * When a revision was written to the log.
 *
 * @param timeMillis the append time of its last record, by the broker's clock, since 1970; never before an older revision's
 */
public record Moment(long revision, long timeMillis) {}
