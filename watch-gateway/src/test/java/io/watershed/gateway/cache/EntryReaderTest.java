package io.watershed.gateway.cache;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.log.Encoding;
import io.watershed.log.EtcdKey;
import io.watershed.log.KeyVersion;
import io.watershed.log.ObjectRecord;
import io.watershed.log.ObjectValue;
import io.watershed.log.ResourceName;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class EntryReaderTest {
    private final EntryReader reader = new EntryReader();

    private ObjectEntry read(@Nullable ResourceName name, String json, @Nullable Encoding encoding) {
        return reader.read(new ObjectRecord(
                EtcdKey.utf8("/registry/pods/default/web-0"),
                new KeyVersion(3, 7, 2, 0, 1),
                name,
                new ObjectValue(json.getBytes(UTF_8), 1, null, encoding)));
    }

    private ObjectEntry pod(String rest) {
        return read(
                new ResourceName("pods", "default", "web-0"),
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\",\"name\":\"web-0\","
                        + "\"namespace\":\"default\"" + rest + "}",
                null);
    }

    @Test
    void takesOutLabelsAndFields() {
        ObjectEntry pod = pod(",\"labels\":{\"app\":\"web\",\"empty\":\"\",\"odd\":1,\"a/b\":\"\\u00e9\"}},"
                + "\"spec\":{\"nodeName\":\"n1\",\"hostNetwork\":true,\"containers\":[{\"name\":\"x\"}]},"
                + "\"status\":{\"phase\":\"Running\",\"podIPs\":[{\"ip\":\"10.0.0.1\"},{\"ip\":\"fd00::1\"}],"
                + "\"podIP\":\"10.9.9.9\"}");
        assertThat(pod.label("app")).isEqualTo("web");
        assertThat(pod.label("empty")).isEmpty();
        assertThat(pod.label("a/b")).isEqualTo("\u00e9");
        assertThat(pod.label("odd")).isNull();
        assertThat(pod.label("name")).isNull();
        assertThat(pod.field("metadata.name")).isEqualTo("web-0");
        assertThat(pod.field("metadata.namespace")).isEqualTo("default");
        assertThat(pod.field("spec.nodeName")).isEqualTo("n1");
        assertThat(pod.field("spec.hostNetwork")).isEqualTo("true");
        assertThat(pod.field("status.phase")).isEqualTo("Running");
        assertThat(pod.field("status.podIP")).isEqualTo("10.0.0.1");
    }

    @Test
    void fieldsThatAreNotThereHaveTheirDefaults() {
        ObjectEntry pod = pod("},\"spec\":{\"nodeName\":null},\"status\":{\"podIPs\":[],\"podIP\":\"10.9.9.9\"}");
        assertThat(pod.field("spec.hostNetwork")).isEqualTo("false");
        assertThat(pod.field("spec.nodeName")).isNull();
        assertThat(pod.field("status.podIP")).isEqualTo("10.9.9.9");
    }

    @Test
    void labelsElsewhereAreNoLabels() {
        ObjectEntry pod = pod(",\"annotations\":{\"labels\":\"x\"}},\"labels\":{\"app\":\"root\"},"
                + "\"spec\":{\"labels\":{\"app\":\"spec\"},\"metadata\":{\"labels\":{\"app\":\"deep\"}}}");
        assertThat(pod.label("app")).isNull();
    }

    @Test
    void equalTextIsHeldOnce() {
        ObjectEntry one = pod(",\"labels\":{\"app\":\"web\"}},\"spec\":{\"nodeName\":\"node-1\"}");
        ObjectEntry two = pod(",\"labels\":{\"app\":\"web\"}},\"spec\":{\"nodeName\":\"node-1\"}");
        assertThat(one.label("app")).isSameAs(two.label("app"));
        assertThat(one.field("spec.nodeName")).isSameAs(two.field("spec.nodeName"));
        assertThat(one.field("metadata.name")).isSameAs(one.name().name());
    }

    @Test
    void keysThatAreNoResourceKeepTheirVersionOnly() {
        ObjectEntry entry = read(null, "{\"kind\":\"KeyValue\"}", null);
        assertThat(entry.name().resource()).isEmpty();
        assertThat(entry.json()).isEmpty();
        assertThat(entry.version().modRevision()).isEqualTo(7);
    }

    @Test
    void keepsWhyAValueIsNotTheWholeObject() {
        ObjectEntry entry = read(new ResourceName("pods", "default", "web-0"), "{\"kind\":\"Pod\"}", Encoding.RAW);
        assertThat(entry.encoding()).isEqualTo(Encoding.RAW);
        assertThat(ResourceView.isUndecodable(entry)).isTrue();
    }

    @Test
    void knowsWhetherItIsAscii() {
        assertThat(pod("}").ascii()).isTrue();
        assertThat(pod(",\"uid\":\"\u00e9\"}").ascii()).isFalse();
    }

    @Test
    void refusesWhatIsNoJsonAndNamesTheKey() {
        assertThatThrownBy(() -> pod("},\"spec\":"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("/registry/pods/default/web-0");
    }

    @Test
    void aFieldWhoseKeyIsAPathIsLookedUpInTheObject() {
        ObjectEntry pod = pod(
                "},\"spec\":{\"color\":\"red\",\"on\":true,\"size\":5,\"parts\":[1],\"deep\":{\"er\":\"x\",\"n\":null}}");

        assertThat(pod.field(".spec.color")).isEqualTo("red");
        assertThat(pod.field(".spec.on")).isEqualTo("true");
        assertThat(pod.field(".spec.size")).isEqualTo("5");
        assertThat(pod.field(".spec.deep.er")).isEqualTo("x");
        assertThat(pod.field(".spec.deep.n")).isNull();
        assertThat(pod.field(".spec.parts")).isNull();
        assertThat(pod.field(".spec.color.x")).isNull();
        assertThat(pod.field(".spec.none")).isNull();
        assertThat(pod.field(".metadata.name")).isEqualTo("web-0");
    }
}
