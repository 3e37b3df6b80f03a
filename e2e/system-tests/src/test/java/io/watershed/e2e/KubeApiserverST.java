package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.watershed.e2e.golden.GoldenCase.Phase;
import io.watershed.e2e.golden.GoldenHistory;
import io.watershed.e2e.golden.GoldenSet;
import io.watershed.testkit.ChildProcess;
import io.watershed.testkit.EtcdProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real kube-apiserver writes what a real kubectl tells it, and kubectl reads the same from it and from a gateway. */
final class KubeApiserverST {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LEAST_RESOURCES = 50;

    @Test
    void kubectlReadsFromAGatewayWhatItWroteToAKubeApiserver(@TempDir Path home) throws IOException {
        assumeTrue(
                KubeApiserver.binary().isPresent()
                        && Kubectl.binary().isPresent()
                        && EtcdProcess.newestBinary().isPresent(),
                "set WATERSHED_KUBE_APISERVER to a kube-apiserver 1.37, WATERSHED_KUBECTL and WATERSHED_ETCD37");
        EtcdProcess etcd = EtcdProcess.startNewest();
        new GoldenHistory(etcd.endpoint()).loadUntil(GoldenSet.revision(Phase.STATE));
        try (Cluster cluster = Cluster.startOn(etcd, 1, List.of("--ingester-secrets=full"));
                KubeApiserver apiserver =
                        KubeApiserver.start(KubeApiserver.binary().get(), etcd.endpoint())) {
            Kubectl there = new Kubectl(
                    Kubectl.binary().get(),
                    Files.createDirectory(home.resolve("there")),
                    apiserver.url(),
                    KubeApiserver.TOKEN);
            Kubectl here = new Kubectl(
                    Kubectl.binary().get(),
                    Files.createDirectory(home.resolve("here")),
                    cluster.gateway(0).url());
            apiserver.awaitReady(there);
            List<String> resources = there.run("api-resources", "--verbs=list,create", "-o", "name")
                    .lines()
                    .toList();
            assertThat(resources).hasSizeGreaterThan(LEAST_RESOURCES);

            write(there, resources);

            List<String> withObjects = new ArrayList<>();
            for (String resource : resources) {
                // The kube-apiserver itself writes now and then.
                Awaitility.await(resource)
                        .atMost(HttpWatch.DEADLINE)
                        .untilAsserted(() -> assertThat(all(here, resource)).isEqualTo(all(there, resource)));
                if (!all(here, resource).list().path("items").isEmpty()) {
                    withObjects.add(resource);
                }
            }
            assertThat(withObjects).as("resources with objects").hasSizeGreaterThan(LEAST_RESOURCES);
        }
    }

    /** Some new objects, and each old one once more. */
    private static void write(Kubectl there, List<String> resources) {
        there.run("create", "namespace", "written");
        there.run("create", "deployment", "web", "-n", "written", "--image=web:1", "--replicas=3");
        there.run("create", "configmap", "settings", "-n", "written", "--from-literal=colour=blue");
        there.run("expose", "deployment", "web", "-n", "written", "--port=80");
        there.run("autoscale", "deployment", "web", "-n", "written", "--max=5");
        there.run("create", "job", "once", "-n", "written", "--image=once:1");
        there.run("create", "cronjob", "often", "-n", "written", "--image=often:1", "--schedule=* * * * *");
        there.run("create", "ingress", "web", "-n", "written", "--rule=example.com/*=web:80");
        there.run("create", "poddisruptionbudget", "web", "-n", "written", "--selector=app=web", "--min-available=1");
        there.run("create", "quota", "few", "-n", "written", "--hard=pods=5");
        there.run("create", "role", "reader", "-n", "written", "--verb=get,list", "--resource=pods");
        there.run("create", "secret", "generic", "key", "-n", "written", "--from-literal=key=value");
        there.run("create", "serviceaccount", "robot", "-n", "written");
        there.run("scale", "deployment", "web", "-n", "written", "--replicas=2");
        there.run("delete", "serviceaccount", "robot", "-n", "written");
        for (String resource : resources) {
            // Some refuse: what is being deleted, what validation has become stricter about since.
            try (ChildProcess annotate = there.start(
                    "annotate", resource, "--all", "--all-namespaces", "--overwrite", "example.com/seen=yes")) {
                annotate.awaitExit();
            }
        }
    }

    /** Warnings, which kubectl prints before them, are a part of what it reads. */
    private record Objects(String warnings, JsonNode list) {}

    private static Objects all(Kubectl kubectl, String resource) throws JsonProcessingException {
        String printed = kubectl.run("get", resource, "--all-namespaces", "-o", "json");
        int json = printed.indexOf('{');
        return new Objects(printed.substring(0, json), JSON.readTree(printed.substring(json)));
    }
}
