package io.watershed.ingest.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.KeyPattern;
import io.watershed.catalogue.ResourceType;
import io.watershed.log.EtcdKey;
import io.watershed.log.ResourceName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyCatalogueTest {
    private final KeyCatalogue catalogue = new KeyCatalogue(EtcdKey.utf8("/registry/"), List.of());

    private @Nullable ResourceName name(String key) {
        return catalogue.place(EtcdKey.utf8(key)).name();
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "/registry/configmaps/default/a, configmaps, default, a",
                "/registry/pods/kube-system/web-0, pods, kube-system, web-0",
                "/registry/minions/node-1, nodes, -, node-1",
                "/registry/namespaces/default, namespaces, -, default",
                "/registry/controllers/default/rc, replicationcontrollers, default, rc",
                "/registry/services/specs/default/web, services, default, web",
                "/registry/services/endpoints/default/web, endpoints, default, web",
                "/registry/deployments/default/web, deployments.apps, default, web",
                "/registry/ingress/default/web, ingresses.networking.k8s.io, default, web",
                "/registry/leases/kube-system/x, leases.coordination.k8s.io, kube-system, x",
                "/registry/clusterroles/system:node, clusterroles.rbac.authorization.k8s.io, -, system:node",
                "/registry/apiregistration.k8s.io/apiservices/v1., apiservices.apiregistration.k8s.io, -, v1.",
            })
    void placesBuiltInResources(String key, String resource, @Nullable String namespace, String name) {
        assertThat(catalogue.place(EtcdKey.utf8(key))).isInstanceOf(Placement.BuiltIn.class);
        assertThat(name(key)).isEqualTo(new ResourceName(resource, namespace, name));
    }

    @Test
    void knowsThePrefixOfEachBuiltInResource() {
        List<ResourceType> types = new ArrayList<>(BuiltInResources.kubernetes());
        types.addAll(BuiltInResources.optional());
        for (ResourceType type : types) {
            String key = "/registry/" + type.storagePrefix() + (type.namespaced() ? "/ns/x" : "/x");

            assertThat(name(key)).isEqualTo(new ResourceName(type.storedAs(), type.namespaced() ? "ns" : null, "x"));
        }
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "/registry/example.com/widgets/default/w, widgets.example.com, default, w",
                "/registry/example.com/gadgets/g, gadgets.example.com, -, g",
            })
    void placesCustomResources(String key, String resource, @Nullable String namespace, String name) {
        assertThat(catalogue.place(EtcdKey.utf8(key)))
                .isEqualTo(new Placement.Custom("example.com", new ResourceName(resource, namespace, name)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/registry/ranges/serviceips",
                "/registry/masterleases/10.0.0.1",
                "/registry/configmaps/default",
                "/registry/configmaps/default/a/b",
                "/registry/configmaps//a",
                "/registry/configmaps/default/",
                "/registry/example.com/widgets",
                "/registry/exa mple.com/widgets/default/w",
                "/registry/../widgets/default/w",
                "/registry/./widgets/w",
                "/registry/example..com/widgets/w",
                "/registry/Example.com/widgets/w",
                "/registry/example.com/wid gets/default/w",
                "/registry/example.com/../default/w",
                "/registry/apps.x/a.b.c/n/x",
                "/registry/example.com/widgets/a b/w",
                "/registry/example.com/widgets/../w",
                "/registry/",
            })
    void keyUnderTheRootThatIsNoObjectIsInNoApiResource(String key) {
        assertThat(catalogue.place(EtcdKey.utf8(key))).isInstanceOf(Placement.Document.class);
        assertThat(name(key)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "/flags, %2Fflags",
        "/flags/, %2Fflags%2F",
        "/flags/a, %2Fflags%2Fa",
        "/flags/a/, %2Fflags%2Fa%2F",
        "/flags/ab, %2Fflags%2Fab",
        "user.rpc/7587, user.rpc%2F7587",
        "compact_rev_key, compact_rev_key",
        "/registryx/a, %2Fregistryx%2Fa",
        "/ü %, %2F%C3%BC%20%25",
    })
    void everyOtherKeyIsADocumentOfItsOwn(String key, String document) {
        ResourceName expected = new ResourceName("keyvalues.watershed.io", null, document);

        assertThat(catalogue.place(EtcdKey.utf8(key))).isEqualTo(keyValue(document, expected));
    }

    @Test
    void bytesThatAreNoTextAreNamedByTheirBytes() {
        EtcdKey document = EtcdKey.of(new byte[] {'a', (byte) 0xff, 0});
        EtcdKey underRoot = EtcdKey.of(new byte[] {'/', 'r', 'e', 'g', 'i', 's', 't', 'r', 'y', '/', (byte) 0xff});

        assertThat(catalogue.place(document))
                .isEqualTo(keyValue("a%FF%00", new ResourceName("keyvalues.watershed.io", null, "a%FF%00")));
        assertThat(catalogue.place(underRoot)).isEqualTo(keyValue("%2Fregistry%2F%FF", null));
    }

    private static Placement keyValue(String documentName, @Nullable ResourceName name) {
        return new Placement.Document(BuiltInResources.KEY_VALUE, documentName, name, false);
    }

    private static KeyCatalogue configured(String... patterns) {
        List<ResourceType> documents = new ArrayList<>();
        for (String pattern : patterns) {
            String plural = "flags" + (documents.isEmpty() ? "" : documents.size());
            documents.add(ResourceType.document("flags.example.com", "v1", "Flag", plural, KeyPattern.parse(pattern)));
        }
        return new KeyCatalogue(EtcdKey.utf8("/registry/"), documents);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "/flags/a, flags.flags.example.com, -, a",
                "/flags/a/b, flags.flags.example.com, -, a%2Fb",
                "/flags/a/, flags.flags.example.com, -, a%2F",
                "/flags/50 %, flags.flags.example.com, -, 50%20%25",
                "/flags/.., flags.flags.example.com, -, %2E%2E",
                "/flags/, keyvalues.watershed.io, -, %2Fflags%2F",
                "/flagsy, keyvalues.watershed.io, -, %2Fflagsy",
                "services:eu/web, flags1.flags.example.com, eu, web",
                "services:eu/web/1, flags1.flags.example.com, eu, web%2F1",
                "services:e u/web, flags1.flags.example.com, e%20u, web",
                "services:eu/, keyvalues.watershed.io, -, services%3Aeu%2F",
                "services:/web, keyvalues.watershed.io, -, services%3A%2Fweb",
                "services:eu, keyvalues.watershed.io, -, services%3Aeu",
            })
    void aConfiguredPrefixNamesItsKeysByTheirRest(
            String key, String resource, @Nullable String namespace, String name) {
        KeyCatalogue flags = configured("/flags/", "services:{namespace}/{name}");

        assertThat(flags.place(EtcdKey.utf8(key)).name()).isEqualTo(new ResourceName(resource, namespace, name));
    }

    @Test
    void kubernetesLayoutWinsOverAPrefixThatCoversIt() {
        assertThat(configured("/{name}").place(EtcdKey.utf8("/registry/pods/default/a")))
                .isInstanceOf(Placement.BuiltIn.class);
        assertThat(configured("/{name}").place(EtcdKey.utf8("/registryx")).name())
                .isEqualTo(new ResourceName("flags.flags.example.com", null, "registryx"));
    }

    @Test
    void aCustomResourceOfTheSameNameIsReadableInTheTopicOnly() {
        Placement placed =
                configured("/flags/{name}").place(EtcdKey.utf8("/registry/flags.example.com/flags/default/a"));

        assertThat(placed.name()).isNull();
        assertThat(((Placement.Document) placed).displaced()).isTrue();
    }
}
