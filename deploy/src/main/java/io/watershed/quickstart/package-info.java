/**
 * The quick start: starts and stops etcd, a Kafka broker, an ingester and gateways on one machine. {@code QuickstartMain} is the entry;
 * {@code bin/quickstart} builds and starts it. Everything runs on the main thread, and on the JVM's shutdown hook after Ctrl-C.
 */
@NullMarked
package io.watershed.quickstart;

import org.jspecify.annotations.NullMarked;
