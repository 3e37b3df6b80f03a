/**
 * Requests and answers of the Kubernetes API as values: paths, options, discovery, Status. Pure, any thread. {@code ApiPath} and
 * {@code ListOptions} are what a request becomes, {@code Status} what a failure does.
 */
@NullMarked
package io.watershed.gateway.api;

import org.jspecify.annotations.NullMarked;
