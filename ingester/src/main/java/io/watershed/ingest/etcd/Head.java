package io.watershed.ingest.etcd;

/**
 * One linearizable look at etcd.
 *
 * @param clusterId hexadecimal
 */
public record Head(String clusterId, long revision) {}
