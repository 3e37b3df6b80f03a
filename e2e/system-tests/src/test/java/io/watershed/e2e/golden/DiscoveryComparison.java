package io.watershed.e2e.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Discovery of a read tier against kube-apiserver's: the same groups in the same order with the same preferred versions; of every resource
 * that can be listed and watched the same facts and reading verbs; nothing that kube-apiserver lacks but group {@code watershed.io}.
 */
final class DiscoveryComparison {
    private static final String OURS = "watershed.io";

    private final List<String> found = new ArrayList<>();

    private DiscoveryComparison() {}

    static List<String> differences(ObjectNode want, ObjectNode got) throws UnreadableAnswerException {
        DiscoveryComparison comparison = new DiscoveryComparison();
        comparison.compare(want, got);
        return comparison.found;
    }

    private void compare(ObjectNode want, ObjectNode got) throws UnreadableAnswerException {
        String kind = want.path("kind").asText();
        if (!kind.equals(got.path("kind").asText())) {
            found.add("kind: " + kind + " / " + JsonDifference.brief(got.get("kind")));
        }
        switch (kind) {
            case "APIVersions" -> {
                if (!want.path("versions").equals(got.path("versions"))) {
                    found.add("versions: " + JsonDifference.brief(got.get("versions")));
                }
            }
            case "APIGroupList", "APIGroup" -> compareGroups(groups(want), groups(got));
            default -> compareResources(DiscoveredResource.of(want), DiscoveredResource.of(got));
        }
    }

    private static Map<String, ObjectNode> groups(ObjectNode document) throws UnreadableAnswerException {
        Map<String, ObjectNode> groups = new LinkedHashMap<>();
        if (document.path("kind").asText().equals("APIGroupList")) {
            for (JsonNode group : document.path("groups")) {
                ObjectNode one = ExactJson.object(group, "a group");
                groups.put(ExactJson.text(one, "name"), one);
            }
        } else {
            groups.put(ExactJson.text(document, "name"), document);
        }
        return groups;
    }

    private void compareGroups(Map<String, ObjectNode> want, Map<String, ObjectNode> got) {
        want.forEach((name, wanted) -> {
            ObjectNode group = got.get(name);
            if (group == null) {
                found.add(name + ": missing");
                return;
            }
            JsonNode preferred = group.path("preferredVersion");
            if (!preferred.equals(wanted.path("preferredVersion"))) {
                found.add(name + ".preferredVersion: " + JsonDifference.brief(wanted.get("preferredVersion")) + " / "
                        + JsonDifference.brief(preferred));
            }
            List<JsonNode> versions = items(group.path("versions"));
            if (!versions.contains(preferred)) {
                found.add(name + ": preferredVersion is not one of versions");
            }
            if (!items(wanted.path("versions")).containsAll(versions)) {
                found.add(name + ".versions: " + JsonDifference.brief(group.get("versions")));
            }
        });
        for (String name : got.keySet()) {
            if (!want.containsKey(name) && !name.equals(OURS)) {
                found.add(name + ": not known to kube-apiserver");
            }
        }
        compareOrder("groups", want.keySet(), got.keySet());
    }

    private void compareResources(Map<String, DiscoveredResource> want, Map<String, DiscoveredResource> got) {
        want.forEach((name, wanted) -> {
            DiscoveredResource resource = got.get(name);
            if (resource != null) {
                compareResource(name, wanted, resource);
            } else if (isOwed(name, wanted, got.keySet())) {
                found.add(name + ": missing");
            }
        });
        for (String name : got.keySet()) {
            if (!want.containsKey(name) && !name.startsWith(OURS)) {
                found.add(name + ": not known to kube-apiserver");
            }
        }
        compareOrder("resources", want.keySet(), got.keySet());
    }

    /** What can be listed and watched; and the status of what is there. */
    private static boolean isOwed(String name, DiscoveredResource wanted, Set<String> got) {
        if (wanted.verbs().containsAll(List.of("list", "watch"))) {
            return true;
        }
        return name.endsWith("/status")
                && wanted.verbs().contains("get")
                && got.contains(name.substring(0, name.length() - "/status".length()));
    }

    private void compareResource(String name, DiscoveredResource want, DiscoveredResource got) {
        if (!want.readingVerbs().equals(got.readingVerbs())) {
            found.add(name + ".verbs: " + want.readingVerbs() + " / " + got.verbs());
        }
        if (!want.verbs().containsAll(got.verbs())) {
            found.add(name + ".verbs that kube-apiserver lacks: " + got.verbs());
        }
        found.addAll(JsonDifference.of(name, want.facts(), got.facts()));
    }

    private void compareOrder(String what, Set<String> want, Set<String> got) {
        List<String> wanted = want.stream().filter(got::contains).toList();
        List<String> answered = got.stream().filter(want::contains).toList();
        if (!wanted.equals(answered)) {
            found.add(what + ": in another order");
        }
    }

    private static List<JsonNode> items(JsonNode array) {
        List<JsonNode> items = new ArrayList<>();
        array.forEach(items::add);
        return items;
    }
}
