package io.watershed.ingest.transcode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RawJsonTest {
    private static String copied(byte[] text) throws Undecodable {
        JsonBuffer out = new JsonBuffer(1);
        RawJson.put(text, 0, text.length, out, 100);
        return new String(out.toByteArray(), UTF_8);
    }

    @Test
    void onlyBlanksBetweenTokensAreLeftOut() throws Undecodable {
        assertThat(copied(
                        " { \"a b\" :\n[ 1.50 , -0,1E+400 ,\t\"x\\u0041 \\\" é\" , { } , [ ], true,false , null ] } \r\n"
                                .getBytes(UTF_8)))
                .isEqualTo("{\"a b\":[1.50,-0,1E+400,\"x\\u0041 \\\" é\",{},[],true,false,null]}");
    }

    @Test
    void bytesThatAreNoTextAreReplaced() throws Undecodable {
        byte[] text = "{\"a\":\"x?y\"}".getBytes(UTF_8);
        text[7] = (byte) 0xff;

        assertThat(copied(text)).isEqualTo("{\"a\":\"x\uFFFDy\"}");
    }

    @Test
    void halvesOfCharactersAreReplacedInNamesWhichReadersWouldRefuseAndKeptInTexts() throws Undecodable {
        assertThat(copied(
                        "{\"\\ud800\":1,\"a\\udc00b\":\"\\ud800\",\"\\ud83c\\udf0a\":2,\"\\ud800\\ud83c\\udf0a\\u0041\":3}"
                                .getBytes(UTF_8)))
                .isEqualTo(
                        "{\"\uFFFD\":1,\"a\uFFFDb\":\"\\ud800\",\"\\ud83c\\udf0a\":2,\"\uFFFD\\ud83c\\udf0a\\u0041\":3}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "}",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "[1,]",
                "[1 2]",
                "01",
                "1.",
                ".5",
                "-",
                "+1",
                "1e",
                "tru",
                "truex",
                "nul",
                "\"",
                "\"a",
                "\"\\x\"",
                "\"\\u12g4\"",
                "\"a\nb\"",
                "{} {}",
                "'a'",
                "NaN",
                "[1",
            })
    void whatIsNoJsonIsRefused(String text) {
        assertThatThrownBy(() -> copied(text.getBytes(UTF_8))).isInstanceOf(Undecodable.class);
    }

    @Test
    void nestingIsBounded() throws Undecodable {
        assertThat(copied(("[".repeat(100) + "]".repeat(100)).getBytes(UTF_8))).hasSize(200);
        assertThatThrownBy(() -> copied("[".repeat(100_000).getBytes(UTF_8)))
                .isInstanceOf(Undecodable.class)
                .hasMessageContaining("nested");
    }
}
