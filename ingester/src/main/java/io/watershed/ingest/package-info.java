/** etcd → log: reads etcd, puts its revisions in order, and publishes them to the log as its one writer. */
@NullMarked
package io.watershed.ingest;

import org.jspecify.annotations.NullMarked;
