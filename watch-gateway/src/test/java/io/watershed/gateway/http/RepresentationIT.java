package io.watershed.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.cache.ObjectLog;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RepresentationIT {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,"
            + "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";
    private static final String METADATA =
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
    private final GatewayFixture gateway = new GatewayFixture();

    @BeforeEach
    void write() {
        gateway.serving(10);
        gateway.log.put("configmaps", "default", "a", "},\"data\":{\"k\":\"1\",\"l\":\"2\"}}");
        ResourceType widgets = new ResourceType(
                "example.com", "v1", "Widget", "widgets", "widget", true, List.of(), List.of(), "example.com/widgets");
        gateway.log.write(new ObjectLog.Write(widgets, "default", "w", "},\"spec\":{\"size\":3}}", null));
        define("{\"name\":\"Size\",\"type\":\"integer\",\"jsonPath\":\".spec.size\"}");
        gateway.reached(13);
    }

    /** Writes the definition of widgets. */
    private void define(String column) {
        gateway.log.put(
                "customresourcedefinitions.apiextensions.k8s.io",
                null,
                "widgets.example.com",
                "},\"spec\":{\"group\":\"example.com\",\"scope\":\"Namespaced\",\"names\":{\"kind\":\"Widget\","
                        + "\"plural\":\"widgets\"},\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,"
                        + "\"additionalPrinterColumns\":[" + column + "]}]}}");
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void answersWithTables() {
        for (String path : new String[] {CONFIG_MAPS, CONFIG_MAPS + "/a"}) {
            HttpResponse<String> table = gateway.get(path, "Accept", TABLE);
            assertThat(table.statusCode()).isEqualTo(200);
            assertThat(table.headers().firstValue("Content-Type")).hasValue("application/json");
            assertThat(table.body())
                    .startsWith(
                            "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"resourceVersion\":\"1")
                    .contains(
                            "{\"name\":\"Data\",\"type\":\"string\",\"format\":\"\",\"description\":\"\",\"priority\":0}")
                    .endsWith(
                            "\"rows\":[{\"cells\":[\"a\",2,\"<unknown>\"],\"object\":{\"kind\":\"PartialObjectMetadata\","
                                    + "\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"resourceVersion\":\"11\",\"name\":\"a\","
                                    + "\"namespace\":\"default\"}}}]}\n");
        }
        assertThat(gateway.get(CONFIG_MAPS + "?includeObject=None", "Accept", TABLE)
                        .body())
                .endsWith("\"rows\":[{\"cells\":[\"a\",2,\"<unknown>\"],\"object\":null}]}\n");
        assertThat(gateway.get(CONFIG_MAPS + "?includeObject=x", "Accept", TABLE)
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void takesColumnsOfCustomResourcesFromTheirDefinitions() {
        assertThat(gateway.get(WIDGETS + "?includeObject=None", "Accept", TABLE).body())
                .contains("\"name\":\"Size\",\"type\":\"integer\"")
                .contains("\"cells\":[\"w\",3]");
        define("{\"name\":\"Name\",\"type\":\"string\",\"jsonPath\":\".metadata.name\"}");
        gateway.reached(14);
        assertThat(gateway.get(WIDGETS + "?includeObject=None", "Accept", TABLE).body())
                .contains("\"cells\":[\"w\",\"w\"]");
        gateway.log.delete("customresourcedefinitions.apiextensions.k8s.io", null, "widgets.example.com");
        gateway.reached(15);
        assertThat(gateway.get(WIDGETS + "?includeObject=None", "Accept", TABLE).body())
                .contains("\"cells\":[\"w\",\"<unknown>\"]");
    }

    @Test
    void answersWithMetadataAlone() {
        String object = "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":"
                + "{\"resourceVersion\":\"11\",\"name\":\"a\",\"namespace\":\"default\"}}";

        assertThat(gateway.get(CONFIG_MAPS + "/a", "Accept", METADATA).body()).isEqualTo(object + "\n");
        assertThat(gateway.get(CONFIG_MAPS, "Accept", METADATA.replace("Metadata;", "MetadataList;"))
                        .body())
                .isEqualTo("{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1\","
                        + "\"metadata\":{\"resourceVersion\":\"13\"},\"items\":[" + object + "]}\n");
        HttpResponse<String> refused = gateway.get(CONFIG_MAPS, "Accept", METADATA);
        assertThat(refused.statusCode()).isEqualTo(406);
        assertThat(refused.body()).contains("the requested object is a list (*core.ConfigMapList)");
    }

    @Test
    void answersInYaml() {
        HttpResponse<String> list = gateway.get(CONFIG_MAPS, "Accept", "application/yaml");
        assertThat(list.headers().firstValue("Content-Type")).hasValue("application/yaml");
        assertThat(list.body()).isEqualTo("""
                apiVersion: v1
                items:
                - data:
                    k: "1"
                    l: "2"
                  metadata:
                    name: a
                    namespace: default
                    resourceVersion: "11"
                kind: ConfigMapList
                metadata:
                  resourceVersion: "13"
                """);
        assertThat(gateway.get(CONFIG_MAPS + "/a", "Accept", "application/yaml").body())
                .startsWith("apiVersion: v1\ndata:\n");
        assertThat(gateway.get("/api/v1", "Accept", "application/yaml").body())
                .startsWith("groupVersion: v1\nkind: APIResourceList\nresources:\n- kind: ConfigMap\n");
        HttpResponse<String> missing = gateway.get(CONFIG_MAPS + "/nope", "Accept", "application/yaml");
        assertThat(missing.statusCode()).isEqualTo(404);
        assertThat(missing.body())
                .startsWith("apiVersion: v1\ncode: 404\ndetails:\n  kind: configmaps\n  name: nope\n");
        HttpResponse<String> watch = gateway.get(CONFIG_MAPS + "?watch=1", "Accept", "application/yaml");
        assertThat(watch.statusCode()).isEqualTo(406);
        assertThat(watch.headers().firstValue("Content-Type")).hasValue("application/yaml");
        assertThat(watch.body()).isEqualTo("""
                apiVersion: v1
                code: 406
                kind: Status
                message: 'only the following media types are accepted: application/json;stream=watch,
                  application/vnd.kubernetes.protobuf;stream=watch'
                metadata: {}
                reason: NotAcceptable
                status: Failure
                """);
    }

    @Test
    void indentsForPeople() {
        String start = "{\n  \"kind\": \"ConfigMap\",\n  \"apiVersion\": \"v1\",\n";
        String object = CONFIG_MAPS + "/a";

        assertThat(gateway.get(object + "?pretty=true").body())
                .startsWith(start)
                .endsWith("\n}");
        for (String agent : new String[] {"curl/8.5.0", "Wget/1.21", "Mozilla/5.0 (X11)"}) {
            assertThat(gateway.get(object, "User-Agent", agent).body()).startsWith(start);
            assertThat(gateway.get(object + "?pretty=0", "User-Agent", agent).body())
                    .startsWith("{\"kind\":\"ConfigMap\",");
        }
        assertThat(gateway.get(object, "Accept", "application/json;pretty=1").body())
                .startsWith(start);
        assertThat(gateway.get(CONFIG_MAPS + "/nope?pretty=1").body()).startsWith("{\n  \"kind\": \"Status\",\n");
        assertThat(gateway.get("/apis", "User-Agent", "curl/8").body())
                .startsWith("{\n  \"kind\": \"APIGroupList\",\n");
    }

    @Test
    void saysThatNothingElseIsServed() {
        HttpResponse<String> builtIn = gateway.get(CONFIG_MAPS, "Accept", "text/html");
        assertThat(builtIn.statusCode()).isEqualTo(406);
        assertThat(builtIn.body()).startsWith("{\n").contains("\"message\": \"406: Not Acceptable\\n\\nAvailable");
        assertThat(gateway.get(WIDGETS, "Accept", "text/html").body())
                .contains("\"message\": \"only the following media types are accepted: application/json,");
    }

    @Test
    void watchesTables() throws IOException {
        try (RawConnection watch = gateway.connect()) {
            assertThat(watch.get(CONFIG_MAPS + "?watch=true&resourceVersion=10&includeObject=None", "Accept: " + TABLE)
                            .head())
                    .startsWith("HTTP/1.1 200 OK\n");
            assertThat(watch.chunk())
                    .startsWith("{\"type\":\"ADDED\",\"object\":{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\","
                            + "\"metadata\":{\"resourceVersion\":\"11\"},\"columnDefinitions\":[{\"name\":\"Name\",")
                    .endsWith("\"rows\":[{\"cells\":[\"a\",2,\"<unknown>\"],\"object\":null}]}}\n");
            gateway.log.put("configmaps", "default", "b", "}}");
            assertThat(watch.chunk())
                    .isEqualTo("{\"type\":\"ADDED\",\"object\":{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\","
                            + "\"metadata\":{\"resourceVersion\":\"14\"},\"columnDefinitions\":null,\"rows\":["
                            + "{\"cells\":[\"b\",0,\"<unknown>\"],\"object\":null}]}}\n");
        }
    }
}
