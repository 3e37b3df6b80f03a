package io.watershed.gateway.review;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.Status;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message on protobuf's wire: of each field that has a length the last one. Everything else is passed over.
 *
 * <p><em>Source:</em> the protocol buffers encoding; {@code k8s\0} and the envelope behind it are Kubernetes' {@code runtime.Unknown}.
 */
final class ProtobufMessage implements Message {
    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private final Map<Integer, byte[]> fields = new HashMap<>();

    private ProtobufMessage() {}

    /** Kubernetes' envelope: {@code typeMeta} is its field 1, the object field 2. */
    static ProtobufMessage envelope(byte[] body) throws ApiFailure {
        if (body.length < MAGIC.length || !Arrays.equals(body, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new ApiFailure(Status.badRequest("the body does not begin as Kubernetes' protobuf does"));
        }
        return parse(Arrays.copyOfRange(body, MAGIC.length, body.length));
    }

    private static ProtobufMessage parse(byte[] bytes) throws ApiFailure {
        ProtobufMessage message = new ProtobufMessage();
        Reader in = new Reader(bytes);
        while (in.at < bytes.length) {
            long tag = in.varint();
            switch ((int) (tag & 7)) {
                case 0 -> in.varint();
                case 1 -> in.take(8);
                case 2 -> message.fields.put((int) (tag >>> 3), in.take(in.varint()));
                case 5 -> in.take(4);
                default -> throw malformed();
            }
        }
        return message;
    }

    @Override
    public String text(String name, int number) {
        byte[] field = fields.get(number);
        return field == null ? "" : new String(field, UTF_8);
    }

    @Override
    public @Nullable Message message(String name, int number) throws ApiFailure {
        byte[] field = fields.get(number);
        return field == null ? null : parse(field);
    }

    private static ApiFailure malformed() {
        return new ApiFailure(Status.badRequest("the body is no protobuf, or not all of it"));
    }

    private static final class Reader {
        private final byte[] bytes;
        private int at;

        Reader(byte[] bytes) {
            this.bytes = bytes;
        }

        long varint() throws ApiFailure {
            long value = 0;
            for (int shift = 0; shift < 64; shift += 7) {
                if (at == bytes.length) {
                    throw malformed();
                }
                byte b = bytes[at++];
                value |= (long) (b & 0x7f) << shift;
                if (b >= 0) {
                    return value;
                }
            }
            throw malformed();
        }

        byte[] take(long length) throws ApiFailure {
            if (length < 0 || length > bytes.length - at) {
                throw malformed();
            }
            at += (int) length;
            return Arrays.copyOfRange(bytes, at - (int) length, at);
        }
    }
}
