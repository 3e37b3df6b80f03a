/**
 * How objects are shown: as they are, as their metadata alone, or as rows of a Table; in JSON, indented JSON or YAML. Functions from
 * bytes to bytes, without I/O. {@code Representations} makes a {@code Representation} of what a client accepts; {@code Transform} is the
 * part of it that watches share. Any thread; only a {@code ListWriter} has state, and belongs to one list.
 */
@NullMarked
package io.watershed.gateway.represent;

import org.jspecify.annotations.NullMarked;
