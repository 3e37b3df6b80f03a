package io.watershed.ingest.transcode;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.log.codec.ObjectJson;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;

/**
 * CBOR (RFC 8949) as Kubernetes writes and reads it: strings are byte strings, {@code []byte} is tagged for base64, and what JSON and Go's
 * int64 can't hold is refused, as are members that stand twice.
 */
public final class Cbor {
    /** Objects that are stored as CBOR begin with this tag, which says so. */
    private static final byte[] MAGIC = {(byte) 0xd9, (byte) 0xd9, (byte) 0xf7};

    /** The tag before everything and the scalar within count too. */
    private static final int DEEPEST = ObjectJson.DEEPEST_STORED + 2;

    private static final int INDEFINITE = 31;
    private static final int BREAK = 0xff;
    private static final int BYTE_STRING = 2;
    private static final int TEXT = 3;
    private static final long UNTAGGED = -1;

    private final byte[] bytes;
    private final int to;
    private final JsonBuffer out;
    private int at;
    private int depthLeft;

    private Cbor(byte[] bytes, int from, int to, JsonBuffer out, int depthLeft) {
        this.bytes = bytes;
        this.at = from;
        this.to = to;
        this.out = out;
        this.depthLeft = depthLeft;
    }

    public static boolean is(byte[] value) {
        return value.length >= MAGIC.length && value[0] == MAGIC[0] && value[1] == MAGIC[1] && value[2] == MAGIC[2];
    }

    /** A stored value as JSON, members in stored order. */
    public static byte[] toJson(byte[] value) throws Undecodable {
        JsonBuffer out = new JsonBuffer(value.length * 2 + 64);
        put(value, 0, value.length, out, DEEPEST);
        return out.toByteArray();
    }

    static void put(byte[] bytes, int from, int to, JsonBuffer out, int depthLeft) throws Undecodable {
        Cbor cbor = new Cbor(bytes, from, to, out, depthLeft);
        cbor.value(UNTAGGED);
        if (cbor.at < to) {
            throw cbor.broken("goes on behind its end");
        }
    }

    private void value(long tag) throws Undecodable {
        if (depthLeft-- <= 0) {
            throw broken("is nested too deeply");
        }
        int head = next();
        int major = head >> 5;
        int info = head & 31;
        switch (major) {
            case 0 -> out.number(integer(info));
            case 1 -> out.number(-1 - integer(info));
            case BYTE_STRING -> byteString(info, tag);
            case TEXT -> text(string(info, TEXT));
            case 4 -> array(info);
            case 5 -> map(info);
            case 6 -> tagged(info);
            default -> simple(info);
        }
        depthLeft++;
    }

    private int next() throws Undecodable {
        if (at >= to) {
            throw broken("ends too early");
        }
        return bytes[at++] & 0xff;
    }

    private long argument(int info) throws Undecodable {
        if (info < 24) {
            return info;
        }
        if (info > 27) {
            throw broken("has an impossible length");
        }
        long value = 0;
        for (int left = 1 << (info - 24); left > 0; left--) {
            value = value << 8 | next();
        }
        return value;
    }

    private long integer(int info) throws Undecodable {
        long value = argument(info);
        if (value < 0) {
            throw broken("has an integer of more than 64 bits");
        }
        return value;
    }

    private void byteString(int info, long tag) throws Undecodable {
        byte[] content = string(info, BYTE_STRING);
        if (tag == 21) {
            text(Base64.getUrlEncoder().withoutPadding().encode(content));
        } else if (tag == 22) {
            out.base64(content, 0, content.length);
        } else if (tag == 23) {
            text(HexFormat.of().formatHex(content).getBytes(UTF_8));
        } else {
            out.string(content, 0, content.length);
        }
    }

    private void text(byte[] content) {
        out.string(content, 0, content.length);
    }

    private byte[] string(int info, int major) throws Undecodable {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        if (info != INDEFINITE) {
            chunk(info, content);
        } else {
            for (int head = next(); head != BREAK; head = next()) {
                if (head >> 5 != major || (head & 31) == INDEFINITE) {
                    throw broken("has a string in odd pieces");
                }
                chunk(head & 31, content);
            }
        }
        byte[] whole = content.toByteArray();
        if (major == TEXT) {
            requireUtf8(whole);
        }
        return whole;
    }

    private void chunk(int info, ByteArrayOutputStream content) throws Undecodable {
        long length = argument(info);
        if (length < 0 || length > to - at) {
            throw broken("ends inside a string");
        }
        content.write(bytes, at, (int) length);
        at += (int) length;
    }

    private void requireUtf8(byte[] text) throws Undecodable {
        for (int character = 0; character < text.length; ) {
            int length = text[character] >= 0 ? 1 : Utf8Length.at(text, character, text.length);
            if (length == 0) {
                throw broken("has a text that is not UTF-8");
            }
            character += length;
        }
    }

    private void array(int info) throws Undecodable {
        out.put('[');
        long left = info == INDEFINITE ? Long.MAX_VALUE : count(info);
        while (left-- > 0 && !ends(info)) {
            out.element();
            value(UNTAGGED);
        }
        out.put(']');
    }

    private void map(int info) throws Undecodable {
        out.put('{');
        Set<String> names = new HashSet<>();
        long left = info == INDEFINITE ? Long.MAX_VALUE : count(info);
        while (left-- > 0 && !ends(info)) {
            int head = next();
            int major = head >> 5;
            if (major != BYTE_STRING && major != TEXT) {
                throw broken("has a member whose name is no string");
            }
            byte[] name = string(head & 31, major);
            if (!names.add(new String(name, UTF_8))) {
                throw broken("has a member twice");
            }
            out.separate('{');
            text(name);
            out.put(':');
            value(UNTAGGED);
        }
        out.put('}');
    }

    private long count(int info) throws Undecodable {
        long count = argument(info);
        if (count < 0 || count > to - at) {
            throw broken("ends inside a list");
        }
        return count;
    }

    private boolean ends(int info) {
        if (info == INDEFINITE && at < to && (bytes[at] & 0xff) == BREAK) {
            at++;
            return true;
        }
        return false;
    }

    private void tagged(int info) throws Undecodable {
        long tag = argument(info);
        if (tag >= 1 && tag <= 3) {
            throw broken("has a number or time that Kubernetes does not write");
        }
        value(tag);
    }

    private void simple(int info) throws Undecodable {
        switch (info) {
            case 20 -> out.put(false);
            case 21 -> out.put(true);
            case 22 -> out.putNull();
            case 25 -> Numbers.put(half((int) argument(info)), out);
            case 26 -> Numbers.put(Float.intBitsToFloat((int) argument(info)), out);
            case 27 -> Numbers.put(Double.longBitsToDouble(argument(info)), out);
            default -> throw broken("has a simple value that JSON lacks");
        }
    }

    private static double half(int bits) {
        int exponent = bits >> 10 & 31;
        int fraction = bits & 1023;
        double size = exponent == 0
                ? Math.scalb((double) fraction, -24)
                : exponent == 31
                        ? (fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN)
                        : Math.scalb((double) (fraction + 1024), exponent - 25);
        return (bits & 0x8000) == 0 ? size : -size;
    }

    private Undecodable broken(String how) {
        return new Undecodable("CBOR " + how + ", at byte " + at);
    }
}
