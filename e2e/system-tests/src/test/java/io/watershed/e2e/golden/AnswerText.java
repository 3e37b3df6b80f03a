package io.watershed.e2e.golden;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;

/** A body's text. Bytes that are no UTF-8 become lone surrogates, so that they can't pass for a recorded U+FFFD. */
final class AnswerText {
    private static final char FIRST_LOW_SURROGATE = 0xDC00;

    private AnswerText() {}

    static String of(byte[] body) {
        CharsetDecoder decoder = UTF_8.newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(body);
        CharBuffer out = CharBuffer.allocate(body.length + 1);
        for (CoderResult result = decoder.decode(in, out, true);
                result.isError();
                result = decoder.decode(in, out, true)) {
            for (int i = 0; i < result.length(); i++) {
                out.put((char) (FIRST_LOW_SURROGATE + (in.get() & 0xFF)));
            }
        }
        return out.flip().toString();
    }
}
