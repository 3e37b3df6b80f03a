package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.watershed.e2e.RecordingProxy.Request;
import io.watershed.e2e.RecordingProxy.WebSockets;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Real clients behind a load balancer, while the gateway that serves them is killed: another one serves every event, each once and in its order,
 * and none of them lists again.
 */
final class ClientsST {
    @SuppressWarnings("NullAway.Init") // set before any test
    private static Cluster cluster;

    /** Which gateway serves; the test after this one begins at the other, while this one starts again. */
    private static int serving;

    @BeforeAll
    static void start() {
        cluster = Cluster.start(2);
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @BeforeEach
    void awaitBothGateways() {
        cluster.awaitReady();
    }

    /** What runs against the URL and tells what it saw, until it is closed. */
    private interface Client {
        ObservedEvents watch(String url, String namespace);
    }

    @Test
    void fabric8sInformerOverAWebSocketResumes() {
        List<Request> requests = resumesOnAnotherGateway("fabric8-socket", WebSockets.PASSED, ClientsST::fabric8);

        assertListedOnceThenWatched(requests);
        assertThat(requests).filteredOn(Request::isWatch).allMatch(Request::webSocket);
    }

    @Test
    void fabric8sInformerOverPlainHttpResumes() {
        List<Request> requests =
                resumesOnAnotherGateway("fabric8-plain", WebSockets.ANSWERED_EMPTY, ClientsST::fabric8);

        assertListedOnceThenWatched(requests);
        assertThat(requests)
                .filteredOn(Request::isWatch)
                .filteredOn(request -> !request.webSocket())
                .hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void clientNodesInformerResumes() {
        List<String> program = ClientPrograms.node("informer.mjs");

        assertListedOnceThenWatched(resumesOnAnotherGateway("client-node", program));
    }

    @Test
    void pythonsWatchResumes() {
        List<String> program = ClientPrograms.python("typed_watch.py");

        assertListedOnceThenWatched(resumesOnAnotherGateway("python-typed", program));
    }

    @Test
    void pythonsDynamicClientResumes() {
        List<String> program = ClientPrograms.python("dynamic_watch.py");

        List<Request> requests = resumesOnAnotherGateway("python-dynamic", program);
        assertListedOnceThenWatched(requests.stream()
                .filter(request -> request.target().contains("/configmaps"))
                .toList());
        assertThat(requests).extracting(Request::target).contains("/version", "/api/v1");
    }

    @Test
    void clientGosReflectorResumes() {
        List<String> program = ClientPrograms.go("reflector");

        assertStreamedTheInitialStateOnce(resumesOnAnotherGateway("client-go", program));
    }

    @Test
    void aControllerRuntimeCacheResumes() {
        List<String> program = ClientPrograms.go("controllercache");

        List<Request> requests = resumesOnAnotherGateway("controller-runtime", program);
        assertStreamedTheInitialStateOnce(requests.stream()
                .filter(request -> request.target().contains("/configmaps"))
                .toList());
        assertThat(requests).extracting(Request::target).contains("/api", "/apis");
    }

    private static List<Request> resumesOnAnotherGateway(String namespace, List<String> program) {
        return resumesOnAnotherGateway(
                namespace, WebSockets.PASSED, (url, of) -> ClientPrograms.start(program, url, of));
    }

    private static ObservedEvents fabric8(String url, String namespace) {
        Config config = new ConfigBuilder(Config.empty()).withMasterUrl(url).build();
        KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build();
        Fabric8Recorder recorder = new Fabric8Recorder();
        SharedIndexInformer<ConfigMap> informer =
                client.configMaps().inNamespace(namespace).inform(recorder);
        return new ObservedEvents(recorder::events, () -> {
            assertThat(informer.hasSynced()).isTrue();
            assertThat(informer.isWatching()).isTrue();
            assertThat(informer.getStore().list())
                    .extracting(object -> object.getMetadata().getName() + " "
                            + object.getData().get("n"))
                    .containsExactlyInAnyOrder("kept 1", "changed 3", "late 1");
            informer.close();
            client.close();
        });
    }

    /** Returns what the client asked for. */
    private static List<Request> resumesOnAnotherGateway(String namespace, WebSockets webSockets, Client client) {
        Cluster.Node first = cluster.gateway(serving);
        serving = 1 - serving;
        Cluster.Node second = cluster.gateway(serving);
        ObjectHistory history = new ObjectHistory(cluster.etcd(), namespace);
        history.put("changed", 1);
        history.put("ended", 1);
        history.put("kept", 1);
        int found = history.events().size();
        Cluster.listAt(first, "/api/v1/configmaps", cluster.etcd().head());
        try (RecordingProxy proxy = RecordingProxy.before(first.url(), webSockets);
                ObservedEvents observed = client.watch(proxy.url(), namespace)) {
            observed.await(history.events(), found);
            history.put("new", 1);
            history.put("new", 2);
            history.delete("new");
            observed.await(history.events(), found);

            proxy.switchTo(second.url());
            first.kill();
            history.put("changed", 2);
            history.put("fleeting", 1);
            history.delete("fleeting");
            history.delete("ended");
            history.put("late", 1);
            history.put("changed", 3);
            observed.await(history.events(), found);
            return proxy.requests();
        } finally {
            if (!first.process().isAlive()) {
                first.launchWith();
            }
        }
    }

    private static void assertListedOnceThenWatched(List<Request> requests) {
        assertThat(requests).filteredOn(request -> !request.isWatch()).hasSize(1);
        assertThat(requests).noneMatch(Request::wantsInitialEvents);
        assertThat(requests).filteredOn(Request::isWatch).hasSizeGreaterThanOrEqualTo(2);
    }

    private static void assertStreamedTheInitialStateOnce(List<Request> requests) {
        assertThat(requests).allMatch(Request::isWatch);
        assertThat(requests).filteredOn(Request::wantsInitialEvents).hasSize(1);
        assertThat(requests).hasSizeGreaterThanOrEqualTo(2);
    }
}
