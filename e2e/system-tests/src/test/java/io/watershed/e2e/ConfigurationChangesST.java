package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What another configuration of the ingester does to the topic, to gateways that are not told of it, and to open watches. */
final class ConfigurationChangesST {
    private static final String KEY_VALUES = "/apis/watershed.io/v1/keyvalues";
    private static final String FLAGS = "/apis/flags.example.com/v1/namespaces/shop/flags";
    private static final String SECRETS = "/api/v1/secrets";

    private static String documents(String prefix, String plural, String kind) {
        return "--documents=[{prefix: \"" + prefix + "\", group: flags.example.com, version: v1, plural: " + plural
                + ", kind: " + kind + "}]";
    }

    /** Starts the ingester anew; the write is what a relist waits for. Returns its revision. */
    private static long reconfigure(Cluster cluster, String flag) {
        double relists = relists(cluster);
        cluster.ingester().kill();
        cluster.ingester().launchWith(flag);
        long written = cluster.etcd().put("/any/write", flag);
        cluster.ingester().awaitReady();
        assertThat(relists(cluster))
                .as("relists of reason configuration, before " + relists)
                .isEqualTo(1);
        return written;
    }

    private static double relists(Cluster cluster) {
        return Cluster.get(cluster.ingester().url(), "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("watershed_ingester_relists_total{reason=\"configuration\"}"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    private static List<String> names(Cluster.Answer list) {
        List<String> names = new ArrayList<>();
        for (JsonNode item : list.json().get("items")) {
            names.add(item.at("/metadata/name").asText());
        }
        return names;
    }

    private static void awaitStatus(Cluster.Node gateway, String path, int status) {
        Awaitility.await(path + " answers " + status)
                .atMost(HttpWatch.DEADLINE)
                .until(() -> Cluster.get(gateway.url(), path).status() == status);
    }

    @Test
    void prefixesBecomeResourcesAreRenamedAndAreKeyValuesAgain() {
        try (Cluster cluster = Cluster.start(1)) {
            Cluster.Node gateway = cluster.gateway(0);
            cluster.etcd().put("/flags/shop/a", "{\"enabled\":true}");
            cluster.etcd().put("/flags/shop/b", "{\"enabled\":false}");
            long before = cluster.etcd().put("/other", "1");
            Cluster.listAt(gateway, KEY_VALUES, before);
            try (TopicTail topic = TopicTail.of(cluster);
                    HttpWatch watch =
                            HttpWatch.open(gateway.url(), KEY_VALUES + "?watch=1&resourceVersion=" + before)) {
                long configured = reconfigure(cluster, documents("/flags/{namespace}/{name}", "flags", "Flag"));

                assertThat(watch.awaitEnd().events()).last().matches(HttpWatch.Event::isExpired);
                assertThat(names(Cluster.listAt(gateway, FLAGS, configured))).containsExactly("a", "b");
                assertThat(names(Cluster.get(gateway.url(), FLAGS + "?fieldSelector=enabled%3Dtrue")))
                        .containsExactly("a");
                assertThat(names(Cluster.get(gateway.url(), KEY_VALUES)))
                        .contains("%2Fother")
                        .doesNotContain("%2Fflags%2Fshop%2Fa");
                assertThat(topic.all().stream()
                                .filter(line -> line.field("t").equals("S") && line.value() != null)
                                .map(TopicTail.Line::key)
                                .filter(key -> !key.equals("/any/write")))
                        .as("only what has moved was published again")
                        .containsExactly("/flags/shop/a", "/flags/shop/b");
                late(cluster, FLAGS, List.of("a", "b"));

                long renamed = reconfigure(cluster, documents("/flags/{name}", "toggles", "Toggle"));
                assertThat(names(Cluster.listAt(gateway, "/apis/flags.example.com/v1/toggles", renamed)))
                        .containsExactly("shop%2Fa", "shop%2Fb");
                assertThat(Cluster.get(gateway.url(), FLAGS).status()).isEqualTo(404);
                late(cluster, "/apis/flags.example.com/v1/toggles", List.of("shop%2Fa", "shop%2Fb"));

                long removed = reconfigure(cluster, "--documents=");
                assertThat(names(Cluster.listAt(gateway, KEY_VALUES, removed)))
                        .contains("%2Fflags%2Fshop%2Fa", "%2Fflags%2Fshop%2Fb");
                assertThat(Cluster.get(gateway.url(), "/apis/flags.example.com").status())
                        .isEqualTo(404);
            }
        }
    }

    /** A gateway that has just started reads the same out of the topic. */
    private static void late(Cluster cluster, String path, List<String> names) {
        Cluster.Node late = cluster.addGateway();
        late.awaitReady();
        assertThat(names(Cluster.get(late.url(), path))).isEqualTo(names);
        late.process().close();
    }

    @Test
    void kubectlReadsAConfiguredResource(@TempDir Path home) {
        assumeTrue(
                Kubectl.binary().isPresent(),
                "set WATERSHED_KUBECTL to a kubectl of version 1.35 or newer, or run bin/verify, which fetches one");
        try (Cluster cluster = Cluster.startServers()) {
            cluster.addIngester(documents("/flags/{namespace}/{name}", "flags", "Flag"));
            Cluster.Node gateway = cluster.addGateway();
            cluster.awaitReady();
            Kubectl kubectl = new Kubectl(Kubectl.binary().get(), home, gateway.url());
            assertThat(kubectl.run("get", "flags", "-n", "shop")).contains("No resources found in shop namespace.");
            cluster.etcd().put("/flags/shop/a", "{\"enabled\":true}");
            Cluster.listAt(gateway, FLAGS, cluster.etcd().put("/flags/shop/b/c", "{\"enabled\":false}"));

            assertThat(kubectl.run("get", "flags", "-n", "shop")
                            .lines()
                            .map(line -> line.replaceAll("\\s+", " ").strip()))
                    .containsExactly("NAME AGE", "a <unknown>", "b%2Fc <unknown>");
            assertThat(kubectl.run("get", "flags", "-n", "shop", "--field-selector", "enabled=false", "-o", "name"))
                    .isEqualTo("flag.flags.example.com/b%2Fc\n");
            assertThat(kubectl.run("get", "flag", "a", "-n", "shop", "-o", "jsonpath={.enabled}"))
                    .isEqualTo("true");
        }
    }

    @Test
    void secretsEnterTheTopicOnlyWhenAskedForAndLeaveItAgain() {
        try (Cluster cluster = Cluster.start(1)) {
            Cluster.Node gateway = cluster.gateway(0);
            String key = "/registry/secrets/default/token";
            cluster.etcd().put(key, "{\"data\":{\"password\":\"aHVudGVyMg==\"}}");
            long head = cluster.etcd().put("/other", "1");
            assertThat(names(Cluster.listAt(gateway, SECRETS, head))).isEmpty();
            try (TopicTail topic = TopicTail.of(cluster)) {
                assertThat(topic.all())
                        .as("neither key nor value, nor a tombstone")
                        .noneMatch(line -> (line.key() + line.header() + line.value()).contains("token"))
                        .noneMatch(line -> (line.key() + line.header() + line.value()).contains("aHVudGVyMg"));

                long full = reconfigure(cluster, "--ingester-secrets=full");
                assertThat(names(Cluster.listAt(gateway, SECRETS, full))).containsExactly("token");

                try (HttpWatch watch = HttpWatch.open(gateway.url(), SECRETS + "?watch=1&resourceVersion=" + full)) {
                    long none = reconfigure(cluster, "--ingester-secrets=none");
                    assertThat(watch.awaitEnd().events()).last().matches(HttpWatch.Event::isExpired);
                    assertThat(names(Cluster.listAt(gateway, SECRETS, none))).isEmpty();
                }
                awaitStatus(gateway, "/api/v1/namespaces/default/secrets/token", 404);
                List<TopicTail.Line> lines = topic.all();
                assertThat(TopicTail.state(lines)).doesNotContainKey(key);
                assertThat(lines.stream().filter(line -> line.key().equals(key)))
                        .last()
                        .matches(line -> line.value() == null, "a tombstone");
                int known = lines.size();
                cluster.etcd().put(key, "{\"data\":{\"password\":\"bmV3\"}}");
                cluster.etcd().put("/after", "1");
                topic.await("what comes after it", line -> line.key().equals("/after"));
                assertThat(topic.all().subList(known, topic.all().size()))
                        .noneMatch(line -> line.key().equals(key));
                late(cluster, SECRETS, List.of());
            }
        }
    }
}
