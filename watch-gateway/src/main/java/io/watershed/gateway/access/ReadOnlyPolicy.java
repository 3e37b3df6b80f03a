package io.watershed.gateway.access;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What of a policy can be done here: reading, and asking about oneself. What clients are told by it is true of this server, so that
 * they hide the buttons of what it can't do.
 */
public final class ReadOnlyPolicy implements AccessPolicy {
    private static final String REASON = "this server only reads";
    private static final String CREATE = "create";
    private static final List<String> OF_RESOURCES = List.of("get", "list", "watch");
    private static final List<String> OF_PATHS = List.of("get", "head");

    private final AccessPolicy policy;
    private final List<Rules.OfResources> creatable;

    /**
     * @param policy what decides about reading
     * @param creatable the resources that can be created here although nothing is written, by their groups
     */
    public ReadOnlyPolicy(AccessPolicy policy, List<CreatableResource> creatable) {
        this.policy = policy;
        this.creatable = creatable.stream()
                .map(one ->
                        new Rules.OfResources(List.of(CREATE), List.of(one.group()), List.of(one.plural()), List.of()))
                .toList();
    }

    /** A question in the form of a resource. */
    public record CreatableResource(String group, String plural) {}

    @Override
    public Decision decide(Caller caller, Action action) {
        return isPossible(action) ? policy.decide(caller, action) : new Decision(false, REASON);
    }

    private boolean isPossible(Action action) {
        if (action instanceof Action.OnResource resource) {
            return OF_RESOURCES.contains(resource.verb()) || (resource.verb().equals(CREATE) && isCreatable(resource));
        }
        return OF_PATHS.contains(action.verb());
    }

    private boolean isCreatable(Action.OnResource resource) {
        return resource.subresource().isEmpty()
                && creatable.stream()
                        .anyMatch(one -> one.groups().contains(resource.group())
                                && one.resources().contains(resource.resource()));
    }

    @Override
    public Rules rules(Caller caller, String namespace) {
        Rules all = policy.rules(caller, namespace);
        List<Rules.OfResources> resources = new ArrayList<>();
        for (Rules.OfResources one : creatable) {
            Action create = new Action.OnResource(
                    "", CREATE, one.groups().get(0), "", one.resources().get(0), "", "");
            if (policy.decide(caller, create).allowed()) {
                resources.add(one);
            }
        }
        for (Rules.OfResources rule : all.resources()) {
            List<String> verbs = cut(rule.verbs(), OF_RESOURCES);
            if (!verbs.isEmpty()) {
                resources.add(new Rules.OfResources(verbs, rule.groups(), rule.resources(), rule.names()));
            }
        }
        List<Rules.OfPaths> paths = new ArrayList<>();
        for (Rules.OfPaths rule : all.paths()) {
            List<String> verbs = cut(rule.verbs(), OF_PATHS);
            if (!verbs.isEmpty()) {
                paths.add(new Rules.OfPaths(verbs, rule.paths()));
            }
        }
        return new Rules(resources, paths, all.gap());
    }

    private static List<String> cut(List<String> verbs, List<String> possible) {
        if (verbs.contains("*")) {
            return possible;
        }
        return possible.stream().filter(Set.copyOf(verbs)::contains).toList();
    }
}
