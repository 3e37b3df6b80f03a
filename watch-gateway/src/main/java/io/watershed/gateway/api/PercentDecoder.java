package io.watershed.gateway.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** Percent-decoding, once. Malformed escapes, zero bytes and what is not UTF-8 are refused rather than guessed at. */
final class PercentDecoder {
    private PercentDecoder() {}

    static String decode(String text, boolean plusIsBlank) throws ApiFailure {
        if (text.indexOf('%') < 0 && (!plusIsBlank || text.indexOf('+') < 0)) {
            return text;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                boolean whole = i + 2 < text.length();
                int high = whole ? Character.digit(text.charAt(i + 1), 16) : -1;
                int low = whole ? Character.digit(text.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0 || (high | low) == 0) {
                    throw malformed(text);
                }
                bytes.write(high << 4 | low);
                i += 2;
            } else if (c == '+' && plusIsBlank) {
                bytes.write(' ');
            } else {
                bytes.writeBytes(String.valueOf(c).getBytes(UTF_8));
            }
        }
        try {
            return UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw malformed(text);
        }
    }

    private static ApiFailure malformed(String text) {
        return new ApiFailure(Status.badRequest("malformed percent escape in \"" + text + "\""));
    }
}
