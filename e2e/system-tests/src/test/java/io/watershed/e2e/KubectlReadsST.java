package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.watershed.e2e.golden.GoldenCase.Phase;
import io.watershed.e2e.golden.GoldenHistory;
import io.watershed.e2e.golden.GoldenSet;
import io.watershed.testkit.ChildProcess;
import io.watershed.testkit.EtcdProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every kind of kubectl command that only reads, over the objects of the recorded history and some that change here; ages are masked. Those of
 * reviews ({@code auth}) and of OpenAPI ({@code explain}) are not among them.
 */
final class KubectlReadsST {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CREATED = "\"creationTimestamp\":\"2026-11-30T09:00:00Z\"";

    private static @Nullable Cluster running;

    @SuppressWarnings("NullAway.Init") // set before any test
    private static Cluster cluster;

    @SuppressWarnings("NullAway.Init") // set before any test
    private static Kubectl kubectl;

    @BeforeAll
    static void start(@TempDir Path home) {
        assumeTrue(
                Kubectl.binary().isPresent(),
                "set WATERSHED_KUBECTL to a kubectl of version 1.35 or newer, or run bin/verify, which fetches one");
        cluster = Cluster.startOn(EtcdProcess.startNewest(), 1, List.of());
        running = cluster;
        new GoldenHistory(cluster.etcdProcess().endpoint()).loadUntil(GoldenSet.revision(Phase.STATE));
        awaitWritten();
        kubectl = new Kubectl(Kubectl.binary().get(), home, cluster.gateway(0).url());
    }

    @AfterAll
    static void stop() {
        if (running != null) {
            running.close();
        }
    }

    @Test
    void discoveryIsAskedForOnceAndThenTheResourceAlone(@TempDir Path cold) {
        try (RecordingProxy proxy = RecordingProxy.before(cluster.gateway(0).url())) {
            Kubectl fresh = new Kubectl(Kubectl.binary().get(), cold, proxy.url());
            fresh.run("get", "pods");
            fresh.run("get", "pods");

            assertThat(proxy.requests())
                    .extracting(RecordingProxy.Request::target)
                    .containsExactly(
                            "/api?timeout=32s",
                            "/apis?timeout=32s",
                            "/api/v1/namespaces/default/pods?limit=500",
                            "/api/v1/namespaces/default/pods?limit=500");
        }
    }

    @Test
    void getShowsATable() {
        assertThat(table("get", "pods", "-n", "team-b"))
                .containsExactly(
                        "NAME READY STATUS RESTARTS AGE",
                        "api-0 1/1 Running 0 <age>",
                        "api-1 1/1 Running 0 <age>",
                        "api-2 1/1 Running 0 <age>",
                        "api-3 1/1 Running 0 <age>",
                        "api-4 1/1 Running 0 <age>",
                        "api-5 1/1 Running 0 <age>",
                        "ghost-0 1/1 Terminating 0 <age>",
                        "named-rg656 0/1 Pending 0 <age>",
                        "sa-0 1/1 Running 0 <age>");
    }

    @Test
    void getOfAllNamespacesWithSelectorsShowsThoseChosen() {
        assertThat(table("get", "pods", "-A", "-l", "app=web,tier=front", "--field-selector", "spec.nodeName=node-0"))
                .isNotEmpty()
                .first()
                .isEqualTo("NAMESPACE NAME READY STATUS RESTARTS AGE");
        assertThat(table(
                        "get",
                        "pods",
                        "-A",
                        "-l",
                        "app=web",
                        "--field-selector",
                        "spec.nodeName=node-0,status.phase!=Pending",
                        "--no-headers"))
                .containsExactly(
                        "default web-0 1/1 Running 0 <age>",
                        "default web-10 1/1 Running 1 (<age> ago) <age>",
                        "default web-5 1/1 Running 2 (<age> ago) <age>");
    }

    @Test
    void getOfOneObjectShowsItsWideColumns() {
        assertThat(table("get", "pod", "web-0", "-o", "wide"))
                .containsExactly(
                        "NAME READY STATUS RESTARTS AGE IP NODE NOMINATED NODE READINESS GATES",
                        "web-0 1/1 Running 0 <age> 10.244.0.10 node-0 <none> <none>");
    }

    @Test
    void getAsJsonShowsTheObjectAsServed() throws IOException {
        assertThat(JSON.readTree(kubectl.run("get", "pod", "web-0", "-o", "json", "--show-managed-fields")))
                .isEqualTo(Cluster.get(cluster.gateway(0).url(), "/api/v1/namespaces/default/pods/web-0")
                        .json());
    }

    @Test
    void getByJsonPathAndByCustomColumnsShowsWhatIsAskedOfEach() {
        assertThat(kubectl.run("get", "pods", "-n", "team-a", "-o", "jsonpath={.items[*].metadata.name}"))
                .isEqualTo("multi-0 odd-0");
        assertThat(table(
                        "get",
                        "pods",
                        "-n",
                        "team-b",
                        "-l",
                        "app=api",
                        "-o",
                        "custom-columns=N:.metadata.name,ON:.spec.nodeName"))
                .first()
                .isEqualTo("N ON");
    }

    @Test
    void sortedListsAreInTheOrderAskedFor() {
        List<String> names = names("get", "pods", "-A");

        assertThat(names("get", "pods", "-A", "--sort-by=.metadata.name"))
                .isSorted()
                .isNotEqualTo(names)
                .containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void watchesOfOneObjectShowItOnceAndThenItsChanges() {
        put("/registry/configmaps/followed/one", "{\"data\":{}}");
        put("/registry/configmaps/followed/other", "{\"data\":{}}");
        awaitWritten();
        try (ChildProcess watch = kubectl.start("get", "configmap", "one", "-n", "followed", "-w")) {
            watch.await("the object", () -> watch.output().contains("one"));
            put("/registry/configmaps/followed/other", "{\"data\":{\"a\":\"1\"}}");
            put("/registry/configmaps/followed/one", "{\"data\":{\"a\":\"1\",\"b\":\"2\"}}");
            watch.await("its change", () -> watch.output().lines().count() >= 3);

            assertThat(masked(watch.output())).containsExactly("NAME DATA AGE", "one 0 <unknown>", "one 2 <unknown>");
        }
    }

    @Test
    void watchesThatLeaveOutTheListShowChangesAlone() {
        put("/registry/configmaps/news/before", "{\"data\":{}}");
        awaitWritten();
        try (ChildProcess watch = kubectl.start("get", "configmaps", "-n", "news", "--watch-only", "-v=6")) {
            watch.await("its watch", () -> watch.output().contains("watch=true"));
            put("/registry/configmaps/news/after", "{\"data\":{}}");
            watch.await("the change", () -> watch.output().contains("\nafter"));

            assertThat(watch.output()).doesNotContain("\nbefore");
        }
    }

    @Test
    void chunkedListsShowWhatWholeOnesShow() {
        assertThat(table("get", "pods", "--chunk-size=5")).isEqualTo(table("get", "pods"));
        assertThat(table("get", "pods", "-A", "--chunk-size=5")).isEqualTo(table("get", "pods", "-A"));
    }

    @Test
    void getAllShowsEveryResourceOfThatCategoryCustomOnesToo() {
        assertThat(names("get", "all", "-l", "app=absent")).isEmpty();
        assertThat(names("get", "all").stream().filter(name -> !name.startsWith("pod/")))
                .containsExactly(
                        "service/headless",
                        "service/kubernetes",
                        "service/web",
                        "deployment.apps/web",
                        "replicaset.apps/web-7f",
                        "horizontalpodautoscaler.autoscaling/web",
                        "widget.example.com/w-0",
                        "widget.example.com/w-3");
        assertThat(table("get", "all", "-n", "team-b", "--no-headers"))
                .contains(
                        "replicationcontroller/old 1 1 0 <age>",
                        "cronjob.batch/nightly 30 2 * * * Europe/Berlin False 1 <age> <age>");
    }

    @Test
    void theSubresourceStatusShowsTheObject() {
        assertThat(table("get", "pod", "web-0", "--subresource=status")).isEqualTo(table("get", "pod", "web-0"));
    }

    @Test
    void eventsAreTableRowsAndByTheirOwnCommandSortedAndChosenByObject() {
        assertThat(table("get", "events"))
                .containsExactly(
                        "LAST SEEN TYPE REASON OBJECT MESSAGE",
                        "<age> Normal NodeReady node/node-0 Node node-0 status is now: NodeReady",
                        "<age> Warning BackOff pod/web-0 Back-off restarting failed container main in pod web-0...",
                        "<age> Normal Scheduled pod/web-0 Successfully assigned default/web-0 to node-0");
        assertThat(table("events", "--for", "pod/web-0"))
                .containsExactly(
                        "LAST SEEN TYPE REASON OBJECT MESSAGE",
                        "<age> (x42 over <age>) Warning BackOff Pod/web-0 Back-off restarting failed container main in pod web-0",
                        "second line",
                        "<age> (x3 over <age>) Normal Scheduled Pod/web-0 Successfully assigned default/web-0 to node-0");
    }

    @Test
    void eventsAreWatched() {
        put(eventKey("ringing", "one"), event("ringing", "one", "Pod", "p", "uid-p", "First"));
        awaitWritten();
        try (ChildProcess watch = kubectl.start("events", "-n", "ringing", "-w")) {
            watch.await("the event that was there", () -> watch.output().contains("First"));
            put(eventKey("ringing", "two"), event("ringing", "two", "Pod", "p", "uid-p", "Second"));
            watch.await("the next", () -> watch.output().contains("Second"));

            assertThat(masked(watch.output()))
                    .containsExactly(
                            "LAST SEEN TYPE REASON OBJECT MESSAGE",
                            "<age> Normal First Pod/p text of First",
                            "<age> Normal Second Pod/p text of Second");
        }
    }

    @Test
    void describeOfAPodShowsItsEvents() {
        put("/registry/pods/described/p", pod("described", "p", "Running"));
        put(eventKey("described", "mine"), event("described", "mine", "Pod", "p", "uid-p", "Mine"));
        put(eventKey("described", "another"), event("described", "another", "Pod", "p", "uid-of-an-older-p", "Older"));
        awaitWritten();

        assertThat(masked(kubectl.run("describe", "pod", "p", "-n", "described")))
                .contains(
                        "Name: p",
                        "Namespace: described",
                        "Node: node-0/",
                        "Status: Running",
                        "Normal Mine <age> test text of Mine")
                .noneMatch(line -> line.contains("Older"));
    }

    @Test
    void describeOfANodeShowsItsPodsItsLeaseAndItsEvents() {
        assertThat(masked(kubectl.run("describe", "node", "node-0")))
                .contains(
                        "Roles: control-plane",
                        "Taints: node-role.kubernetes.io/control-plane:NoSchedule",
                        "HolderIdentity: node-0",
                        "RenewTime: Mon, 30 Nov 2026 10:00:00 +0000",
                        "Normal NodeReady <age> kubelet Node node-0 status is now: NodeReady")
                .anyMatch(line -> line.startsWith("default web-10 "))
                .anyMatch(line -> line.startsWith("team-b api-4 "))
                .noneMatch(line -> line.startsWith("default web-1 "));
    }

    @Test
    void describeOfADeploymentShowsItsReplicaSets() {
        rollOut("shown", 2);
        awaitWritten();

        assertThat(masked(kubectl.run("describe", "deployment", "d", "-n", "shown")))
                .contains(
                        "Replicas: 2 desired | 2 updated | 2 total | 2 available | 0 unavailable",
                        "OldReplicaSets: d-1 (0/0 replicas created)",
                        "NewReplicaSet: d-2 (2/2 replicas created)");
    }

    @Test
    void describeOfAServiceShowsItsEndpoints() {
        assertThat(masked(kubectl.run("describe", "service", "web")))
                .contains("Selector: app=web", "IP: 10.96.0.10", "Port: http 80/TCP", "Endpoints: 10.244.0.10:8080");
    }

    @Test
    void describeOfACustomResourceShowsItsFields() {
        assertThat(masked(kubectl.run("describe", "widget", "w-0")))
                .contains("API Version: example.com/v1", "Kind: Widget", "Color: blue", "Events: <none>");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--for=condition=Ready", "--for=jsonpath={.status.phase}=Running"})
    void waitEndsWhenTheObjectComesToBeSo(String until) {
        String namespace = until.contains("condition") ? "by-condition" : "by-path";
        put("/registry/pods/" + namespace + "/p", pod(namespace, "p", "Pending"));
        awaitWritten();
        try (ChildProcess wait = kubectl.start("wait", until, "pod/p", "-n", namespace, "--timeout=80s", "-v=6")) {
            wait.await("its watch", () -> wait.output().contains("watch=true"));
            put("/registry/pods/" + namespace + "/p", pod(namespace, "p", "Running"));

            assertThat(wait.awaitExit()).isZero();
            assertThat(wait.output()).contains("pod/p condition met");
        }
    }

    @Test
    void waitForAllOfASelectionEndsWhenTheLastOneIsSo() {
        put("/registry/pods/several/a", pod("several", "a", "Running"));
        put("/registry/pods/several/b", pod("several", "b", "Pending"));
        awaitWritten();
        try (ChildProcess wait = kubectl.start(
                "wait", "--for=condition=Ready", "pod", "-l", "app=p", "-n", "several", "--timeout=80s")) {
            wait.await("the one that is so", () -> wait.output().contains("pod/a condition met"));
            put("/registry/pods/several/b", pod("several", "b", "Running"));

            assertThat(wait.awaitExit()).isZero();
            assertThat(wait.output()).contains("pod/b condition met");
        }
    }

    @Test
    void rolloutStatusEndsWithTheRollout() {
        rollOut("rolling", 1);
        awaitWritten();
        try (ChildProcess status =
                kubectl.start("rollout", "status", "deployment/d", "-n", "rolling", "--timeout=80s")) {
            status.await("what is left", () -> status.output().contains("1 of 2 updated replicas are available"));
            rollOut("rolling", 2);

            assertThat(status.awaitExit()).isZero();
            assertThat(status.output()).contains("deployment \"d\" successfully rolled out");
        }
    }

    @Test
    void rolloutHistoryShowsTheRevisionsOfWhatTheObjectOwns() {
        rollOut("historical", 2);
        awaitWritten();

        assertThat(table("rollout", "history", "deployment/d", "-n", "historical"))
                .containsExactly("deployment.apps/d", "REVISION CHANGE-CAUSE", "1 <none>", "2 <none>");
    }

    @Test
    void versionAndClusterInfoTellOfTheServer() {
        put(
                "/registry/services/specs/kube-system/dns",
                "{\"metadata\":{\"labels\":{\"kubernetes.io/cluster-service\":\"true\",\"kubernetes.io/name\":\"CoreDNS\"}},"
                        + "\"spec\":{\"clusterIP\":\"10.96.0.53\",\"ports\":[{\"port\":53,\"protocol\":\"UDP\"}]}}");
        awaitWritten();

        assertThat(kubectl.run("version")).contains("Server Version: v1.37.0+watershed-");
        assertThat(kubectl.run("cluster-info"))
                .contains("CoreDNS")
                .contains(cluster.gateway(0).url() + "/api/v1/namespaces/kube-system/services/dns/proxy");
    }

    @Test
    void whatIsNotServedIsSaidToBeAbsent() {
        assertRefused("error: Metrics API not available", "top", "pods");
        assertRefused("error: the server doesn't have a resource type \"cs\"", "get", "cs");
        assertRefused("(NotFound)", "logs", "web-0");
    }

    @Test
    void whatWouldWriteIsNotAllowed() {
        String refusal = "the server does not allow this method on the requested resource";
        assertRefused(refusal, "label", "pod", "web-0", "a=b");
        assertRefused(refusal, "scale", "deployment", "web", "--replicas=1");
        assertRefused(refusal, "create", "configmap", "new");
        assertRefused(refusal, "delete", "pod", "web-0");
        assertRefused(refusal, "exec", "web-0", "--", "true");
    }

    private static void assertRefused(String message, String... command) {
        try (ChildProcess refused = kubectl.start(command)) {
            assertThat(refused.awaitExit()).isEqualTo(1);
            assertThat(refused.output()).contains(message);
        }
    }

    /** What it prints, with one blank between columns and ages masked. */
    private static List<String> table(String... command) {
        return masked(kubectl.run(command));
    }

    private static List<String> masked(String output) {
        return output.lines()
                .map(line -> line.strip()
                        .replaceAll("\\s+", " ")
                        .replaceAll("(?<![\\w.-])(\\d+[ydhms]){1,2}(?![\\w.-])", "<age>"))
                .filter(line -> !line.isEmpty())
                .toList();
    }

    /** Of all rows, which are of one namespace or tell it first. */
    private static List<String> names(String... command) {
        List<String> withoutHeaders =
                Stream.concat(Stream.of(command), Stream.of("--no-headers")).toList();
        int column = withoutHeaders.contains("-A") ? 1 : 0;
        return table(withoutHeaders.toArray(new String[0])).stream()
                .filter(line -> !line.startsWith("No resources"))
                .map(line -> line.split(" ", -1)[column])
                .toList();
    }

    private static void put(String key, String value) {
        cluster.etcd().put(key, value);
    }

    /** Reads that follow show all that was written. */
    private static void awaitWritten() {
        Cluster.listAt(
                cluster.gateway(0),
                "/api/v1/namespaces/none/configmaps",
                cluster.etcd().head());
    }

    private static String pod(String namespace, String name, String phase) {
        return """
                {"metadata":{"name":"%s","namespace":"%s","uid":"uid-%s",%s,"labels":{"app":"p"}},
                 "spec":{"nodeName":"node-0","containers":[{"name":"main","image":"registry.example/app:1"}]},
                 "status":{"phase":"%s","conditions":[{"type":"Ready","status":"%s"}]}}
                """.formatted(name, namespace, name, CREATED, phase, phase.equals("Running") ? "True" : "False");
    }

    private static String eventKey(String namespace, String name) {
        return "/registry/events/" + namespace + "/" + name;
    }

    private static String event(String namespace, String name, String kind, String of, String uid, String reason) {
        return """
                {"metadata":{"name":"%s","namespace":"%s","uid":"uid-%s",%s},
                 "involvedObject":{"apiVersion":"v1","kind":"%s","namespace":"%s","name":"%s","uid":"%s"},
                 "reason":"%s","message":"text of %s","type":"Normal","count":1,"source":{"component":"test"},
                 "firstTimestamp":"2026-11-30T09:00:00Z","lastTimestamp":"2026-11-30T09:00:00Z"}
                """.formatted(name, namespace, name, CREATED, kind, namespace, of, uid, reason, reason);
    }

    /** A Deployment of two replicas in its second revision, of which so many are available. */
    private static void rollOut(String namespace, int available) {
        put("/registry/replicasets/" + namespace + "/d-1", replicaSet(namespace, 1, 0));
        put("/registry/replicasets/" + namespace + "/d-2", replicaSet(namespace, 2, 2));
        put("/registry/deployments/" + namespace + "/d", """
                {"metadata":{"name":"d","namespace":"%s","uid":"uid-d",%s,"generation":2,
                   "annotations":{"deployment.kubernetes.io/revision":"2"}},
                 "spec":{"replicas":2,"selector":{"matchLabels":{"app":"d"}},"strategy":{"type":"RollingUpdate"},"template":%s},
                 "status":{"observedGeneration":2,"replicas":2,"updatedReplicas":2,"readyReplicas":%d,"availableReplicas":%d}}
                """.formatted(
                        namespace, CREATED, template(2), available, available));
    }

    private static String replicaSet(String namespace, int revision, int replicas) {
        return """
                {"metadata":{"name":"d-%d","namespace":"%s","uid":"uid-d-%d",%s,"labels":{"app":"d"},
                   "annotations":{"deployment.kubernetes.io/revision":"%d"},
                   "ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"d","uid":"uid-d","controller":true}]},
                 "spec":{"replicas":%d,"selector":{"matchLabels":{"app":"d"}},"template":%s},
                 "status":{"replicas":%d}}
                """.formatted(revision, namespace, revision, CREATED, revision, replicas, template(revision), replicas);
    }

    private static String template(int revision) {
        return "{\"metadata\":{\"labels\":{\"app\":\"d\"}},\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"app:%d\"}]}}"
                .formatted(revision);
    }
}
