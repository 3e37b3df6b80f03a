package io.watershed.log.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Writes the header line: {@code name=value}, one blank between, values percent-encoded. Confined to one record. */
final class HeaderWriter {
    private static final HexFormat HEX = HexFormat.of();
    private final StringBuilder line = new StringBuilder(160);

    void add(String name, String value) {
        name(name);
        if (isPlain(value)) {
            line.append(value);
        } else {
            appendEncoded(value);
        }
    }

    void add(String name, long value) {
        name(name);
        line.append(value);
    }

    void addHex(String name, long value) {
        name(name);
        line.append(HEX.toHexDigits(value));
    }

    byte[] bytes() {
        return line.toString().getBytes(US_ASCII);
    }

    private void name(String name) {
        if (!line.isEmpty()) {
            line.append(' ');
        }
        line.append(name).append('=');
    }

    private void appendEncoded(String value) {
        ByteBuffer utf8;
        try {
            utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("not Unicode text, can't stand in a header: " + value, e);
        }
        while (utf8.hasRemaining()) {
            byte next = utf8.get();
            if (next > 0 && isPlain((char) next)) {
                line.append((char) next);
            } else {
                line.append('%').append(HEX.withUpperCase().toHexDigits(next));
            }
        }
    }

    private static boolean isPlain(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (!isPlain(value.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** RFC 3986's unreserved characters, and the two that make keys and versions readable. */
    static boolean isPlain(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_'
                || c == '~'
                || c == '/'
                || c == ':';
    }
}
