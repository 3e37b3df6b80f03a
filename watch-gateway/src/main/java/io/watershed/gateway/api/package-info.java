/**
 * The API's shapes, without a server: what a request asks for, and what errors look like.
 *
 * <p>Everything here is immutable and free of I/O; any thread may use it.
 */
@NullMarked
package io.watershed.gateway.api;

import org.jspecify.annotations.NullMarked;
