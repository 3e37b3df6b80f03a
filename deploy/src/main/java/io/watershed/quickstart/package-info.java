/** The quick start: starts and stops etcd, a Kafka broker, an ingester and gateways on one machine. */
@NullMarked
package io.watershed.quickstart;

import org.jspecify.annotations.NullMarked;
