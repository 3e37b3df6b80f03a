package io.watershed.ingest.transcode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A value as kube-apiserver stores it in protobuf: an envelope that names apiVersion and kind, around a message of that kind.
 *
 * <p><em>Threads:</em> immutable.
 */
public final class ProtobufObject {
    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final int LONGEST_NAME = 100;
    private static final int TYPE_META = 1;
    private static final int RAW = 2;
    private static final int CONTENT_ENCODING = 3;
    private static final int CONTENT_TYPE = 4;

    private final byte[] value;
    private String apiVersion = "";
    private String kind = "";
    private int from;
    private int to;
    private boolean partial;

    /** What an object begins with, in the log: the key wins over what the object says. */
    public record Identity(
            String kind,
            String apiVersion,
            long revision,
            String name,
            @Nullable String namespace) {}

    private ProtobufObject(byte[] value) {
        this.value = value;
    }

    public static boolean is(byte[] value) {
        return value.length >= MAGIC.length && Arrays.equals(value, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    /** Opens the envelope. */
    public static ProtobufObject of(byte[] value) throws Undecodable {
        ProtobufObject object = new ProtobufObject(value);
        WireReader in = new WireReader(value, MAGIC.length);
        while (in.at < value.length) {
            int tag = in.tag(value.length);
            int number = tag >>> 3;
            if (number > CONTENT_TYPE) {
                in.skip(tag, value.length);
                object.partial = true;
                continue;
            }
            in.expect(tag, WireReader.BYTES);
            int end = in.lengthEnd(value.length);
            if (number == TYPE_META) {
                object.typeMeta(in, end);
            } else if (number == RAW) {
                object.from = in.at;
                object.to = end;
            } else if (number == CONTENT_ENCODING && in.at < end) {
                throw in.broken("is encoded in a way that is not known");
            }
            in.at = end;
        }
        return object;
    }

    private void typeMeta(WireReader in, int end) throws Undecodable {
        while (in.at < end) {
            int tag = in.tag(end);
            int from = in.at;
            in.skip(tag, end);
            if ((tag & 7) != WireReader.BYTES || tag >>> 3 > 2) {
                partial = true;
                continue;
            }
            int after = in.at;
            in.at = from;
            in.lengthEnd(end);
            String text = new String(value, in.at, after - in.at, UTF_8);
            in.at = after;
            if (tag >>> 3 == 1) {
                apiVersion = text;
            } else {
                kind = text;
            }
        }
    }

    /** The stored version. */
    public String apiVersion() {
        return apiVersion;
    }

    public String kind() {
        return kind;
    }

    /** Whether there is a message for this kind: without one nothing can be decoded. */
    public static boolean knows(String apiVersion, String kind) {
        return FieldTable.kubernetes().message(apiVersion, kind) != null;
    }

    /**
     * Decodes the object as one of this version and kind: its own, or another whose message is the same.
     *
     * @throws Undecodable also when the table lacks the kind
     */
    public DecodedObject json(String messageVersion, String messageKind, Identity identity) throws Undecodable {
        return ObjectWriter.write(message(messageVersion, messageKind), value, from, to, identity, partial);
    }

    /** The whole message as JSON, as it is, without kind and apiVersion. */
    byte[] plainJson(String messageVersion, String messageKind) throws Undecodable {
        return ObjectWriter.plain(message(messageVersion, messageKind), value, from, to);
    }

    private static MessageType message(String apiVersion, String kind) throws Undecodable {
        MessageType type = FieldTable.kubernetes().message(apiVersion, kind);
        if (type == null) {
            throw new Undecodable("kind is not known: " + shortened(kind) + " of " + shortened(apiVersion));
        }
        return type;
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME) + "…";
    }
}
