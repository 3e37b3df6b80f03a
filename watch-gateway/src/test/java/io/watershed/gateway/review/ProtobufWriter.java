package io.watershed.gateway.review;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/** Writes messages on protobuf's wire, as kubectl and k9s send them. */
public final class ProtobufWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** A field with a length. */
    public ProtobufWriter field(int number, byte[] value) {
        varint(((long) number << 3) | 2);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    public ProtobufWriter field(int number, String text) {
        return field(number, text.getBytes(UTF_8));
    }

    public ProtobufWriter field(int number, ProtobufWriter message) {
        return field(number, message.bytes());
    }

    /** A field that is a number. */
    public ProtobufWriter number(int number, long value) {
        varint((long) number << 3);
        varint(value);
        return this;
    }

    /** Bytes as they are. */
    public ProtobufWriter raw(int... bytes) {
        for (int b : bytes) {
            out.write(b);
        }
        return this;
    }

    public byte[] bytes() {
        return out.toByteArray();
    }

    private void varint(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    /** Kubernetes' envelope around an object. */
    public static byte[] envelope(String apiVersion, String kind, ProtobufWriter object) {
        return new ProtobufWriter()
                .raw('k', '8', 's', 0)
                .field(1, new ProtobufWriter().field(1, apiVersion).field(2, kind))
                .field(2, object)
                .field(3, "")
                .field(4, "")
                .bytes();
    }
}
