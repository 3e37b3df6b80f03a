package io.watershed.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.cache.ObjectLog;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Custom resources appear, change and go with their definitions, while watches go on. */
class CustomResourcesIT {
    private static final String DEFINITIONS = "customresourcedefinitions.apiextensions.k8s.io";
    private static final String V1 = "/apis/example.com/v1/namespaces/default/widgets";
    private static final String V2 = "/apis/example.com/v2/namespaces/default/widgets";
    private static final String SCHEMA =
            "\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\",\"properties\":{\"spec\":"
                    + "{\"type\":\"object\",\"properties\":{\"size\":{\"type\":\"integer\"}}}}}}";
    private static final String ONLY_V1 = "{\"name\":\"v1\",\"served\":true,\"storage\":true," + SCHEMA + "}";
    private static final String BOTH = "{\"name\":\"v1\",\"served\":true,\"storage\":false," + SCHEMA + "},"
            + "{\"name\":\"v2\",\"served\":true,\"storage\":true,\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\","
            + "\"x-kubernetes-preserve-unknown-fields\":true}}}";

    private final GatewayFixture gateway = new GatewayFixture();

    @AfterEach
    void close() {
        gateway.close();
    }

    private long define(String versions) {
        return gateway.log.put(
                DEFINITIONS,
                null,
                "widgets.example.com",
                "},\"spec\":{\"group\":\"example.com\",\"scope\":\"Namespaced\",\"names\":{\"kind\":\"Widget\",\"plural\":\"widgets\"},"
                        + "\"versions\":[" + versions + "]}}");
    }

    private long write(String version, String name, @Nullable String members) {
        ResourceType widgets = new ResourceType(
                "example.com",
                version,
                "Widget",
                "widgets",
                "widget",
                true,
                List.of(),
                List.of(),
                "example.com/widgets");
        return gateway.log.write(new ObjectLog.Write(widgets, "default", name, members, null));
    }

    @Test
    void anEmptyOneIsThereFromItsDefinitionOnAndGoesWithIt() {
        gateway.serving(10);
        assertThat(gateway.get(V1).statusCode()).isEqualTo(404);

        gateway.reached(define(ONLY_V1));
        assertThat(gateway.get(V1).body()).contains("\"kind\":\"WidgetList\"", "\"items\":[]");
        assertThat(gateway.get("/apis").body()).contains("\"example.com/v1\"");

        gateway.reached(gateway.log.delete(DEFINITIONS, null, "widgets.example.com"));
        assertThat(gateway.get(V1).statusCode()).isEqualTo(404);
        assertThat(gateway.get("/apis").body()).doesNotContain("example.com");
    }

    @Test
    void aWatchGoesOnInItsVersionWhileAnotherBecomesTheStoredOne() throws IOException {
        gateway.serving(10);
        gateway.reached(define(ONLY_V1));
        gateway.reached(write("v1", "a", "},\"spec\":{\"size\":1}}"));
        try (RawConnection watch = gateway.connect();
                RawConnection other = gateway.connect()) {
            watch.get(V1 + "?watch=1").head();
            other.get("/api/v1/configmaps?watch=1&resourceVersion=12").head();
            assertThat(watch.chunk()).contains("\"ADDED\"", "\"example.com/v1\"", "\"size\":1");

            gateway.reached(define(BOTH));
            gateway.reached(write("v2", "a", "},\"spec\":{\"size\":2,\"colour\":\"blue\"}}"));
            assertThat(watch.chunk())
                    .contains("\"MODIFIED\"", "\"apiVersion\":\"example.com/v1\"", "\"spec\":{\"size\":2}")
                    .doesNotContain("colour");
            assertThat(gateway.get(V2 + "/a").body())
                    .contains("\"apiVersion\":\"example.com/v2\"", "\"spec\":{\"size\":2,\"colour\":\"blue\"}");
            assertThat(gateway.get(V1 + "/a").body())
                    .contains("\"apiVersion\":\"example.com/v1\"", "\"spec\":{\"size\":2}");

            write("v2", "a", null);
            gateway.reached(gateway.log.delete(DEFINITIONS, null, "widgets.example.com"));
            assertThat(watch.chunk()).contains("\"DELETED\"", "\"apiVersion\":\"example.com/v1\"");
            gateway.log.put("configmaps", "default", "c", "}}");
            assertThat(other.chunk()).contains("\"ADDED\"", "\"name\":\"c\"");
        }
    }
}
