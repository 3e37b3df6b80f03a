package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** fabric8's informer over the JDK's HTTP client: over a WebSocket, and over plain HTTP where a proxy lets no upgrade through. */
final class Fabric8ST {
    @SuppressWarnings("NullAway.Init") // set before any test
    private static Cluster cluster;

    @BeforeAll
    static void start() {
        cluster = Cluster.start(1);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /** What an informer told, one line a call. */
    private static final class Recorder implements ResourceEventHandler<ConfigMap> {
        final List<String> calls = new CopyOnWriteArrayList<>();

        @Override
        public void onAdd(ConfigMap added) {
            calls.add("add " + brief(added));
        }

        @Override
        public void onUpdate(ConfigMap before, ConfigMap after) {
            // A resync repeats what is known.
            if (!version(before).equals(version(after))) {
                calls.add("update " + brief(after));
            }
        }

        @Override
        public void onDelete(ConfigMap deleted, boolean unknown) {
            calls.add("delete " + deleted.getMetadata().getName() + (unknown ? " (unknown)" : ""));
        }

        private static String brief(ConfigMap object) {
            return object.getMetadata().getName() + " " + object.getData().get("n");
        }

        private static String version(ConfigMap object) {
            return object.getMetadata().getResourceVersion();
        }
    }

    @Test
    void anInformerOverAWebSocketStaysSyncedThroughAKilledGateway() {
        staysSyncedThroughAKilledGateway("socketed", cluster.gateway(0).url());

        assertThat(upgrades()).isPositive();
    }

    @Test
    void anInformerOverPlainHttpStaysSyncedThroughAKilledGateway() {
        try (NoUpgradeProxy proxy = NoUpgradeProxy.before(cluster.gateway(0).url())) {
            staysSyncedThroughAKilledGateway("plain", proxy.url());
        }

        assertThat(upgrades()).isZero();
    }

    /** Since the gateway was started last. */
    private static double upgrades() {
        return Metrics.of(cluster.gateway(0).url()).sum("watershed_gateway_requests_total", "code=\"101\"");
    }

    private static void staysSyncedThroughAKilledGateway(String namespace, String url) {
        put(namespace, "kept", 1);
        put(namespace, "ended", 1);
        put(namespace, "changed", 1);
        Cluster.listAt(cluster.gateway(0), "/api/v1/configmaps", cluster.etcd().head());
        Recorder recorder = new Recorder();
        try (KubernetesClient client = client(url);
                SharedIndexInformer<ConfigMap> informer =
                        client.configMaps().inNamespace(namespace).inform(recorder)) {
            awaitCalls(recorder, "add changed 1", "add ended 1", "add kept 1");
            put(namespace, "new", 1);
            put(namespace, "new", 2);
            cluster.etcd().delete(key(namespace, "new"));
            awaitCalls(
                    recorder, "add changed 1", "add ended 1", "add kept 1", "add new 1", "update new 2", "delete new");

            cluster.gateway(0).kill();
            put(namespace, "changed", 2);
            put(namespace, "fleeting", 1);
            cluster.etcd().delete(key(namespace, "fleeting"));
            cluster.etcd().delete(key(namespace, "ended"));
            put(namespace, "late", 1);
            cluster.gateway(0).restart();
            put(namespace, "changed", 3);

            awaitCalls(
                    recorder,
                    "add changed 1",
                    "add ended 1",
                    "add kept 1",
                    "add new 1",
                    "update new 2",
                    "delete new",
                    "update changed 2",
                    "add fleeting 1",
                    "delete fleeting",
                    "delete ended",
                    "add late 1",
                    "update changed 3");
            assertThat(informer.hasSynced()).isTrue();
            assertThat(informer.isWatching()).isTrue();
            assertThat(informer.getStore().list())
                    .extracting(object -> object.getMetadata().getName() + " "
                            + object.getData().get("n"))
                    .containsExactlyInAnyOrder("kept 1", "changed 3", "late 1");
        }
    }

    private static KubernetesClient client(String url) {
        Config config = new ConfigBuilder(Config.empty()).withMasterUrl(url).build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static void awaitCalls(Recorder recorder, String... expected) {
        await().atMost(HttpWatch.DEADLINE)
                .untilAsserted(() -> assertThat(recorder.calls).containsExactly(expected));
    }

    private static void put(String namespace, String name, int n) {
        cluster.etcd().put(key(namespace, name), "{\"data\":{\"n\":\"" + n + "\"}}");
    }

    private static String key(String namespace, String name) {
        return "/registry/configmaps/" + namespace + "/" + name;
    }
}
