package io.watershed.gateway.cache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.log.EtcdKey;
import io.watershed.log.KeyVersion;
import io.watershed.log.ResourceName;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ResourceViewTest {
    private static final String JSON =
            "{\"kind\":\"K\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"}}";

    private final ResourceView pods = ResourceView.of(
            List.of(pod("b", "x"), pod("a-b", "x"), pod("a", "y"), pod("a", "x"), pod("ab", "x"), pod("a", "x-1")));

    private static ObjectEntry object(EtcdKey key, ResourceName name) {
        return new ObjectEntry(
                key, name, new KeyVersion(1, 1, 1, 0, 0), JSON.getBytes(UTF_8), null, Map.of(), Map.of());
    }

    private static ObjectEntry pod(String namespace, String name) {
        return object(
                EtcdKey.utf8("/registry/pods/" + namespace + "/" + name), new ResourceName("pods", namespace, name));
    }

    private static ObjectEntry node(String name) {
        return object(EtcdKey.utf8("/registry/minions/" + name), new ResourceName("nodes", null, name));
    }

    /** {@code key}: one char a byte. */
    private static ObjectEntry document(String key, String name) {
        return object(EtcdKey.of(key.getBytes(ISO_8859_1)), new ResourceName("keyvalues.watershed.io", null, name));
    }

    private static List<String> names(Iterator<ObjectEntry> objects) {
        List<String> names = new ArrayList<>();
        objects.forEachRemaining(object -> {
            String namespace = object.name().namespace();
            names.add((namespace == null ? "" : namespace + "/") + object.name().name());
        });
        return names;
    }

    @Test
    void walksInTheByteOrderOfTheKeys() {
        // As etcd orders: "a-b/" comes before "a/".
        assertThat(names(pods.objects(null, null))).containsExactly("a-b/x", "a/x", "a/x-1", "a/y", "ab/x", "b/x");
    }

    @Test
    void walksOneNamespaceOnly() {
        assertThat(names(pods.objects("a", null))).containsExactly("a/x", "a/x-1", "a/y");
        assertThat(names(pods.objects("ab", null))).containsExactly("ab/x");
        assertThat(names(pods.objects("none", null))).isEmpty();
    }

    @Test
    void goesOnBehindAPathWhetherItIsThereOrNot() {
        assertThat(names(pods.objects("a", "/x"))).containsExactly("a/x-1", "a/y");
        assertThat(names(pods.objects("a", "/x-"))).containsExactly("a/x-1", "a/y");
        assertThat(names(pods.objects("a", "/z"))).isEmpty();
        assertThat(names(pods.objects(null, "/a/y"))).containsExactly("ab/x", "b/x");
        assertThat(names(pods.objects(null, "/a/zzz"))).containsExactly("ab/x", "b/x");
    }

    @Test
    void findsByNamespaceAndName() {
        assertThat(pods.get("a", "x-1")).isNotNull();
        assertThat(pods.get("a", "none")).isNull();
        assertThat(pods.get(null, "a/x")).isNull();
        assertThat(pods.get("a", "")).isNull();
        ResourceView nodes = ResourceView.of(List.of(node("n2"), node("n1")));
        assertThat(names(nodes.objects(null, null))).containsExactly("n1", "n2");
        assertThat(names(nodes.objects(null, "/n1"))).containsExactly("n2");
        assertThat(nodes.get(null, "n1")).isNotNull();
        assertThat(nodes.get("n1", "")).isNull();
    }

    @Test
    void findsDocumentsByTheirSpelling() {
        ResourceView documents = ResourceView.of(List.of(
                document("/flags/a", "%2Fflags%2Fa"),
                document("/flags/", "%2Fflags%2F"),
                document("/flags/a/", "%2Fflags%2Fa%2F"),
                document("100%", "100%25"),
                document("\u0000\u00ff", "%00%FF"),
                document("plain", "plain")));
        for (String name : List.of("%2Fflags%2Fa", "%2Fflags%2F", "100%25", "%00%FF", "plain")) {
            assertThat(documents.get(null, name)).as(name).isNotNull();
        }
        // Another spelling of the same key is another name.
        assertThat(documents.get(null, "%2fflags%2fa")).isNull();
        assertThat(documents.get(null, "100%")).isNull();
        assertThat(documents.get("a", "plain")).isNull();
        assertThat(names(documents.objects(null, null)))
                .containsExactly("%00%FF", "%2Fflags%2F", "%2Fflags%2Fa", "%2Fflags%2Fa%2F", "100%25", "plain");
        assertThat(names(documents.objects(null, "/%2Fflags%2Fa")))
                .containsExactly("%2Fflags%2Fa%2F", "100%25", "plain");
        assertThat(names(documents.objects(null, "/%2Fflags%2Faa"))).containsExactly("100%25", "plain");
        assertThat(names(documents.objects("a", null))).isEmpty();
    }

    private static ObjectEntry flag(String key, String namespace, String name) {
        return object(EtcdKey.utf8(key), new ResourceName("flags.flags.example.com", namespace, name));
    }

    @Test
    void findsConfiguredDocumentsByTheEndsOfTheirKeys() {
        ResourceView flags = ResourceView.of(List.of(
                flag("/flags/shop/a/b", "shop", "a%2Fb"),
                flag("/flags/shop/a", "shop", "a"),
                flag("/flags/e u/a", "e%20u", "a"),
                flag("/flags/shop/z", "shop", "z")));

        assertThat(names(flags.objects(null, null))).containsExactly("e%20u/a", "shop/a", "shop/a%2Fb", "shop/z");
        assertThat(names(flags.objects("shop", "/a%2Fb"))).containsExactly("shop/z");
        assertThat(names(flags.objects("e%20u", null))).containsExactly("e%20u/a");
        assertThat(names(flags.objects(null, "/e%20u/a"))).containsExactly("shop/a", "shop/a%2Fb", "shop/z");
        assertThat(flags.get("shop", "a%2Fb")).isNotNull();
        assertThat(flags.get("e%20u", "a")).isNotNull();
        assertThat(flags.get("shop", "a/b")).isNull();
        assertThat(flags.get("e u", "a")).isNull();
    }

    @Test
    void aResourceThatMovesToAnotherPrefixIsFoundThere() {
        ObjectEntry before = flag("/old/shop/a", "shop", "a");
        ResourceEditor editor = new ResourceEditor(ResourceView.of(List.of(before)));
        editor.put(flag("/new/shop/a", "shop", "a"));
        editor.remove(before.key());
        ResourceView after = editor.freeze();

        assertThat(after.get("shop", "a")).isNotNull();
        assertThat(names(after.objects("shop", null))).containsExactly("shop/a");
    }

    @Test
    void aNameOfKubernetesThatLooksSpelledIsItself() {
        ResourceView odd = ResourceView.of(List.of(pod("a", "b%20c"), pod("a", "b c")));

        assertThat(odd.get("a", "b%20c")).isNotNull();
        assertThat(names(odd.objects("a", "/b%20c"))).isEmpty();
    }

    @Test
    void anEmptyOneHasNothing() {
        assertThat(ResourceView.EMPTY.get("a", "x")).isNull();
        assertThat(ResourceView.EMPTY.objects("a", "/x").hasNext()).isFalse();
        assertThat(ResourceView.EMPTY.size()).isZero();
    }
}
