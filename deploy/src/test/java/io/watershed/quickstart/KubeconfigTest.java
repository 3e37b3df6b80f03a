package io.watershed.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

class KubeconfigTest {
    @Test
    void hasAContextForEachGateway() {
        Map<String, Object> config = new Yaml().load(Kubeconfig.text(List.of("http://a:1", "http://b:2")));

        assertThat(config)
                .containsEntry("current-context", "gateway-1")
                .containsEntry(
                        "clusters",
                        List.of(
                                Map.of(
                                        "name",
                                        "gateway-1",
                                        "cluster",
                                        Map.of("server", "http://a:1", "insecure-skip-tls-verify", true)),
                                Map.of(
                                        "name",
                                        "gateway-2",
                                        "cluster",
                                        Map.of("server", "http://b:2", "insecure-skip-tls-verify", true))));
        assertThat(config.get("contexts")).asInstanceOf(LIST).hasSize(2);
    }
}
