/**
 * Which API resources exist without any object in the log: Kubernetes' built-in kinds and the KeyValue document. The ingester maps etcd
 * keys to them, the gateway serves them. Immutable values, any thread. {@code BuiltInResources} is the entry.
 */
@NullMarked
package io.watershed.catalogue;

import org.jspecify.annotations.NullMarked;
