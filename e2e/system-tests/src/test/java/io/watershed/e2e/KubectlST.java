package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.watershed.testkit.ChildProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people do with kubectl, done by a real one (1.35 or newer: it asks for the initial state within the watch). */
final class KubectlST {
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
        cluster = Cluster.start(1);
        running = cluster;
        kubectl = new Kubectl(Kubectl.binary().get(), home, cluster.gateway(0).url());
    }

    @AfterAll
    static void stop() {
        if (running != null) {
            running.close();
        }
    }

    @Test
    void getShowsTheColumnsOfTheKind() {
        put("table", "first", "{}");
        long revision = put("table", "second", "{\"data\":{\"a\":\"1\",\"b\":\"2\"}}");
        awaitRevision(revision);

        assertThat(kubectl.run("get", "configmaps", "-n", "table").lines())
                .satisfiesExactly(
                        line -> assertThat(line).matches("NAME\\s+DATA\\s+AGE\\s*"),
                        line -> assertThat(line).matches("first\\s+0\\s+\\S+\\s*"),
                        line -> assertThat(line).matches("second\\s+2\\s+\\S+\\s*"));
    }

    @Test
    void getAsYamlShowsTheStoredObjectWithItsRevision() {
        long revision = put("yaml", "settings", "{\"data\":{\"colour\":\"blue\"}}");
        awaitRevision(revision);

        assertThat(kubectl.run("get", "configmap", "settings", "-n", "yaml", "-o", "yaml"))
                .contains(
                        "apiVersion: v1\n",
                        "kind: ConfigMap\n",
                        "data:\n  colour: blue\n",
                        "  name: settings\n",
                        "  namespace: yaml\n",
                        "  resourceVersion: \"" + revision + "\"\n");
    }

    @Test
    void anAbsentObjectIsNotFound() {
        assertThat(kubectl.run("get", "configmap", "absent", "--ignore-not-found"))
                .isEmpty();
        try (ChildProcess get = kubectl.start("get", "configmap", "absent")) {
            assertThat(get.awaitExit()).isEqualTo(1);
            assertThat(get.output()).contains("Error from server (NotFound): configmaps \"absent\" not found");
        }
    }

    @Test
    void getWithWatchShowsEachChangeAsItComes() {
        long revision = put("watched", "before", "{}");
        awaitRevision(revision);

        try (ChildProcess watch = kubectl.start("get", "configmaps", "-n", "watched", "-w", "--output-watch-events")) {
            watch.await("the object that was there", () -> watch.output().contains("ADDED"));
            put("watched", "later", "{}");
            watch.await("the new object", () -> watch.output().contains("later"));
            put("watched", "later", "{\"data\":{\"a\":\"b\"}}");
            watch.await("the update", () -> watch.output().contains("MODIFIED"));
            cluster.etcd().delete("/registry/configmaps/watched/before");
            watch.await("the delete", () -> watch.output().contains("DELETED"));

            assertThat(watch.output()
                            .lines()
                            .map(line -> line.replaceAll("\\s+", " ").strip()))
                    .containsExactly(
                            "EVENT NAME DATA AGE",
                            "ADDED before 0 <unknown>",
                            "ADDED later 0 <unknown>",
                            "MODIFIED later 1 <unknown>",
                            "DELETED before 0 <unknown>");
        }
    }

    @Test
    void selectorsChooseByLabelAndByField() {
        put("selected", "a", "{\"metadata\":{\"labels\":{\"app\":\"web\"}}}");
        put("selected", "b", "{\"metadata\":{\"labels\":{\"app\":\"db\"}}}");
        long revision = put("selected", "c", "{}");
        awaitRevision(revision);

        assertThat(names("-l", "app=web")).containsExactly("configmap/a");
        assertThat(names("-l", "app!=web")).containsExactly("configmap/b", "configmap/c");
        assertThat(names("-l", "app in (web, db)")).containsExactly("configmap/a", "configmap/b");
        assertThat(names("--field-selector", "metadata.name=b")).containsExactly("configmap/b");
        assertThat(names("--field-selector", "metadata.name!=b")).containsExactly("configmap/a", "configmap/c");
    }

    @Test
    void aDocumentIsFoundByAFieldSelectorWhereItsNameIsNoPathSegmentForKubectl() {
        awaitRevision(cluster.etcd().put("/flags/a", "on"));

        try (ChildProcess get = kubectl.start("get", "kv", "%2Fflags%2Fa")) {
            assertThat(get.awaitExit()).isEqualTo(1);
            assertThat(get.output()).contains("invalid resource name \"%2Fflags%2Fa\"");
        }
        assertThat(kubectl.run("get", "kv", "--field-selector", "metadata.name=%2Fflags%2Fa", "-o", "name"))
                .isEqualToIgnoringNewLines("keyvalue.watershed.io/%2Fflags%2Fa");
    }

    @Test
    void pagesOfALongListAddUp() {
        long revision = 0;
        for (int i = 0; i < 7; i++) {
            revision = put("paged", "object-" + i, "{}");
        }
        awaitRevision(revision);

        assertThat(kubectl.run("get", "configmaps", "-n", "paged", "-o", "name", "--chunk-size=3")
                        .lines())
                .containsExactly(
                        "configmap/object-0",
                        "configmap/object-1",
                        "configmap/object-2",
                        "configmap/object-3",
                        "configmap/object-4",
                        "configmap/object-5",
                        "configmap/object-6");
    }

    @Test
    void apiResourcesListsKubernetesKindsAndDocuments() {
        assertThat(kubectl.run("api-resources", "--sort-by=name").lines().map(line -> line.replaceAll("\\s+", " ")))
                .contains(
                        "NAME SHORTNAMES APIVERSION NAMESPACED KIND",
                        "configmaps cm v1 true ConfigMap",
                        "deployments deploy apps/v1 true Deployment",
                        "keyvalues kv watershed.io/v1 false KeyValue",
                        "nodes no v1 false Node");
    }

    @Test
    void anEtcdKeyOutsideKubernetesIsReadAsAKeyValue() {
        long revision = cluster.etcd().put("/flags/dark-mode", "on");
        awaitRevision(revision);

        assertThat(kubectl.run(
                        "get",
                        "kv",
                        "--field-selector",
                        "metadata.name=%2Fflags%2Fdark-mode",
                        "-o",
                        "jsonpath={.items[*].spec.value}"))
                .isEqualTo("on");
    }

    @Test
    void waitForDeleteEndsWhenTheObjectIsGone() {
        long revision = put("awaited", "ending", "{}");
        awaitRevision(revision);

        try (ChildProcess wait =
                kubectl.start("wait", "--for=delete", "configmap/ending", "-n", "awaited", "--timeout=80s", "-v=6")) {
            wait.await("its watch", () -> wait.output().contains("watch=true"));
            cluster.etcd().delete("/registry/configmaps/awaited/ending");

            assertThat(wait.awaitExit()).isZero();
            assertThat(wait.output()).contains("configmap/ending condition met");
        }
    }

    @Test
    void authSaysThatReadingIsAllowedAndNothingElse() {
        assertThat(kubectl.run("auth", "can-i", "list", "pods")).isEqualToIgnoringNewLines("yes");
        assertThat(kubectl.run("auth", "can-i", "get", "/version")).isEqualToIgnoringNewLines("yes");
        try (ChildProcess delete = kubectl.start("auth", "can-i", "delete", "pods")) {
            assertThat(delete.awaitExit()).isEqualTo(1);
            assertThat(delete.output()).startsWith("no - this server only reads");
        }
        assertThat(lines("auth", "can-i", "--list"))
                .contains(
                        "selfsubjectaccessreviews.authorization.k8s.io [] [] [create]",
                        "*.* [] [] [get list watch]",
                        " [*] [] [get]");
        assertThat(lines("auth", "whoami"))
                .containsExactly("ATTRIBUTE VALUE", "Username system:anonymous", "Groups [system:unauthenticated]");
    }

    @Test
    void theScaleOfADeploymentHasColumnsOfItsOwn() {
        awaitRevision(cluster.etcd()
                .put(
                        "/registry/deployments/scaled/web",
                        "{\"kind\":\"Deployment\",\"apiVersion\":\"apps/v1\",\"metadata\":{\"name\":\"web\","
                                + "\"namespace\":\"scaled\"},\"spec\":{\"replicas\":3,\"selector\":{\"matchLabels\":"
                                + "{\"app\":\"web\"}}},\"status\":{\"replicas\":2}}"));

        assertThat(lines("get", "deployment", "web", "-n", "scaled", "--subresource=scale"))
                .containsExactly("NAME DESIRED AVAILABLE AGE", "web 3 2 <unknown>");
        assertThat(kubectl.run(
                        "get",
                        "deployment",
                        "web",
                        "-n",
                        "scaled",
                        "--subresource=scale",
                        "-o",
                        "jsonpath={.kind} {.spec.replicas} {.status.selector}"))
                .isEqualTo("Scale 3 app=web");
    }

    @Test
    void explainShowsTheSchemaOfADefinition() {
        awaitRevision(cluster.etcd()
                .put("/registry/apiextensions.k8s.io/customresourcedefinitions/gears.e.example.com", """
                        {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
                        "metadata":{"name":"gears.e.example.com"},
                        "spec":{"group":"e.example.com","scope":"Namespaced","names":{"plural":"gears","singular":"gear",
                        "kind":"Gear","listKind":"GearList"},"versions":[{"name":"v1","served":true,"storage":true,
                        "schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object",
                        "description":"what is wanted","required":["teeth"],"properties":{"teeth":{"type":"integer",
                        "description":"how many"}}}}}}}]},
                        "status":{"conditions":[{"type":"Established","status":"True"}]}}
                        """));

        assertThat(lines("explain", "gears.spec"))
                .contains("GROUP: e.example.com", "KIND: Gear", "VERSION: v1", "FIELD: spec <Object>")
                .contains(" what is wanted", " teeth <integer> -required-", " how many");
        assertThat(lines("explain", "gears", "--recursive"))
                .contains(" metadata <ObjectMeta>", " ownerReferences <[]OwnerReference>");
        try (ChildProcess pods = kubectl.start("explain", "pods")) {
            assertThat(pods.awaitExit()).isEqualTo(1);
        }
    }

    private static List<String> lines(String... arguments) {
        return kubectl.run(arguments)
                .lines()
                .map(line -> line.replaceAll("\\s+", " ").stripTrailing())
                .toList();
    }

    private static List<String> names(String... selection) {
        List<String> arguments = new ArrayList<>(List.of("get", "configmaps", "-n", "selected", "-o", "name"));
        arguments.addAll(List.of(selection));
        return kubectl.run(arguments.toArray(new String[0])).lines().toList();
    }

    private static long put(String namespace, String name, String value) {
        return cluster.etcd().put("/registry/configmaps/" + namespace + "/" + name, value);
    }

    /** Reads that follow show what was written up to this revision. */
    private static void awaitRevision(long revision) {
        Cluster.listAt(cluster.gateway(0), "/api/v1/configmaps", revision);
    }
}
