package io.watershed.gateway.http;

import static io.watershed.gateway.cache.ObjectLog.Write.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.KeyPattern;
import io.watershed.catalogue.ResourceType;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Resources that an ingester's configuration makes of prefixes: a gateway learns of them from the log. */
class DocumentsIT {
    private static final String API = "/apis/flags.example.com/v1";
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
    private static final ResourceType FLAGS = flags("Flag");

    private final GatewayFixture gateway = new GatewayFixture();

    private static ResourceType flags(String kind) {
        return ResourceType.document(
                "flags.example.com", "v1", kind, "flags", KeyPattern.parse("/flags/{namespace}/{name}"));
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private void serving() {
        gateway.log.begin(10, FLAGS);
        gateway.log.write(
                put(FLAGS, "shop", "a", "},\"enabled\":true,\"rollout\":{\"percent\":50}}"),
                put(FLAGS, "shop", "b%2Fc", "},\"enabled\":false}"),
                put(FLAGS, "other", "a", "},\"enabled\":true}"));
        gateway.reached(11);
    }

    @Test
    void anEmptyOneIsDiscoveredAndListedEmpty() {
        gateway.log.begin(10, FLAGS);
        gateway.reached(10);

        assertThat(gateway.get("/apis").body()).contains("\"name\":\"flags.example.com\"");
        assertThat(gateway.get(API).body())
                .contains(
                        "{\"name\":\"flags\",\"singularName\":\"flag\",\"namespaced\":true,\"kind\":\"Flag\",\"verbs\":[\"get\",\"list\",\"watch\"]}");
        assertThat(gateway.get(API + "/flags").body())
                .isEqualTo("{\"kind\":\"FlagList\",\"apiVersion\":\"flags.example.com/v1\",\"metadata\":"
                        + "{\"resourceVersion\":\"10\",\"continue\":\"\"},\"items\":[]}\n");
    }

    @Test
    void theyAreListedByNamespaceAndReadByName() {
        serving();

        assertThat(gateway.get(API + "/flags").body()).containsSubsequence("\"other\"", "\"a\"", "\"b%2Fc\"");
        assertThat(gateway.get(API + "/namespaces/shop/flags").body())
                .contains("\"name\":\"a\"", "\"name\":\"b%2Fc\"")
                .doesNotContain("\"other\"");
        for (String name : List.of("b%2Fc", "b%252Fc")) {
            assertThat(gateway.get(API + "/namespaces/shop/flags/" + name).body())
                    .as(name)
                    .isEqualTo(
                            "{\"kind\":\"Flag\",\"apiVersion\":\"flags.example.com/v1\",\"metadata\":{\"resourceVersion\":\"11\","
                                    + "\"name\":\"b%2Fc\",\"namespace\":\"shop\"},\"enabled\":false}\n");
        }
        assertThat(gateway.get(API + "/namespaces/shop/flags/none").statusCode())
                .isEqualTo(404);
    }

    @Test
    void anyScalarSelectsInListsAndWatches() throws Exception {
        serving();

        assertThat(gateway.get(API + "/flags?fieldSelector=enabled%3Dtrue,rollout.percent%3D50")
                        .body())
                .contains("\"rollout\"")
                .doesNotContain("\"other\"", "b%2Fc");
        // A revision of one object alone: of several, a watch may repeat what stands in it.
        gateway.log.write(put(FLAGS, "shop", "off", "},\"enabled\":false}"));
        gateway.reached(12);
        try (RawConnection watch = gateway.connect()) {
            watch.get(API + "/flags?watch=1&resourceVersion=12&fieldSelector=enabled%3Dtrue")
                    .head();
            gateway.log.write(put(FLAGS, "shop", "new", "},\"enabled\":false}"));
            gateway.log.write(put(FLAGS, "shop", "new", "},\"enabled\":true}"));
            assertThat(watch.chunk()).startsWith("{\"type\":\"ADDED\"").contains("\"resourceVersion\":\"14\"");
            gateway.log.write(put(FLAGS, "shop", "new", "},\"enabled\":false}"));
            assertThat(watch.chunk()).startsWith("{\"type\":\"DELETED\"").contains("\"resourceVersion\":\"15\"");
        }
    }

    @Test
    void theirTablesShowNameAndAge() {
        serving();

        assertThat(gateway.get(API + "/namespaces/shop/flags", "Accept", TABLE).body())
                .contains("{\"name\":\"Name\"", "{\"name\":\"Age\"", "\"cells\":[\"a\",\"<unknown>\"]");
    }

    @Test
    void anotherConfigurationMovesThemAtTheEndOfItsRelist() {
        serving();
        ResourceType toggles = ResourceType.document(
                "toggles.example.com", "v1", "Toggle", "toggles", KeyPattern.parse("/flags/{name}"));

        long relisted = gateway.log.reconfigure(
                List.of(toggles),
                put(toggles, null, "shop%2Fa", "},\"enabled\":true}"),
                put(toggles, null, "shop%2Fb%2Fc", "},\"enabled\":false}"),
                put(toggles, null, "other%2Fa", "},\"enabled\":true}"));
        gateway.reached(relisted);

        assertThat(gateway.get("/apis").body()).contains("toggles.example.com").doesNotContain("flags.example.com");
        assertThat(gateway.get(API + "/flags").statusCode()).isEqualTo(404);
        assertThat(gateway.get("/apis/toggles.example.com/v1/toggles").body())
                .containsSubsequence("\"other%2Fa\"", "\"shop%2Fa\"", "\"shop%2Fb%2Fc\"");
        assertThat(gateway.get("/apis/toggles.example.com/v1/toggles/shop%252Fa")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aConfigurationWithoutThemMakesThemKeyValuesAgain() {
        serving();
        ResourceType keyValue = BuiltInResources.KEY_VALUE;

        long relisted = gateway.log.reconfigure(
                List.of(),
                put(keyValue, null, "%2Fflags%2Fshop%2Fa", "},\"spec\":{\"json\":{\"enabled\":true}}}"),
                put(keyValue, null, "%2Fflags%2Fshop%2Fb%2Fc", "},\"spec\":{\"json\":{\"enabled\":false}}}"),
                put(keyValue, null, "%2Fflags%2Fother%2Fa", "},\"spec\":{\"json\":{\"enabled\":true}}}"));
        gateway.reached(relisted);

        assertThat(gateway.get(API).statusCode()).isEqualTo(404);
        assertThat(gateway.get("/apis/watershed.io/v1/keyvalues?fieldSelector=spec.json.enabled%3Dtrue")
                        .body())
                .contains("%2Fflags%2Fother%2Fa", "%2Fflags%2Fshop%2Fa")
                .doesNotContain("%2Fflags%2Fshop%2Fb%2Fc");
    }

    @Test
    void anotherKindOfTheSameResourceIsShownEverywhere() {
        serving();
        ResourceType renamed = flags("Toggle");

        long relisted = gateway.log.reconfigure(
                List.of(renamed),
                put(renamed, "shop", "a", "},\"enabled\":true}"),
                put(renamed, "shop", "b%2Fc", "},\"enabled\":false}"),
                put(renamed, "other", "a", "},\"enabled\":true}"));
        gateway.reached(relisted);

        assertThat(gateway.get(API).body()).contains("\"kind\":\"Toggle\"").doesNotContain("\"Flag\"");
        assertThat(gateway.get(API + "/flags").body())
                .contains("\"ToggleList\"")
                .doesNotContain("\"Flag\"");
    }
}
