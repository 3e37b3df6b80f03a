package io.watershed.e2e.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class DiscoveryComparisonTest {
    private static final String PODS =
            "{\"name\":\"pods\",\"singularName\":\"pod\",\"namespaced\":true,\"kind\":\"Pod\",\"verbs\":[\"create\",\"get\",\"list\",\"watch\"],\"shortNames\":[\"po\"]}";
    private static final String POD_STATUS =
            "{\"name\":\"pods/status\",\"singularName\":\"\",\"namespaced\":true,\"kind\":\"Pod\",\"verbs\":[\"get\",\"patch\"]}";
    private static final String POD_LOG =
            "{\"name\":\"pods/log\",\"singularName\":\"\",\"namespaced\":true,\"kind\":\"Pod\",\"verbs\":[\"get\"]}";
    private static final String NODES =
            "{\"name\":\"nodes\",\"singularName\":\"node\",\"namespaced\":false,\"kind\":\"Node\",\"verbs\":[\"get\",\"list\",\"watch\"]}";
    private static final String REVIEWS =
            "{\"name\":\"reviews\",\"singularName\":\"review\",\"namespaced\":false,\"kind\":\"Review\",\"verbs\":[\"create\"]}";
    private static final String READ_PODS = PODS.replace("\"create\",", "");
    private static final String READ_STATUS = POD_STATUS.replace(",\"patch\"", "");

    @Test
    void theReadingVerbsOfWhatCanBeReadAreEnough() throws UnreadableAnswerException {
        assertThat(ofResources(
                        List.of(NODES, PODS, POD_LOG, POD_STATUS, REVIEWS), List.of(NODES, READ_PODS, READ_STATUS)))
                .isEmpty();
    }

    @Test
    void aMissingResourceAndAMissingStatusShow() throws UnreadableAnswerException {
        assertThat(ofResources(List.of(NODES, PODS, POD_STATUS), List.of(PODS)))
                .containsExactly("v1/nodes: missing", "v1/pods/status: missing");
        assertThat(ofResources(List.of(PODS, POD_STATUS), List.of())).containsExactly("v1/pods: missing");
    }

    @Test
    void whatKubernetesLacksShows() throws UnreadableAnswerException {
        assertThat(ofResources(List.of(PODS), List.of(PODS, NODES)))
                .containsExactly("v1/nodes: not known to kube-apiserver");
        assertThat(ofResources(List.of(NODES), List.of(NODES.replace("\"get\"", "\"get\",\"patch\""))))
                .hasSize(1);
    }

    @Test
    void aMissingVerbAnotherFactAndAnotherOrderShow() throws UnreadableAnswerException {
        assertThat(ofResources(List.of(PODS), List.of(PODS.replace(",\"watch\"", ""))))
                .hasSize(1);
        assertThat(ofResources(List.of(PODS), List.of(PODS.replace("\"po\"", "\"pod\""))))
                .hasSize(1);
        assertThat(ofResources(List.of(PODS), List.of(PODS.replace(",\"shortNames\":[\"po\"]", ""))))
                .hasSize(1);
        assertThat(ofResources(List.of(NODES, PODS), List.of(PODS, NODES)))
                .containsExactly("resources: in another order");
    }

    @Test
    void aggregatedDiscoveryIsComparedTheSameWay() throws UnreadableAnswerException {
        String want = aggregated(
                "Current",
                "{\"resource\":\"pods\",\"scope\":\"Namespaced\",\"verbs\":[\"get\",\"list\",\"watch\"],"
                        + "\"subresources\":[{\"subresource\":\"status\",\"verbs\":[\"get\"]}]}");
        assertThat(differences(want, want)).isEmpty();
        assertThat(differences(want, want.replace("\"Namespaced\"", "\"Cluster\"")))
                .containsExactly("v1/pods.scope: \"Namespaced\" / \"Cluster\"");
        assertThat(differences(want, want.replace("\"subresource\":\"status\"", "\"subresource\":\"x\"")))
                .containsExactly("v1/pods/status: missing", "v1/pods/x: not known to kube-apiserver");
        assertThat(differences(want, want.replace("Current", "Stale"))).isNotEmpty();
    }

    @Test
    void groupsAreComparedByNameVersionAndOrder() throws UnreadableAnswerException {
        String want = groups(group("apps", "v1"), group("batch", "v1"));
        assertThat(differences(want, groups(group("apps", "v1"), group("batch", "v1"), group("watershed.io", "v1"))))
                .isEmpty();
        assertThat(differences(want, groups(group("apps", "v1")))).containsExactly("batch: missing");
        assertThat(differences(want, groups(group("batch", "v1"), group("apps", "v1"))))
                .containsExactly("groups: in another order");
        assertThat(differences(want, groups(group("apps", "v1"), group("batch", "v2"))))
                .hasSize(2);
        assertThat(differences(want, groups(group("apps", "v1"), group("batch", "v1"), group("mine", "v1"))))
                .containsExactly("mine: not known to kube-apiserver");
    }

    @Test
    void anotherKindOfDocumentIsNotTheSame() throws UnreadableAnswerException {
        String versions = "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}";
        assertThat(differences(versions, versions)).isEmpty();
        assertThat(differences(versions, "{\"kind\":\"APIVersions\"}")).hasSize(1);
        assertThatThrownBy(() -> differences(groups(group("apps", "v1")), "{\"kind\":\"Status\"}"))
                .isInstanceOf(UnreadableAnswerException.class);
    }

    private static String group(String name, String version) {
        String one = "{\"groupVersion\":\"" + name + "/" + version + "\",\"version\":\"" + version + "\"}";
        return "{\"name\":\"" + name + "\",\"versions\":[" + one + "],\"preferredVersion\":" + one + "}";
    }

    private static String groups(String... groups) {
        return "{\"kind\":\"APIGroupList\",\"groups\":[" + String.join(",", groups) + "]}";
    }

    private static String aggregated(String freshness, String resources) {
        return "{\"kind\":\"APIGroupDiscoveryList\",\"items\":[{\"metadata\":{},\"versions\":[{\"version\":\"v1\",\"freshness\":\""
                + freshness + "\",\"resources\":[" + resources + "]}]}]}";
    }

    private static List<String> ofResources(List<String> want, List<String> got) throws UnreadableAnswerException {
        return differences(resourceList(want), resourceList(got));
    }

    private static String resourceList(List<String> resources) {
        return "{\"kind\":\"APIResourceList\",\"groupVersion\":\"v1\",\"resources\":[" + String.join(",", resources)
                + "]}";
    }

    private static List<String> differences(String want, String got) throws UnreadableAnswerException {
        return DiscoveryComparison.differences(ExactJson.parseObject(want), ExactJson.parseObject(got));
    }
}
