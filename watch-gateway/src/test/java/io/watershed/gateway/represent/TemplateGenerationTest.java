package io.watershed.gateway.represent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.ResourceType;
import org.junit.jupiter.api.Test;

class TemplateGenerationTest {
    private static final String OTHER =
            "'annotations':{'a':'{}','deprecated.daemonset.template.generation':'3','b':''}";
    private static final String ALONE = "'annotations':{'deprecated.daemonset.template.generation':'3'}";

    @Test
    void isLeftOutOfTheMetadataOfDaemonSets() {
        assertThat(metadata("daemonsets.apps", "," + OTHER + ",'labels':{'annotations':'x'}"))
                .isEqualTo("{'kind':'PartialObjectMetadata','apiVersion':'meta.k8s.io/v1','metadata':"
                        + "{'resourceVersion':'7','name':'agent','annotations':{'a':'{}','b':''},"
                        + "'labels':{'annotations':'x'}}}");
    }

    @Test
    void leavesNoEmptyAnnotations() {
        assertThat(metadata("daemonsets.apps", "," + ALONE + ",'uid':'u'"))
                .isEqualTo("{'kind':'PartialObjectMetadata','apiVersion':'meta.k8s.io/v1','metadata':"
                        + "{'resourceVersion':'7','name':'agent','uid':'u'}}");
    }

    @Test
    void staysInWholeDaemonSetsAndEverywhereElse() {
        ResourceType type = type("daemonsets.apps");
        byte[] whole = object(type, "," + ALONE);

        assertThat(new Transform.Whole(type, Conversion.NONE).object(whole)).isEqualTo(whole);
        assertThat(metadata("deployments.apps", "," + ALONE)).contains(ALONE);
    }

    private static ResourceType type(String resource) {
        return BuiltInResources.byResource(resource).orElseThrow();
    }

    private static byte[] object(ResourceType type, String members) {
        return ("{'kind':'" + type.kind()
                        + "','apiVersion':'apps/v1','metadata':{'resourceVersion':'7','name':'agent'" + members
                        + "},'spec':{}}")
                .replace('\'', '"')
                .getBytes(UTF_8);
    }

    private static String metadata(String resource, String members) {
        ResourceType type = type(resource);
        return new String(Transform.Metadata.of(type, "meta.k8s.io/v1").object(object(type, members)), UTF_8)
                .replace('"', '\'');
    }
}
