package io.watershed.ingest.transcode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/** Makes values as kube-apiserver stores them in protobuf. */
public final class StoredForm {
    private StoredForm() {}

    /** A message of fields as number and value: a small number, a text, or another message. */
    public static byte[] message(Object... fields) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 0; at < fields.length; at += 2) {
            int number = (Integer) fields[at];
            if (fields[at + 1] instanceof Integer value) {
                Reencoding.varint(out, number << 3);
                out.write(value);
            } else {
                byte[] payload = fields[at + 1] instanceof String text ? text.getBytes(UTF_8) : (byte[]) fields[at + 1];
                Reencoding.put(out, (number << 3) | 2, payload);
            }
        }
        return out.toByteArray();
    }

    /** The message in its envelope. */
    public static byte[] stored(String apiVersion, String kind, byte[] message) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {'k', '8', 's', 0});
        out.writeBytes(message(1, message(1, apiVersion, 2, kind), 2, message));
        return out.toByteArray();
    }
}
