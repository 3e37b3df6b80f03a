package io.watershed.gateway.represent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.watershed.log.codec.ObjectJson;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

class YamlWriterTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "~",
                "null",
                "Null",
                "y",
                "N",
                "yes",
                "no",
                "on",
                "OFF",
                "true",
                "FALSE",
                "1",
                "-1",
                "+1",
                "0x1f",
                "0b11",
                "0o7",
                "017",
                "1_000",
                "1.5",
                ".5",
                "5.",
                "1e3",
                "1e+06",
                "-.inf",
                ".NaN",
                "1:30",
                "12:30:45.5",
                "2026-11-30",
                "2026-11-30T22:59:34Z",
                "<<",
                "="
            })
    void quotesTextsThatLookLikeSomethingElse(String text) {
        assertThat(yaml("{\"k\":\"" + text + "\"}")).isEqualTo("k: \"" + text + "\"\n");
        assertThat(new Yaml().<Object>load(yaml("{\"" + text + "\":\"" + text + "\"}")))
                .isEqualTo(Map.of(text, text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "10.0.0.1",
                "1.2.3",
                "v1",
                "8e7e953f-6a43",
                "a b",
                "a/b:c",
                "<b>",
                "100m",
                "1Gi",
                "50%",
                "none",
                "yesno",
                "a#b",
                "2026-11"
            })
    void leavesOtherTextsPlain(String text) {
        assertThat(yaml("{\"k\":\"" + text + "\"}")).isEqualTo("k: " + text + "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " a",
                "a ",
                "a: b",
                "- a",
                "# a",
                "'",
                "\\\"",
                "a\\nb",
                "a\\nb\\n",
                "\\na",
                "a\\n\\n",
                " a\\nb",
                "\\t",
                "a\\tb",
                "\\u0000",
                "\\u0085",
                "a\\r\\nb",
                "\\r",
                "\\u2028",
                "\\ud83d\\ude00",
                "ä",
                "[",
                "{a}",
                "*a",
                "&a",
                "!a",
                "|",
                ">",
                "%a",
                "@a",
                "`a",
                "\\ufeff",
                "---",
                "..."
            })
    void keepsEveryText(String escaped) {
        String json = "{\"k\":\"" + escaped + "\",\"l\":[\"" + escaped + "\"]}";

        assertThat(new Yaml().<Object>load(yaml(json))).isEqualTo(RawJson.read(json));
    }

    @Test
    void keepsDigits() {
        assertThat(yaml("{\"a\":1.50,\"b\":9007199254740993,\"c\":1e-7,\"d\":-0,\"e\":[true,false,null]}"))
                .isEqualTo("""
                        a: 1.50
                        b: 9007199254740993
                        c: 1e-7
                        d: -0
                        e:
                        - true
                        - false
                        - null
                        """);
    }

    @Test
    void sortsMembersAsKubernetesDoes() {
        assertThat(
                        yaml(
                                "{\"b\":0,\"a10\":0,\"a2\":0,\"a\":0,\"B\":0,\"f:a\":0,\"f:\":0,\".\":0,\"a2b\":0,\"_\":0,\"1\":0}"))
                .isEqualTo("""
                        .: 0
                        "1": 0
                        _: 0
                        B: 0
                        a: 0
                        a2: 0
                        a2b: 0
                        a10: 0
                        b: 0
                        'f:': 0
                        f:a: 0
                        """);
    }

    @Test
    void writesWhateverTheLogMayHold() {
        int depth = ObjectJson.DEEPEST;

        assertThat(yaml("[".repeat(depth) + "]".repeat(depth))).isEqualTo("- ".repeat(depth - 1) + "[]\n");
    }

    @Test
    void writesHalvesOfCharactersAsGoDoes() {
        assertThat(yaml("{\"a\":\"\\ud800\\ud800\",\"b\":\"x\\udc00y\",\"c\":\"\\ud83c\\udf0a\"}"))
                .isEqualTo("""
                        a: \uFFFD\uFFFD
                        b: x\uFFFDy
                        c: \uD83C\uDF0A
                        """);
    }

    @Test
    void saysWhenSomethingIsNestedTooDeep() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);

        assertThatThrownBy(() -> yaml(deep)).hasMessageContaining("ask for JSON");
    }

    private static String yaml(String json) {
        return new String(Syntax.YAML.document(json.getBytes(UTF_8)), UTF_8);
    }
}
