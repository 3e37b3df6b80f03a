/** Which API resource an etcd key is: the Kubernetes layout under its root, documents elsewhere. Immutable, any thread. */
@NullMarked
package io.watershed.ingest.catalogue;

import org.jspecify.annotations.NullMarked;
