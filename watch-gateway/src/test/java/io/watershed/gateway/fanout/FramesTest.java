package io.watershed.gateway.fanout;

import static io.watershed.gateway.fanout.FanoutHarness.pods;
import static io.watershed.gateway.fanout.ScriptedCache.Write.delete;
import static io.watershed.gateway.fanout.ScriptedCache.Write.put;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FramesTest {
    @ParameterizedTest
    @CsvSource({
        "plain, plain",
        "ä, \\u00e4",
        "€, \\u20ac",
        "😀, \\ud83d\\ude00",
        "aäb€c😀d, a\\u00e4b\\u20acc\\ud83d\\ude00d",
        "\u0080, \\u0080",
        "\u07ff\u0800\uffff, \\u07ff\\u0800\\uffff",
    })
    void escapesWhatIsNotAscii(String text, String escaped) {
        assertThat(new String(AsciiJson.escape(text.getBytes(UTF_8)), UTF_8)).isEqualTo(escaped);
    }

    @Test
    void replacesWhatIsNoUtf8() {
        byte[][] malformed = {
            {(byte) 0x80},
            {(byte) 0xc3},
            {(byte) 0xc3, 'a'},
            {(byte) 0xc0, (byte) 0x80},
            {(byte) 0xff},
            {(byte) 0xe2, (byte) 0x82}
        };
        for (byte[] bytes : malformed) {
            assertThat(new String(AsciiJson.escape(bytes), UTF_8)).startsWith("\\ufffd");
        }
        assertThat(new String(AsciiJson.escape(new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80}), UTF_8))
                .as("a surrogate in UTF-8")
                .isEqualTo("\\ufffd\\ufffd\\ufffd");
    }

    @Test
    void everyCharacterSurvives() {
        StringBuilder all = new StringBuilder();
        for (int codePoint = 0x80; codePoint <= Character.MAX_CODE_POINT; codePoint += codePoint < 0x3000 ? 1 : 97) {
            if (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE) {
                all.appendCodePoint(codePoint);
            }
        }
        String escaped = new String(AsciiJson.escape(all.toString().getBytes(UTF_8)), UTF_8);
        StringBuilder back = new StringBuilder();
        for (int at = 0; at < escaped.length(); at += 6) {
            assertThat(escaped.startsWith("\\u", at)).isTrue();
            back.append((char) Integer.parseInt(escaped.substring(at + 2, at + 6), 16));
        }

        assertThat(back.toString()).isEqualTo(all.toString());
    }

    @Test
    void streamsAreAscii() {
        FanoutHarness harness = new FanoutHarness();
        RecordingSink sink = harness.after(10, pods());
        harness.cache.write(put("pods", "a", "x").with("grün 😀"));
        harness.cache.write(delete("pods", "a", "x"));
        harness.cache.write(put("pods", "a", "y").with("grün 😀"));
        harness.publish();
        RecordingSink initial = harness.initial(pods());
        harness.loop.runAll();

        assertThat(sink.lines())
                .allSatisfy(line -> assertThat(line).contains("\"data\":\"gr\\u00fcn \\ud83d\\ude00\""));
        assertThat(sink.summary()).containsExactly("ADDED x@11", "DELETED x@12", "ADDED y@13");
        assertThat(initial.lines().get(0)).contains("\"data\":\"gr\\u00fcn \\ud83d\\ude00\"");
    }

    @Test
    void escapesAnEventOnce() {
        FanoutHarness harness = new FanoutHarness();
        harness.after(10, pods());
        harness.after(10, pods("app!=x", ""));
        harness.cache.write(put("pods", "a", "x").with("ü"));
        harness.publish();
        Object kept = harness.cache.lastEvent().frames;
        RecordingSink late = harness.after(10, pods());
        harness.loop.runAll();

        assertThat(late.lines()).hasSize(1);
        assertThat(kept).isNotNull();
        assertThat(harness.cache.lastEvent().frames).isSameAs(kept);
    }
}
