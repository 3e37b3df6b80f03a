/**
 * System tests: separate processes, real etcd, Kafka and clients, and faults. {@code Cluster} starts what a test needs, {@code EtcdWriter}
 * writes, {@code HttpWatch} records what a client sees. Tests assert order and content and wait with a generous deadline.
 */
@NullMarked
package io.watershed.e2e;

import org.jspecify.annotations.NullMarked;
