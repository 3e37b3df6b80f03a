package io.watershed.gateway.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.ResourceType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiscoveryTest {
    private static final ResourceType ODD = new ResourceType(
            "t.example.com", "v1", "Odd", "odds", "odd", true, List.of("od"), List.of("all"), "t.example.com/odds");
    private final ObjectMapper json = new ObjectMapper();
    private final Resources resources = new Resources(all(), List.of());

    private static List<ResourceType> all() {
        List<ResourceType> types = new ArrayList<>(BuiltInResources.kubernetes());
        types.add(BuiltInResources.KEY_VALUE);
        types.add(ODD);
        return types;
    }

    @Test
    void describesAResourceByItsReadingVerbs() throws Exception {
        JsonNode document = json.readTree(Discovery.resources("t.example.com", "v1", resources));

        assertThat(document.toString())
                .isEqualTo(
                        "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":\"t.example.com/v1\",\"resources\":["
                                + "{\"name\":\"odds\",\"singularName\":\"odd\",\"namespaced\":true,\"kind\":\"Odd\","
                                + "\"verbs\":[\"get\",\"list\",\"watch\"],\"shortNames\":[\"od\"],\"categories\":[\"all\"]}]}");
    }

    @Test
    void leavesApiVersionOutOfTheCoreGroupsDocuments() throws Exception {
        assertThat(json.readTree(Discovery.resources("", "v1", resources)).has("apiVersion"))
                .isFalse();
        assertThat(json.readTree(Discovery.core("127.0.0.1:8080")).has("apiVersion"))
                .isFalse();
    }

    @Test
    void prefersOneOfAGroupsVersionsMemberForMember() throws Exception {
        for (JsonNode group : json.readTree(Discovery.groups(resources)).get("groups")) {
            assertThat(group.get("versions")).as(group.toString()).contains(group.get("preferredVersion"));
        }
        assertThat(Discovery.groups(resources)).contains("\"watershed.io\"").doesNotContain("\"name\":\"\"");
    }

    @Test
    void namesTheKindsGroupOfCustomResourcesOnly() throws Exception {
        JsonNode items = json.readTree(Discovery.aggregated(false, resources)).get("items");

        assertThat(kind(items, "apps", "deployments").toString())
                .isEqualTo("{\"group\":\"\",\"version\":\"\",\"kind\":\"Deployment\"}");
        assertThat(kind(items, "t.example.com", "odds").toString())
                .isEqualTo("{\"group\":\"t.example.com\",\"version\":\"v1\",\"kind\":\"Odd\"}");
        assertThat(json.readTree(Discovery.aggregated(true, resources))
                        .at("/items/0/metadata")
                        .isEmpty())
                .isTrue();
    }

    @Test
    void showsAStatusThatCanBeReadApart() throws Exception {
        assertThat(json.readTree(Discovery.resources("apps", "v1", resources)).toString())
                .contains("{\"name\":\"deployments/status\",\"singularName\":\"\",\"namespaced\":true,"
                        + "\"kind\":\"Deployment\",\"verbs\":[\"get\"]}")
                .doesNotContain("controllerrevisions/status");
        assertThat(json.readTree(Discovery.aggregated(true, resources)).toString())
                .contains("\"subresources\":[{\"subresource\":\"status\",\"responseKind\":"
                        + "{\"group\":\"\",\"version\":\"\",\"kind\":\"Pod\"},\"verbs\":[\"get\"]}]");
    }

    @Test
    void showsWhatCanBeReadAsAScale() throws Exception {
        assertThat(json.readTree(Discovery.resources("apps", "v1", resources)).toString())
                .contains("{\"name\":\"deployments/scale\",\"singularName\":\"\",\"namespaced\":true,"
                        + "\"group\":\"autoscaling\",\"version\":\"v1\",\"kind\":\"Scale\",\"verbs\":[\"get\"]}")
                .doesNotContain("daemonsets/scale");
        assertThat(json.readTree(Discovery.aggregated(false, resources)).toString())
                .contains("\"subresources\":[{\"subresource\":\"scale\",\"responseKind\":{\"group\":\"autoscaling\","
                        + "\"version\":\"v1\",\"kind\":\"Scale\"},\"verbs\":[\"get\"]},{\"subresource\":\"status\"");
    }

    @Test
    void tagsEqualDocumentsEqually() {
        String document = Discovery.aggregated(true, resources);

        assertThat(Discovery.tag(document)).isEqualTo(Discovery.tag(Discovery.aggregated(true, resources)));
        assertThat(Discovery.tag(document))
                .isNotEqualTo(Discovery.tag(document + " "))
                .matches("\"[0-9A-F]{128}\"");
    }

    @Test
    void saysWhichKubernetesItAnswersLike() throws Exception {
        JsonNode version = json.readTree(Discovery.version("0.1.0"));

        assertThat(version.get("major").asText()).isEqualTo("1");
        assertThat(version.get("minor").asText()).isEqualTo("37");
        assertThat(version.get("gitVersion").asText()).isEqualTo("v1.37.0+watershed-0.1.0");
    }

    private static JsonNode kind(JsonNode items, String group, String plural) {
        for (JsonNode item : items) {
            if (item.at("/metadata/name").asText().equals(group)) {
                for (JsonNode resource : item.at("/versions/0/resources")) {
                    if (resource.get("resource").asText().equals(plural)) {
                        return resource.get("responseKind");
                    }
                }
            }
        }
        throw new AssertionError("no " + plural + " in " + items);
    }
}
