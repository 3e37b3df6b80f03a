package io.watershed.ingest.decode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.jspecify.annotations.Nullable;

/** Strict UTF-8: bytes are text, or they are not; nothing is replaced. */
final class Utf8 {
    private Utf8() {}

    static @Nullable String decode(byte[] bytes) {
        String lenient = new String(bytes, UTF_8);
        if (lenient.indexOf('\uFFFD') < 0) {
            return lenient; // nothing was replaced, so nothing was broken
        }
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
