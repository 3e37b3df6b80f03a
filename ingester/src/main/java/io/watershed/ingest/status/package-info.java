/**
 * What the ingester says of itself over HTTP: health, metrics, version, and the barrier. {@code StatusServer} is the entry; its own few
 * threads run here.
 */
@NullMarked
package io.watershed.ingest.status;

import org.jspecify.annotations.NullMarked;
