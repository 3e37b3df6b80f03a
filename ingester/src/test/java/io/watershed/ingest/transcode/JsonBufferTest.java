package io.watershed.ingest.transcode;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBufferTest {
    private static String string(byte[] text) {
        JsonBuffer out = new JsonBuffer(1);
        out.string(text, 0, text.length);
        return new String(out.toByteArray(), UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"", "\\", "\u0000", "\u001f", "\n", "é", "日", "😀", " ", "\u007f", "!", "#", "[", "]"})
    void anyCharacterIsFoundAtAnyPlaceOfAText(String character) {
        for (int before = 0; before < 20; before++) {
            for (int after = 0; after < 20; after++) {
                String text = "a".repeat(before) + character + "~".repeat(after);
                assertThat(Vector.tree(string(text.getBytes(UTF_8)))).isEqualTo(text);
            }
        }
    }

    @Test
    void bytesAreBase64WithPadding() {
        Random random = new Random();
        for (int length = 0; length < 50; length++) {
            byte[] data = new byte[length];
            random.nextBytes(data);
            JsonBuffer out = new JsonBuffer(1);
            out.base64(data, 0, length);
            assertThat(new String(out.toByteArray(), UTF_8))
                    .isEqualTo("\"" + Base64.getEncoder().encodeToString(data) + "\"");
        }
    }
}
