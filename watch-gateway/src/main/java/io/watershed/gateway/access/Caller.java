package io.watershed.gateway.access;

import java.util.List;

/**
 * Who asks.
 *
 * @param uid empty if there is none
 */
public record Caller(String name, String uid, List<String> groups) {
    /** Whom Kubernetes calls who brings no credentials. */
    public static final Caller ANONYMOUS = new Caller("system:anonymous", "", List.of("system:unauthenticated"));

    public Caller {
        groups = List.copyOf(groups);
    }
}
