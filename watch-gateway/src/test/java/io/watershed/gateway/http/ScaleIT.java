package io.watershed.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.cache.ObjectLog;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScaleIT {
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
    private static final String APPS = "/apis/apps/v1/namespaces/default/";
    private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets/";
    private static final ResourceType WIDGET = new ResourceType(
            "example.com", "v1", "Widget", "widgets", "widget", true, List.of(), List.of(), "example.com/widgets");
    private final GatewayFixture gateway = new GatewayFixture();

    @AfterEach
    void close() {
        gateway.close();
    }

    private void put(String resource, String name, String members) {
        gateway.log.put(resource, "default", name, json("," + members));
    }

    private void put(ResourceType type, String name, String members) {
        gateway.log.write(ObjectLog.Write.put(type, "default", name, json(members)));
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    private void define(String paths) {
        gateway.reached(gateway.log.put(
                "customresourcedefinitions.apiextensions.k8s.io",
                null,
                "widgets.example.com",
                json(
                        "},'spec':{'group':'example.com','scope':'Namespaced','names':{'plural':'widgets','kind':'Widget'},"
                                + "'versions':[{'name':'v1','served':true,'storage':true,'subresources':{" + paths
                                + "}}]}}")));
    }

    @Test
    void aScaleHasTheNumbersAndTheSelectorOfItsObject() {
        gateway.serving(10);
        put(
                "deployments.apps",
                "web",
                "'uid':'u','labels':{'a':'b'},'creationTimestamp':'2026-01-01T00:00:00Z'},'spec':{'replicas':3,'selector':"
                        + "{'matchLabels':{'b':'2','a':'1'},'matchExpressions':[{'key':'aa','operator':'In','values':['y','x']}]}},"
                        + "'status':{'replicas':2,'readyReplicas':1}}");
        put(
                "replicationcontrollers",
                "old",
                "'uid':'v'},'spec':{'replicas':0,'selector':{'b':'2','a':'1'}},'status':{}}");
        gateway.reached(12);

        HttpResponse<String> scale = gateway.get(APPS + "deployments/web/scale");
        assertThat(scale.statusCode()).isEqualTo(200);
        assertThat(scale.body())
                .isEqualTo(json("{'kind':'Scale','apiVersion':'autoscaling/v1','metadata':{'resourceVersion':'11',"
                                + "'name':'web','namespace':'default','uid':'u','creationTimestamp':'2026-01-01T00:00:00Z'},"
                                + "'spec':{'replicas':3},'status':{'replicas':2,'selector':'a=1,aa in (x,y),b=2'}}")
                        + "\n");
        assertThat(gateway.get("/api/v1/namespaces/default/replicationcontrollers/old/scale")
                        .body())
                .endsWith(json("'spec':{},'status':{'replicas':0,'selector':'a=1,b=2'}}") + "\n");
    }

    @Test
    void aScaleHasColumnsOfItsOwn() {
        gateway.serving(10);
        put("statefulsets.apps", "db", "'uid':'u'},'spec':{'replicas':3},'status':{'replicas':2}}");
        gateway.reached(11);

        assertThat(gateway.get(APPS + "statefulsets/db/scale?includeObject=None", "Accept", TABLE)
                        .body())
                .containsSubsequence("\"Name\"", "\"Desired\"", "\"Available\"", "\"Age\"")
                .endsWith("\"rows\":[{\"cells\":[\"db\",3,2,\"<unknown>\"],\"object\":null}]}\n");
        assertThat(gateway.get(
                                APPS + "statefulsets/db/scale",
                                "Accept",
                                "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io")
                        .statusCode())
                .isEqualTo(406);
    }

    @Test
    void aDefinitionSaysWhereItsResourceHasThem() {
        gateway.serving(10);
        put(WIDGET, "w", "},'spec':{'size':3},'status':{'now':1,'what':'a=b'}}");
        put(WIDGET, "none", "},'spec':{}}");
        define("");
        assertThat(gateway.get(WIDGETS + "w/scale").statusCode()).isEqualTo(404);

        define("'scale':{'specReplicasPath':'.spec.size','statusReplicasPath':'.status.now',"
                + "'labelSelectorPath':'.status.what'}");
        assertThat(gateway.get(WIDGETS + "w/scale").body())
                .endsWith(json("'spec':{'replicas':3},'status':{'replicas':1,'selector':'a=b'}}") + "\n");
        HttpResponse<String> without = gateway.get(WIDGETS + "none/scale");
        assertThat(without.statusCode()).isEqualTo(500);
        assertThat(without.body()).contains("the spec replicas field \\\".spec.size\\\" does not exist");
        assertThat(gateway.get(WIDGETS + "absent/scale").statusCode()).isEqualTo(404);
        assertThat(gateway.get("/apis/example.com/v1").body()).contains("\"name\":\"widgets/scale\"");

        define("'scale':{'specReplicasPath':'.spec.size','statusReplicasPath':'.status.none'}");
        assertThat(gateway.get(WIDGETS + "w/scale").body())
                .endsWith(json("'spec':{'replicas':3},'status':{'replicas':0}}") + "\n");
    }

    @Test
    void whatCanNotBeScaledHasNone() {
        gateway.serving(10);
        put("daemonsets.apps", "d", "'uid':'u'},'spec':{},'status':{}}");
        gateway.reached(11);

        assertThat(gateway.get(APPS + "daemonsets/d/scale").statusCode()).isEqualTo(404);
        assertThat(gateway.get(APPS + "deployments/absent/scale").body())
                .contains("deployments.apps \\\"absent\\\" not found");
        assertThat(gateway.send("PATCH", APPS + "deployments/web/scale").statusCode())
                .isEqualTo(405);
    }
}
