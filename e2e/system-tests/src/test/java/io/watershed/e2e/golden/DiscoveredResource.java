package io.watershed.e2e.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What discovery says of one resource or subresource, in either of its forms. A fact that is absent is null. */
record DiscoveredResource(Set<String> verbs, ObjectNode facts) {
    private static final Set<String> READING = Set.of("get", "list", "watch");
    private static final List<String> FACTS =
            List.of("singularName", "namespaced", "kind", "group", "version", "shortNames", "categories");
    private static final List<String> AGGREGATED_FACTS =
            List.of("scope", "responseKind", "singularResource", "shortNames", "categories");

    Set<String> readingVerbs() {
        Set<String> reading = new TreeSet<>(verbs);
        reading.retainAll(READING);
        return reading;
    }

    /** By {@code group/version/resource}, in the order given. */
    static Map<String, DiscoveredResource> of(ObjectNode document) throws UnreadableAnswerException {
        Map<String, DiscoveredResource> found = new LinkedHashMap<>();
        if (ExactJson.text(document, "kind").equals("APIResourceList")) {
            String version = ExactJson.text(document, "groupVersion");
            for (JsonNode resource : ExactJson.array(document, "resources")) {
                ObjectNode one = ExactJson.object(resource, "a resource");
                found.put(version + "/" + ExactJson.text(one, "name"), of(one, FACTS));
            }
        } else {
            for (JsonNode group : ExactJson.array(document, "items")) {
                ObjectNode one = ExactJson.object(group, "a group");
                for (JsonNode version : ExactJson.array(one, "versions")) {
                    addVersion(
                            found,
                            ExactJson.textOf(ExactJson.object(one.get("metadata"), "the metadata of a group")
                                    .path("name")),
                            ExactJson.object(version, "a version"));
                }
            }
        }
        return found;
    }

    private static void addVersion(Map<String, DiscoveredResource> found, String group, ObjectNode version)
            throws UnreadableAnswerException {
        String name = (group.isEmpty() ? "" : group + "/") + ExactJson.text(version, "version");
        if (!version.path("freshness").asText().equals("Current")) {
            found.put(name + " freshness", of(version, List.of("freshness")));
        }
        for (JsonNode resource : version.path("resources")) {
            ObjectNode one = ExactJson.object(resource, "a resource");
            String path = name + "/" + ExactJson.text(one, "resource");
            found.put(path, of(one, AGGREGATED_FACTS));
            for (JsonNode subresource : one.path("subresources")) {
                ObjectNode sub = ExactJson.object(subresource, "a subresource");
                found.put(path + "/" + ExactJson.text(sub, "subresource"), of(sub, AGGREGATED_FACTS));
            }
        }
    }

    private static DiscoveredResource of(ObjectNode resource, List<String> names) {
        Set<String> verbs = new TreeSet<>();
        resource.path("verbs").forEach(verb -> verbs.add(verb.asText()));
        ObjectNode facts = JsonNodeFactory.instance.objectNode();
        for (String name : names) {
            facts.set(name, resource.get(name)); // null becomes JSON's null
        }
        return new DiscoveredResource(verbs, facts);
    }
}
