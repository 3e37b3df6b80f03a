package io.watershed.log.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.watershed.log.LogFailure;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The header line taken apart. A name that is not known is skipped; one that is given twice, or can't be read, is an error.
 * Confined to the decoding of one record.
 */
final class HeaderFields {
    /** The names, in the order in which they are written. */
    enum Name {
        T,
        G,
        Q,
        R,
        I,
        N,
        C,
        V,
        L,
        H,
        F,
        SV,
        ENC,
        RES,
        NS,
        NAME;

        final String text = name().toLowerCase(java.util.Locale.ROOT);

        static @Nullable Name of(String text) {
            for (Name name : VALUES) {
                if (name.text.equals(text)) {
                    return name;
                }
            }
            return null;
        }

        private static final Name[] VALUES = values();
    }

    private static final int HEX_DIGITS = 16;
    private final Map<Name, String> values = new EnumMap<>(Name.class);

    HeaderFields(byte[] header) throws LogFailure.Undecodable {
        String line = new String(header, ISO_8859_1);
        int at = 0;
        while (at < line.length()) {
            int blank = line.indexOf(' ', at);
            int end = blank < 0 ? line.length() : blank;
            int equals = line.indexOf('=', at);
            if (equals < 0 || equals >= end) {
                throw new LogFailure.Undecodable("header has no name=value at place " + at);
            }
            set(Name.of(line.substring(at, equals)), line.substring(equals + 1, end));
            at = end + 1;
        }
    }

    private void set(@Nullable Name name, String value) throws LogFailure.Undecodable {
        if (name == null) {
            return;
        }
        if (values.put(name, value) != null) {
            throw new LogFailure.Undecodable("header has " + name.text + "= twice");
        }
    }

    boolean has(Name name) {
        return values.containsKey(name);
    }

    /** As written: for values that need no percent-encoding. */
    String raw(Name name) throws LogFailure.Undecodable {
        String value = values.get(name);
        if (value == null) {
            throw new LogFailure.Undecodable("header lacks " + name.text + "=");
        }
        return value;
    }

    @Nullable
    String textOrNull(Name name) throws LogFailure.Undecodable {
        return has(name) ? text(name) : null;
    }

    String text(Name name) throws LogFailure.Undecodable {
        String value = raw(name);
        for (int i = 0; i < value.length(); i++) {
            if (!HeaderWriter.isPlain(value.charAt(i))) {
                return decoded(name, value);
            }
        }
        return value;
    }

    /** A count, revision or sequence: never negative. */
    long number(Name name) throws LogFailure.Undecodable {
        long number = signed(name);
        if (number < 0) {
            throw unreadable(name, raw(name), null);
        }
        return number;
    }

    int smallNumber(Name name) throws LogFailure.Undecodable {
        long number = number(name);
        if (number > Integer.MAX_VALUE) {
            throw unreadable(name, raw(name), null);
        }
        return (int) number;
    }

    long signed(Name name) throws LogFailure.Undecodable {
        String value = raw(name);
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw unreadable(name, value, e);
        }
    }

    long hex(Name name) throws LogFailure.Undecodable {
        String value = raw(name);
        try {
            if (value.length() == HEX_DIGITS) {
                return HexFormat.fromHexDigitsToLong(value);
            }
        } catch (NumberFormatException e) {
            throw unreadable(name, value, e);
        }
        throw unreadable(name, value, null);
    }

    private static String decoded(Name name, String value) throws LogFailure.Undecodable {
        ByteBuffer utf8 = ByteBuffer.allocate(value.length());
        try {
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                if (c == '%') {
                    utf8.put((byte) HexFormat.fromHexDigits(value, i + 1, i + 3));
                    i += 2;
                } else if (HeaderWriter.isPlain(c)) {
                    utf8.put((byte) c);
                } else {
                    throw unreadable(name, value, null);
                }
            }
            return StandardCharsets.UTF_8.newDecoder().decode(utf8.flip()).toString();
        } catch (IllegalArgumentException | IndexOutOfBoundsException | CharacterCodingException e) {
            throw unreadable(name, value, e);
        }
    }

    static LogFailure.Undecodable unreadable(Name name, String value, @Nullable Exception cause) {
        String message = "header has an unreadable " + name.text + "=" + value;
        return cause == null ? new LogFailure.Undecodable(message) : new LogFailure.Undecodable(message, cause);
    }
}
