package io.watershed.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.watershed.testkit.BrokerProcess;
import io.watershed.testkit.ChildProcess;
import io.watershed.testkit.EtcdProcess;
import io.watershed.testkit.FreePorts;
import io.watershed.testkit.TemporaryDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** etcd, a broker, an ingester and gateways, each a process of its own on a port that it keeps over restarts. */
final class Cluster implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** An answer of a gateway. */
    record Answer(int status, HttpResponse<String> response) {
        JsonNode json() {
            try {
                return JSON.readTree(response.body());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String body() {
            return response.body();
        }
    }

    /** One of our processes: can die and be started again as it was. */
    final class Node {
        private final String module;
        private final String mainClass;
        private final List<String> flags;
        private final int port;
        private ChildProcess process;

        private Node(String module, String mainClass, int port, List<String> flags) {
            this.module = module;
            this.mainClass = mainClass;
            this.port = port;
            this.flags = new ArrayList<>(flags);
            this.process = launch();
        }

        private ChildProcess launch() {
            Path target = Path.of(Objects.requireNonNull(System.getProperty("watershed.root")), module, "target");
            List<String> command = new ArrayList<>(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    target.resolve(module + "-0.1.0-SNAPSHOT.jar") + ":" + target.resolve("lib") + "/*",
                    mainClass));
            command.addAll(flags);
            return ChildProcess.start(
                    module, command, Map.of(), directory.path().resolve(module + "-" + port + ".out"));
        }

        String url() {
            return "http://127.0.0.1:" + port;
        }

        ChildProcess process() {
            return process;
        }

        void kill() {
            process.kill();
        }

        /** Starts it again, and waits until it is ready. */
        void restart() {
            process = launch();
            awaitReady();
        }

        /** Starts it again with these flags in the place of those that it had under the same names; does not wait. */
        void launchWith(String... changed) {
            replace(flags, changed);
            process = launch();
        }

        void awaitReady() {
            process.await("readiness", () -> get(url(), "/readyz").status() == 200);
        }
    }

    private final TemporaryDirectory directory = TemporaryDirectory.create("cluster");
    private final EtcdProcess etcd;
    private final BrokerProcess broker = BrokerProcess.create(Map.of());
    private final EtcdWriter writer;
    private final List<Node> ingesters = new ArrayList<>();
    private final List<Node> gateways = new ArrayList<>();
    private final List<String> gatewayFlags;

    private Cluster(EtcdProcess etcd, String... gatewayFlags) {
        this.etcd = etcd;
        this.writer = new EtcdWriter(etcd.endpoint());
        this.gatewayFlags = List.of(gatewayFlags);
    }

    /** All of it, ready. */
    static Cluster start(int gateways, String... gatewayFlags) {
        return startServers(gatewayFlags).startOurs(gateways, List.of());
    }

    private Cluster startOurs(int gatewayCount, List<String> ingesterFlags) {
        addIngester(ingesterFlags.toArray(new String[0]));
        for (int i = 0; i < gatewayCount; i++) {
            addGateway();
        }
        awaitReady();
        return this;
    }

    /** etcd and the broker, and nothing of ours yet. */
    static Cluster startServers(String... gatewayFlags) {
        Cluster cluster = create(gatewayFlags);
        cluster.etcd.run();
        cluster.broker.run();
        return cluster;
    }

    /** Nothing runs yet; where everything will be is known. */
    static Cluster create(String... gatewayFlags) {
        return new Cluster(EtcdProcess.create(EtcdProcess.newestBinary().orElse("etcd")), gatewayFlags);
    }

    /** On an etcd that runs, which the cluster stops in the end. */
    static Cluster startOn(EtcdProcess etcd, int gateways, List<String> ingesterFlags) {
        Cluster cluster = new Cluster(etcd);
        cluster.broker.run();
        return cluster.startOurs(gateways, ingesterFlags);
    }

    /** Started, not yet ready. */
    Node addIngester(String... more) {
        int port = FreePorts.next();
        List<String> flags = new ArrayList<>(List.of(
                "--etcd-endpoints=" + etcd.endpoint(),
                "--kafka-bootstrap-servers=" + broker.bootstrapServers(),
                "--kafka-topic-single-broker=true",
                "--ingester-listen=127.0.0.1:" + port));
        replace(flags, more);
        Node ingester = new Node("ingester", "io.watershed.ingest.IngesterMain", port, flags);
        ingesters.add(ingester);
        return ingester;
    }

    /** Started, not yet ready. */
    Node addGateway(String... more) {
        int port = FreePorts.next();
        List<String> flags = new ArrayList<>(List.of(
                "--kafka-bootstrap-servers=" + broker.bootstrapServers(),
                "--kafka-topic-single-broker=true",
                "--gateway-listen=127.0.0.1:" + port,
                "--gateway-drain=1s"));
        replace(flags, gatewayFlags.toArray(new String[0]));
        replace(flags, more);
        Node gateway = new Node("watch-gateway", "io.watershed.gateway.GatewayMain", port, flags);
        gateways.add(gateway);
        return gateway;
    }

    private static void replace(List<String> flags, String... changed) {
        for (String flag : changed) {
            String name = flag.substring(0, flag.indexOf('=') + 1);
            flags.removeIf(old -> old.startsWith(name));
            flags.add(flag);
        }
    }

    void awaitReady() {
        ingesters.forEach(Node::awaitReady);
        gateways.forEach(Node::awaitReady);
    }

    EtcdWriter etcd() {
        return writer;
    }

    EtcdProcess etcdProcess() {
        return etcd;
    }

    BrokerProcess broker() {
        return broker;
    }

    Node ingester() {
        return ingesters.get(0);
    }

    Node gateway(int index) {
        return gateways.get(index);
    }

    List<Node> gateways() {
        return List.copyOf(gateways);
    }

    static Answer get(String base, String path) {
        return get(base, path, Map.of());
    }

    static Answer get(String base, String path, Map<String, String> headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path)).timeout(Duration.ofSeconds(30));
        headers.forEach(request::header);
        try {
            HttpResponse<String> response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response);
        } catch (IOException e) {
            throw new UncheckedIOException(base + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in a request", e);
        }
    }

    /** The list once the gateway has reached the revision. */
    static Answer listAt(Node gateway, String path, long revision) {
        String separator = path.contains("?") ? "&" : "?";
        return org.awaitility.Awaitility.await("list of " + path + " at " + revision)
                .atMost(HttpWatch.DEADLINE)
                .ignoreExceptions()
                .until(
                        () -> get(
                                gateway.url(),
                                path + separator + "resourceVersion=" + revision
                                        + "&resourceVersionMatch=NotOlderThan"),
                        answer -> answer.status() == 200);
    }

    @Override
    public void close() {
        gateways.forEach(gateway -> gateway.process().close());
        ingesters.forEach(ingester -> ingester.process().close());
        broker.close();
        etcd.close();
        directory.close();
    }
}
