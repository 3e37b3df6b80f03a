/** Tests of the source: pure ones on scripted responses, and those that talk to a real etcd or to a scripted one. */
@NullMarked
package io.watershed.ingest.etcd;

import org.jspecify.annotations.NullMarked;
