package io.watershed.ingest;

import io.watershed.testkit.BrokerProcess;
import io.watershed.testkit.ChildProcess;
import io.watershed.testkit.FreePorts;
import io.watershed.testkit.TemporaryDirectory;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The ingester as a process of its own, from the class path of the tests. */
final class IngesterProcess implements AutoCloseable {
    private final TemporaryDirectory directory = TemporaryDirectory.create("ingester");
    private final int port = FreePorts.next();
    private final ChildProcess process;

    private IngesterProcess(String etcd, BrokerProcess broker, String topic, List<String> flags) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlog4j2.configurationFile=classpath:log4j2.xml",
                "-cp",
                System.getProperty("java.class.path"),
                IngesterMain.class.getName(),
                "--etcd-endpoints=" + etcd,
                "--kafka-bootstrap-servers=" + broker.bootstrapServers(),
                "--kafka-topic-name=" + topic,
                "--kafka-topic-single-broker",
                "--ingester-listen=127.0.0.1:" + port));
        command.addAll(flags);
        process = ChildProcess.start(
                "ingester", command, Map.of(), directory.path().resolve("output"));
    }

    static IngesterProcess start(String etcd, BrokerProcess broker, String topic, String... flags) {
        return new IngesterProcess(etcd, broker, topic, List.of(flags));
    }

    ChildProcess process() {
        return process;
    }

    IngesterProcess awaitReady() {
        process.await("readiness", () -> get("/readyz").statusCode() == 200);
        return this;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .timeout(Duration.ofSeconds(10))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    @Override
    public void close() {
        process.close();
        directory.close();
    }
}
