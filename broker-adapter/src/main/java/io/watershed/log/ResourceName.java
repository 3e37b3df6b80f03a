package io.watershed.log;

import org.jspecify.annotations.Nullable;

/**
 * What the key of an object names in the API.
 *
 * @param resource plural, then a dot and the group unless it is the core group: {@code pods}, {@code deployments.apps}
 * @param namespace null for cluster-scoped objects
 * @param name the object's name
 */
public record ResourceName(String resource, @Nullable String namespace, String name) {}
