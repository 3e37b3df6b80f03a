package io.watershed.gateway.access;

/**
 * Whether a caller may.
 *
 * @param reason for people; may be empty
 */
public record Decision(boolean allowed, String reason) {}
