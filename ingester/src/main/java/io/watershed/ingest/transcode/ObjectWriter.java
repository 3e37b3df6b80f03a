package io.watershed.ingest.transcode;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.ingest.transcode.ProtobufObject.Identity;
import io.watershed.log.codec.ObjectJson;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes whole objects: the beginning that the log asks for, then what the message holds. */
final class ObjectWriter {
    private static final Field NAME = FieldTable.kubernetes().metadata("name");
    private static final Field NAMESPACE = FieldTable.kubernetes().metadata("namespace");
    private static final Field RESOURCE_VERSION = FieldTable.kubernetes().metadata("resourceVersion");

    private final MessageType type;
    private final Field metadata;
    private final Identity identity;
    private boolean contradicting;

    private ObjectWriter(MessageType type, Field metadata, Identity identity) {
        this.type = type;
        this.metadata = metadata;
        this.identity = identity;
    }

    static DecodedObject write(MessageType type, byte[] value, int from, int to, Identity identity, boolean partial)
            throws Undecodable {
        Field metadata = type.metadata();
        if (metadata == null) {
            throw new Undecodable("kind is not one that is stored");
        }
        ObjectWriter writer = new ObjectWriter(type, metadata, identity);
        try {
            return writer.write(value, from, to, partial);
        } catch (Undecodable e) { // also where a piece makes no sense without the others
            byte[] ordered = Regrouping.of(type, value, from, to);
            return writer.write(ordered, 0, ordered.length, partial);
        }
    }

    static byte[] plain(MessageType type, byte[] value, int from, int to) throws Undecodable {
        try {
            return inOrder(type, value, from, to);
        } catch (Undecodable e) {
            byte[] ordered = Regrouping.of(type, value, from, to);
            return inOrder(type, ordered, 0, ordered.length);
        }
    }

    private static byte[] inOrder(MessageType type, byte[] value, int from, int to) throws Undecodable {
        JsonBuffer out = new JsonBuffer((to - from) * 2 + 256);
        new ProtobufJson(value, from, out).object(type, to);
        return out.toByteArray();
    }

    private DecodedObject write(byte[] value, int from, int to, boolean partial) throws Undecodable {
        JsonBuffer out = new JsonBuffer((to - from) * 2 + 256);
        ProtobufJson in = new ProtobufJson(value, from, out);
        out.ascii(ObjectJson.prefix(identity.kind(), identity.apiVersion(), identity.revision()));
        member(NAME, identity.name(), out);
        member(NAMESPACE, identity.namespace(), out);
        metadata(in, to);
        out.put('}');
        in.at = from;
        in.members(type, to, metadata.bit);
        out.put('}');
        return new DecodedObject(out.toByteArray(), partial || in.isPartial(), in.isIncomplete(), contradicting);
    }

    private static void member(Field field, @Nullable String value, JsonBuffer out) {
        if (value != null) {
            byte[] text = value.getBytes(UTF_8);
            out.member(field.member);
            out.string(text, 0, text.length);
        }
    }

    /** Wherever it stands in the message, metadata is written first. */
    private void metadata(ProtobufJson in, int to) throws Undecodable {
        contradicting = false;
        while (in.at < to) {
            int tag = in.tag(to);
            if (tag >>> 3 == metadata.number) {
                in.expect(tag, WireReader.BYTES);
                int end = in.lengthEnd(to);
                int from = in.at;
                in.at = from;
                contradicting |= contradicts(in, NAME, identity.name(), end);
                in.at = from;
                contradicting |= contradicts(in, NAMESPACE, identity.namespace(), end);
                in.at = from;
                in.members(metadata.message(), end, NAME.bit | NAMESPACE.bit | RESOURCE_VERSION.bit);
                return;
            }
            in.skip(tag, to);
        }
    }

    /** Whether the metadata up to there says something, and something else than is. */
    private static boolean contradicts(ProtobufJson in, Field field, @Nullable String is, int end) throws Undecodable {
        while (in.at < end) {
            int tag = in.tag(end);
            if (tag >>> 3 == field.number) {
                in.expect(tag, WireReader.BYTES);
                int stop = in.lengthEnd(end);
                byte[] text = is == null ? new byte[0] : is.getBytes(UTF_8);
                return stop > in.at && !Arrays.equals(in.bytes, in.at, stop, text, 0, text.length);
            }
            in.skip(tag, end);
        }
        return false;
    }
}
