/**
 * Label and field selectors as kube-apiserver reads them: {@link io.watershed.gateway.select.LabelSelector} and
 * {@link io.watershed.gateway.select.FieldSelector} parse a query parameter once and are then asked about every
 * {@link io.watershed.gateway.select.Selectable}. {@link io.watershed.gateway.select.FieldLabels} says which fields a resource can
 * be selected by, and where in its JSON they stand.
 *
 * <p>Everything here is immutable and free of I/O; any thread may use it.
 */
@NullMarked
package io.watershed.gateway.select;

import org.jspecify.annotations.NullMarked;
