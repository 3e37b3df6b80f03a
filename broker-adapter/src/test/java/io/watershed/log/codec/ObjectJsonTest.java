package io.watershed.log.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectJsonTest {
    private static final String PREFIX =
            "{\"kind\":\"Deployment\",\"apiVersion\":\"apps/v1\",\"metadata\":{\"resourceVersion\":\"31655\"";

    @Test
    void prefixIsWrittenWithoutBlanks() {
        assertThat(ObjectJson.prefix("Deployment", "apps/v1", 31655)).isEqualTo(PREFIX);
    }

    @Test
    void partsAreFoundBehindEachOther() {
        String json = PREFIX + ",\"name\":\"web\"},\"metadata\":0}";

        ObjectJson parts = ObjectJson.of(json.getBytes(UTF_8));

        assertThat(parts.kind()).isEqualTo("Deployment");
        assertThat(parts.apiVersion()).isEqualTo("apps/v1");
        assertThat(json.substring(parts.metadataStart()))
                .isEqualTo("\"metadata\":{\"resourceVersion\":\"31655\",\"name\":\"web\"},\"metadata\":0}");
        assertThat(json.substring(parts.revisionStart(), parts.revisionEnd())).isEqualTo("31655");
    }

    @Test
    void escapesInKindAndApiVersionAreNoEnds() {
        String kind = "a\"b\\";
        String apiVersion = "\u00f6\n/\"v1\"";

        ObjectJson parts = ObjectJson.of((ObjectJson.prefix(kind, apiVersion, 7) + "}}").getBytes(UTF_8));

        assertThat(parts.kind()).isEqualTo(kind);
        assertThat(parts.apiVersion()).isEqualTo(apiVersion);
        assertThat(parts.revisionEnd() - parts.revisionStart()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{ \"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"}}",
                "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"resourceVersion\":\"1\"}}",
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"1\"}}",
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":1}}",
                "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1",
                "{\"kind\":\"Pod\\",
            })
    void otherBeginningsAreRefused(String json) {
        assertThatIllegalArgumentException().isThrownBy(() -> ObjectJson.of(json.getBytes(UTF_8)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"name\":\"web\"", "}", " }}", "}} "})
    void valuesCutBehindTheirRevisionAreRefused(String rest) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ObjectJson.require((PREFIX + rest).getBytes(UTF_8), 31655));
    }
}
