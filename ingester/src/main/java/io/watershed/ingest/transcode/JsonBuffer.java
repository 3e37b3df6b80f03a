package io.watershed.ingest.transcode;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Compact JSON, written as bytes. Knows from the last byte whether a comma is due. */
final class JsonBuffer {
    private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);
    private static final byte[] BASE64 =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".getBytes(US_ASCII);
    private static final byte[] NULL = "null".getBytes(US_ASCII);
    private static final byte[] TRUE = "true".getBytes(US_ASCII);
    private static final byte[] FALSE = "false".getBytes(US_ASCII);
    /** U+FFFD. */
    private static final byte[] REPLACEMENT = {(byte) 0xef, (byte) 0xbf, (byte) 0xbd};
    /** ASCII that a string holds as it is. */
    private static final boolean[] PLAIN = new boolean[256];

    static {
        for (int c = ' '; c < 0x80; c++) {
            PLAIN[c] = c != '"' && c != '\\';
        }
    }

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EACH = 0x0101_0101_0101_0101L;
    private static final long TOP_BITS = 0x8080_8080_8080_8080L;

    private byte[] bytes;
    private int size;

    JsonBuffer(int capacity) {
        bytes = new byte[capacity];
    }

    int size() {
        return size;
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }

    void put(int b) {
        room(1);
        bytes[size++] = (byte) b;
    }

    void put(byte[] text) {
        put(text, 0, text.length);
    }

    void put(byte[] text, int from, int to) {
        room(to - from);
        System.arraycopy(text, from, bytes, size, to - from);
        size += to - from;
    }

    /** Where the ASCII that a string holds as it is ends. Looks at eight bytes at once: most of a value is such text. */
    static int plainEnd(byte[] text, int from, int to) {
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            long eight = (long) EIGHT.get(text, at);
            long quote = eight ^ ('"' * EACH);
            long backslash = eight ^ ('\\' * EACH);
            long control = (eight - (' ' * EACH)) & ~eight;
            long other = eight | control | ((quote - EACH) & ~quote) | ((backslash - EACH) & ~backslash);
            if ((other & TOP_BITS) != 0) {
                return at + (Long.numberOfTrailingZeros(other & TOP_BITS) >> 3);
            }
        }
        while (at < to && PLAIN[text[at] & 0xff]) {
            at++;
        }
        return at;
    }

    /** A member's name as it stands in JSON, its colon included. */
    void member(byte[] nameAndColon) {
        room(nameAndColon.length + 1);
        if (bytes[size - 1] != '{') {
            bytes[size++] = ',';
        }
        System.arraycopy(nameAndColon, 0, bytes, size, nameAndColon.length);
        size += nameAndColon.length;
    }

    /** Before an element of an array. */
    void element() {
        separate('[');
    }

    void separate(int opened) {
        if (bytes[size - 1] != opened) {
            put(',');
        }
    }

    boolean endsWith(int b) {
        return size > 0 && bytes[size - 1] == b;
    }

    void putNull() {
        put(NULL);
    }

    void put(boolean truth) {
        put(truth ? TRUE : FALSE);
    }

    void number(long value) {
        if (value >= 0 && value < 10) {
            put('0' + (int) value);
        } else {
            ascii(Long.toString(value));
        }
    }

    /** Text that is ASCII and needs no escapes, without quotes. */
    void ascii(String text) {
        int length = text.length();
        room(length);
        for (int at = 0; at < length; at++) {
            bytes[size++] = (byte) text.charAt(at);
        }
    }

    /** Two digits. */
    void twoDigits(int value) {
        put('0' + value / 10);
        put('0' + value % 10);
    }

    /** A string from UTF-8; as Kubernetes does it, each byte that is none becomes U+FFFD. */
    void string(byte[] text, int from, int to) {
        room(to - from + 2);
        bytes[size++] = '"';
        int at = plainEnd(text, from, to);
        put(text, from, at);
        while (at < to) {
            at = text[at] < 0 ? unicode(text, at, to) : escape(text, at);
            int run = plainEnd(text, at, to);
            put(text, at, run);
            at = run;
        }
        put('"');
    }

    private int escape(byte[] text, int at) {
        room(6);
        bytes[size++] = '\\';
        switch (text[at]) {
            case '"', '\\' -> bytes[size++] = text[at];
            case '\n' -> bytes[size++] = 'n';
            case '\r' -> bytes[size++] = 'r';
            case '\t' -> bytes[size++] = 't';
            case '\b' -> bytes[size++] = 'b';
            case '\f' -> bytes[size++] = 'f';
            default -> {
                bytes[size++] = 'u';
                bytes[size++] = '0';
                bytes[size++] = '0';
                bytes[size++] = HEX[text[at] >> 4];
                bytes[size++] = HEX[text[at] & 15];
            }
        }
        return at + 1;
    }

    private int unicode(byte[] text, int at, int to) {
        int length = Utf8Length.at(text, at, to);
        if (length == 0) {
            put(REPLACEMENT);
            return at + 1;
        }
        put(text, at, at + length);
        return at + length;
    }

    /** A base64 string, padded. */
    void base64(byte[] data, int from, int to) {
        room((to - from + 2) / 3 * 4 + 2);
        bytes[size++] = '"';
        int at = from;
        for (; at + 2 < to; at += 3) {
            int three = (data[at] & 0xff) << 16 | (data[at + 1] & 0xff) << 8 | (data[at + 2] & 0xff);
            bytes[size++] = BASE64[three >> 18];
            bytes[size++] = BASE64[three >> 12 & 63];
            bytes[size++] = BASE64[three >> 6 & 63];
            bytes[size++] = BASE64[three & 63];
        }
        if (at < to) {
            int two = (data[at] & 0xff) << 8 | (at + 1 < to ? data[at + 1] & 0xff : 0);
            bytes[size++] = BASE64[two >> 10];
            bytes[size++] = BASE64[two >> 4 & 63];
            bytes[size++] = at + 1 < to ? BASE64[two << 2 & 63] : (byte) '=';
            bytes[size++] = '=';
        }
        bytes[size++] = '"';
    }
}
