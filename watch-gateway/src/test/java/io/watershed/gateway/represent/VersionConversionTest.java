package io.watershed.gateway.represent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

class VersionConversionTest {
    private static final String HEAD =
            "{\"kind\":\"Widget\",\"apiVersion\":\"example.com/v1\",\"metadata\":{\"resourceVersion\":\"7\",\"name\":\"w\"}";

    private static String converted(String schema, String members) {
        JsonNode tree = JsonTree.of(schema.replace('\'', '"').getBytes(UTF_8));
        String json = HEAD + members.replace('\'', '"') + "}";
        String made = new String(new VersionConversion("example.com/v2", tree).convert(json.getBytes(UTF_8)), UTF_8);
        String head = HEAD.replace("example.com/v1", "example.com/v2");
        assertThat(made).startsWith(head);
        return made.substring(head.length(), made.length() - 1).replace('"', '\'');
    }

    @Test
    void whatIsStoredInTheVersionIsLeftAsItIs() {
        byte[] json = (HEAD + ",\"spec\":{\"unknown\":1}}").getBytes(UTF_8);

        assertThat(new VersionConversion("example.com/v1", JsonTree.of("{}".getBytes(UTF_8))).convert(json))
                .isSameAs(json);
    }

    @Test
    void membersThatTheVersionDoesNotKnowAreLeftOut() {
        String schema = "{'properties':{'spec':{'properties':{'size':{},'parts':{'items':{'properties':{'n':{}}}}}}}}";

        assertThat(converted(schema, ",'spec':{'size':1e2,'color':'red','parts':[{'n':1,'m':2},3]},'status':{}"))
                .isEqualTo(",'spec':{'size':1e2,'parts':[{'n':1},3]}");
    }

    @Test
    void whatASchemaSaysNothingAboutIsKept() {
        assertThat(converted(
                        "{'x-kubernetes-preserve-unknown-fields':true,'properties':{'spec':{'properties':{}}}}",
                        ",'spec':{'a':1},'status':{'b':{'c':[1.50]}}"))
                .isEqualTo(",'spec':{},'status':{'b':{'c':[1.50]}}");
        assertThat(converted(
                        "{'properties':{'spec':{'additionalProperties':{'properties':{'a':{}}}},'on':{'additionalProperties':true}}}",
                        ",'spec':{'x':{'a':1,'b':2}},'on':{'y':3}"))
                .isEqualTo(",'spec':{'x':{'a':1}},'on':{'y':3}");
    }

    @Test
    void anEmbeddedResourceKeepsItsIdentity() {
        String schema = "{'properties':{'template':{'x-kubernetes-embedded-resource':true,'properties':{'spec':{}}}}}";

        assertThat(converted(
                        schema,
                        ",'template':{'kind':'Pod','apiVersion':'v1','metadata':{'labels':{'a':'b'}},'spec':{},'x':1}"))
                .isEqualTo(",'template':{'kind':'Pod','apiVersion':'v1','metadata':{'labels':{'a':'b'}},'spec':{}}");
    }

    @Test
    void depthIsNoMatter() {
        String deep = "[".repeat(20_000) + "]".repeat(20_000);

        assertThat(converted("{'x-kubernetes-preserve-unknown-fields':true}", ",'spec':" + deep))
                .isEqualTo(",'spec':" + deep);
    }
}
