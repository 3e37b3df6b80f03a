@NullMarked
package io.watershed.ingest.transcode;

import org.jspecify.annotations.NullMarked;
