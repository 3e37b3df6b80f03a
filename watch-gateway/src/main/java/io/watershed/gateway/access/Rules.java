package io.watershed.gateway.access;

import java.util.List;

/**
 * What a caller may do in a namespace, as a list, for clients that show buttons by it.
 *
 * @param gap what of it could not be found out, for people; empty if this is all
 */
public record Rules(List<OfResources> resources, List<OfPaths> paths, String gap) {
    /**
     * Verbs on resources; {@code *} stands for all.
     *
     * @param names the objects that it is about; empty for all
     */
    public record OfResources(List<String> verbs, List<String> groups, List<String> resources, List<String> names) {
        public OfResources {
            verbs = List.copyOf(verbs);
            groups = List.copyOf(groups);
            resources = List.copyOf(resources);
            names = List.copyOf(names);
        }
    }

    /** Verbs on paths that are no resources; {@code *} stands for all, also at a path's end. */
    public record OfPaths(List<String> verbs, List<String> paths) {
        public OfPaths {
            verbs = List.copyOf(verbs);
            paths = List.copyOf(paths);
        }
    }

    public Rules {
        resources = List.copyOf(resources);
        paths = List.copyOf(paths);
    }
}
