/**
 * etcd as a sequence of whole revisions: listing at one revision, and a stream of our own over jetcd's generated stubs. The only package
 * that knows gRPC. {@code EtcdSource} is the entry; who calls {@code next()} is the thread that runs here, gRPC's threads only hand over.
 */
@NullMarked
package io.watershed.ingest.etcd;

import org.jspecify.annotations.NullMarked;
