package io.watershed.log.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.log.LogFailure;
import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header as text: {@code name=value} separated by one blank. Values are percent-encoded where they hold anything but unreserved
 * characters (RFC 3986), {@code /} and {@code :}, so that a blank or {@code =} can only be a separator.
 */
final class HeaderText {
    private static final String HEX = "0123456789ABCDEF";

    private HeaderText() {}

    /** Writes names and values in the order of the calls. */
    static final class Writer {
        private final StringBuilder text = new StringBuilder(128);

        Writer put(String name, long value) {
            return raw(name, Long.toString(value));
        }

        Writer putText(String name, @Nullable String value) {
            return value == null ? this : raw(name, encode(value));
        }

        Writer raw(String name, String value) {
            if (text.length() > 0) {
                text.append(' ');
            }
            text.append(name).append('=').append(value);
            return this;
        }

        byte[] bytes() {
            return text.toString().getBytes(US_ASCII);
        }
    }

    /** The values of a header by name. */
    static final class Reader {
        private final String header;
        private final Map<String, String> values = new HashMap<>();

        Reader(byte[] bytes) throws LogFailure.Undecodable {
            header = new String(bytes, US_ASCII);
            for (String pair : header.split(" ", -1)) {
                int equals = pair.indexOf('=');
                if (equals < 1) {
                    throw new LogFailure.Undecodable("header is not name=value pairs: " + header);
                }
                values.put(pair.substring(0, equals), decode(pair.substring(equals + 1)));
            }
        }

        boolean has(String name) {
            return values.containsKey(name);
        }

        @Nullable
        String text(String name) {
            return values.get(name);
        }

        String required(String name) throws LogFailure.Undecodable {
            String value = values.get(name);
            if (value == null) {
                throw new LogFailure.Undecodable("header lacks " + name + "=: " + header);
            }
            return value;
        }

        long number(String name) throws LogFailure.Undecodable {
            return parse(name, required(name), 10);
        }

        long number(String name, long absent) throws LogFailure.Undecodable {
            String value = values.get(name);
            return value == null ? absent : parse(name, value, 10);
        }

        long hex(String name, long absent) throws LogFailure.Undecodable {
            String value = values.get(name);
            return value == null ? absent : parse(name, value, 16);
        }

        private long parse(String name, String value, int radix) throws LogFailure.Undecodable {
            try {
                return radix == 16 ? Long.parseUnsignedLong(value, 16) : Long.parseLong(value);
            } catch (NumberFormatException e) {
                throw new LogFailure.Undecodable("header has " + name + "=" + value + ", not a number: " + header, e);
            }
        }
    }

    static String encode(String value) {
        byte[] bytes = value.getBytes(UTF_8);
        StringBuilder text = new StringBuilder(bytes.length);
        for (byte b : bytes) {
            if (plain(b)) {
                text.append((char) b);
            } else {
                text.append('%').append(HEX.charAt(b >> 4 & 15)).append(HEX.charAt(b & 15));
            }
        }
        return text.toString();
    }

    private static boolean plain(byte b) {
        return (b >= 'a' && b <= 'z')
                || (b >= 'A' && b <= 'Z')
                || (b >= '0' && b <= '9')
                || b == '-'
                || b == '.'
                || b == '_'
                || b == '~'
                || b == '/'
                || b == ':';
    }

    private static String decode(String value) throws LogFailure.Undecodable {
        if (value.indexOf('%') < 0) {
            return value;
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c != '%') {
                bytes.write(c);
                continue;
            }
            int high = i + 2 < value.length() ? Character.digit(value.charAt(i + 1), 16) : -1;
            int low = i + 2 < value.length() ? Character.digit(value.charAt(i + 2), 16) : -1;
            if (high < 0 || low < 0) {
                throw new LogFailure.Undecodable("header has a broken percent escape: " + value);
            }
            bytes.write(high << 4 | low);
            i += 2;
        }
        return bytes.toString(UTF_8);
    }
}
