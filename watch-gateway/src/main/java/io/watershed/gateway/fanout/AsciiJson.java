package io.watershed.gateway.fanout;

import java.io.ByteArrayOutputStream;

/**
 * JSON in ASCII. What is not ASCII can only stand in strings, so an escape says the same; clients that cut a stream into pieces and
 * decode each for itself then never cut a character.
 */
final class AsciiJson {
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    private static final int REPLACEMENT = 0xfffd;

    private AsciiJson() {}

    /** Whether every byte is ASCII already. */
    static boolean is(byte[] json) {
        for (byte b : json) {
            if (b < 0) {
                return false;
            }
        }
        return true;
    }

    /** The same JSON with every character beyond ASCII as {@code \}{@code uXXXX}; what is no UTF-8 becomes U+FFFD, a byte at a time. */
    static byte[] escape(byte[] json) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(json.length + json.length / 2);
        int at = 0;
        while (at < json.length) {
            if (json[at] >= 0) {
                out.write(json[at++]);
                continue;
            }
            int length = sequenceLength(json, at);
            int codePoint = length == 0 ? REPLACEMENT : decode(json, at, length);
            for (char unit : Character.toChars(codePoint)) {
                escape(out, unit);
            }
            at += Math.max(length, 1);
        }
        return out.toByteArray();
    }

    /** A JSON string, quotes included. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c > 0x7e || c == '"' || c == '\\') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    private static void escape(ByteArrayOutputStream out, char unit) {
        out.write('\\');
        out.write('u');
        out.write(HEX[unit >> 12]);
        out.write(HEX[(unit >> 8) & 0xf]);
        out.write(HEX[(unit >> 4) & 0xf]);
        out.write(HEX[unit & 0xf]);
    }

    /** Of the well-formed UTF-8 sequence that starts here; 0 if none does (overlong, a surrogate, beyond Unicode, cut). */
    private static int sequenceLength(byte[] json, int at) {
        int lead = json[at] & 0xff;
        int length = lead >= 0xc2 && lead <= 0xdf
                ? 2
                : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
        if (length == 0 || at + length > json.length) {
            return 0;
        }
        for (int i = 1; i < length; i++) {
            if ((json[at + i] & 0xc0) != 0x80) {
                return 0;
            }
        }
        int second = json[at + 1] & 0xff;
        boolean wellFormed = switch (lead) {
            case 0xe0 -> second >= 0xa0;
            case 0xed -> second <= 0x9f;
            case 0xf0 -> second >= 0x90;
            case 0xf4 -> second <= 0x8f;
            default -> true;
        };
        return wellFormed ? length : 0;
    }

    private static int decode(byte[] json, int at, int length) {
        int codePoint = json[at] & (0x7f >> length);
        for (int i = 1; i < length; i++) {
            codePoint = (codePoint << 6) | (json[at + i] & 0x3f);
        }
        return codePoint;
    }
}
