package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.watershed.testkit.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of deploy/samples, run as they stand there: configuration and client. */
final class DocumentSamplesST {
    private static final Path SAMPLES =
            Path.of(Objects.requireNonNull(System.getProperty("watershed.root")), "deploy", "samples");

    @TempDir
    @SuppressWarnings("NullAway.Init") // set before any test
    private Path directory;

    @Test
    void featureFlags() {
        requireTool("python3", "import urllib.request", "-c");
        try (Cluster cluster = cluster("feature-flags")) {
            long put = cluster.etcd().put("/flags/shop/dark-mode", "{\"enabled\":false}");
            cluster.etcd().put("/flags/other/beta", "{\"enabled\":true}");
            Cluster.listAt(cluster.gateway(0), "/apis/flags.example.com/v1/flags", put);
            try (ChildProcess client = client(
                    "python3", "feature-flags/flags.py", cluster.gateway(0).url(), "shop")) {
                awaitLast(client, "{\"dark-mode\": false}");
                cluster.etcd().put("/flags/shop/dark-mode", "{\"enabled\":true}");
                awaitLast(client, "{\"dark-mode\": true}");
                cluster.etcd().put("/flags/shop/new-cart", "{\"enabled\":true,\"owner\":\"cart\"}");
                awaitLast(client, "{\"dark-mode\": true, \"new-cart\": true}");
                cluster.etcd().delete("/flags/shop/dark-mode");
                awaitLast(client, "{\"dark-mode\": false, \"new-cart\": true}");

                assertThat(client.output()).doesNotContain("beta");
            }
        }
    }

    @Test
    void serviceRegistry() {
        requireTool("node", "process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)", "-e");
        try (Cluster cluster = cluster("service-registry")) {
            long lease = cluster.etcd().grantLease(3600);
            register(cluster, "web", "10.0.0.5:80", "eu-1", 0);
            register(cluster, "web", "10.0.0.6:80", "eu-2", 0);
            long put = register(cluster, "mail", "10.0.0.9:25", "eu-1", 0);
            Cluster.listAt(cluster.gateway(0), "/apis/registry.example.com/v1/instances", put);
            try (ChildProcess client = client(
                    "node", "service-registry/instances.mjs", cluster.gateway(0).url(), "web", "eu-1")) {
                awaitLast(client, "10.0.0.5:80");
                register(cluster, "web", "10.0.0.7:80", "eu-1", lease);
                awaitLast(client, "10.0.0.5:80 10.0.0.7:80");
                register(cluster, "web", "10.0.0.5:80", "eu-2", 0); // moves away
                awaitLast(client, "10.0.0.7:80");
                register(cluster, "web", "10.0.0.8:80", "eu-1", 0);
                awaitLast(client, "10.0.0.7:80 10.0.0.8:80");
                cluster.etcd().revokeLease(lease); // as when it runs out
                awaitLast(client, "10.0.0.8:80");

                assertThat(client.output()).doesNotContain("10.0.0.6", "10.0.0.9");
            }
        }
    }

    private static long register(Cluster cluster, String service, String address, String zone, long lease) {
        String value = "{\"address\":\"" + address + "\",\"zone\":\"" + zone + "\"}";
        return cluster.etcd().putTogether(List.of("/services/" + service + "/" + address), value, lease);
    }

    private static Cluster cluster(String sample) {
        Cluster cluster = Cluster.startServers();
        cluster.addIngester("--config=" + SAMPLES.resolve(sample).resolve("ingester.yaml"));
        cluster.addGateway();
        cluster.awaitReady();
        return cluster;
    }

    private ChildProcess client(String interpreter, String script, String... arguments) {
        List<String> command = new java.util.ArrayList<>(
                List.of(interpreter, SAMPLES.resolve(script).toString()));
        command.addAll(List.of(arguments));
        return ChildProcess.start(script, command, Map.of(), directory.resolve(interpreter + ".out"));
    }

    private static void awaitLast(ChildProcess client, String line) {
        client.await(
                line,
                () -> client.output().strip().lines().reduce("", (a, b) -> b).equals(line));
    }

    private void requireTool(String name, String program, String option) {
        boolean runs;
        try {
            Process process = new ProcessBuilder(name, option, program)
                    .redirectErrorStream(true)
                    .redirectOutput(
                            Files.createTempFile(directory, name, ".out").toFile())
                    .start();
            runs = process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            runs = false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while looking for " + name, e);
        }
        assumeTrue(
                runs,
                "this sample's client is not run: it needs " + name + " on the PATH (python3, or node 18 or newer)");
    }
}
