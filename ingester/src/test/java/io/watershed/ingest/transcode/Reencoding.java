package io.watershed.ingest.transcode;

import io.watershed.ingest.transcode.Field.Shape;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Writes a stored value anew as protobuf allows it and Kubernetes never does: fields in any order, a message in pieces, scalars and map
 * entries twice (the last counts), numbers of lists packed.
 */
final class Reencoding {
    private static final byte[] MAGIC = {'k', '8', 's', 0};

    /** One field with its tag. */
    private static final class Piece {
        final int number;
        final byte[] bytes;

        Piece(int number, byte[] bytes) {
            this.number = number;
            this.bytes = bytes;
        }
    }

    private final Random random;

    Reencoding(Random random) {
        this.random = random;
    }

    byte[] of(byte[] stored) throws Undecodable {
        ProtobufObject object = ProtobufObject.of(stored);
        MessageType type = FieldTable.kubernetes().message(object.apiVersion(), object.kind());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(MAGIC);
        WireReader in = new WireReader(stored, MAGIC.length);
        while (in.at < stored.length) {
            int tag = in.tag(stored.length);
            int end = in.lengthEnd(stored.length);
            byte[] payload = Arrays.copyOfRange(stored, in.at, end);
            put(out, tag, tag >>> 3 == 2 && type != null ? join(pieces(type, payload)) : payload);
            in.at = end;
        }
        return out.toByteArray();
    }

    private List<Piece> pieces(MessageType type, byte[] message) throws Undecodable {
        List<Piece> pieces = new ArrayList<>();
        WireReader in = new WireReader(message, 0);
        while (in.at < message.length) {
            int tag = in.tag(message.length);
            Field field = type.field(tag >>> 3);
            int from = in.at;
            in.skip(tag, message.length);
            byte[] value = Arrays.copyOfRange(message, from, in.at);
            if (field == null || field.wire != WireReader.BYTES) {
                number(pieces, tag, field, value);
                continue;
            }
            in.at = from;
            int end = in.lengthEnd(message.length);
            byte[] payload = Arrays.copyOfRange(message, in.at, end);
            in.at = end;
            if (field.shape == Shape.MAP) {
                entry(pieces, tag, field, payload);
            } else if (field.isMessage() && field.shape == Shape.LIST) {
                pieces.add(piece(tag, join(pieces(field.message(), payload))));
            } else if (field.isMessage()) {
                inPieces(pieces, tag, pieces(field.message(), payload));
            } else {
                if (field.shape != Shape.LIST && random.nextInt(3) == 0) {
                    pieces.add(piece(tag, new byte[] {'x'})); // overruled by the next
                }
                pieces.add(piece(tag, payload));
            }
        }
        return shuffled(pieces);
    }

    /** Neighbours of a list become one packed field now and then. */
    private void number(List<Piece> pieces, int tag, @Nullable Field field, byte[] value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (field != null && field.shape == Shape.LIST && random.nextBoolean()) {
            put(out, (tag & ~7) | WireReader.BYTES, value);
        } else {
            varint(out, tag);
            out.writeBytes(value);
        }
        if (field != null && field.shape != Shape.LIST && field.wire == WireReader.VARINT && random.nextInt(3) == 0) {
            ByteArrayOutputStream other = new ByteArrayOutputStream();
            varint(other, tag);
            other.write(1);
            pieces.add(new Piece(tag >>> 3, other.toByteArray()));
        }
        pieces.add(new Piece(tag >>> 3, out.toByteArray()));
    }

    private void entry(List<Piece> pieces, int tag, Field field, byte[] entry) throws Undecodable {
        ByteArrayOutputStream key = new ByteArrayOutputStream();
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        List<Piece> values = new ArrayList<>();
        WireReader in = new WireReader(entry, 0);
        while (in.at < entry.length) {
            int part = in.tag(entry.length);
            int end = in.lengthEnd(entry.length);
            byte[] payload = Arrays.copyOfRange(entry, in.at, end);
            in.at = end;
            if (part >>> 3 == 1) {
                put(key, part, payload);
            } else if (field.isMessage()) {
                inPieces(values, part, pieces(field.message(), payload));
            } else {
                values.add(piece(part, payload));
            }
        }
        for (Piece value : values) {
            whole.writeBytes(value.bytes);
        }
        whole.writeBytes(key.toByteArray());
        if (random.nextInt(3) == 0) {
            pieces.add(piece(tag, key.toByteArray())); // without a value, and overruled by the next
        }
        pieces.add(piece(tag, whole.toByteArray()));
    }

    private void inPieces(List<Piece> out, int tag, List<Piece> fields) {
        int cut = fields.size() < 2 || random.nextBoolean() ? fields.size() : random.nextInt(fields.size());
        out.add(piece(tag, join(fields.subList(0, cut))));
        if (cut < fields.size()) {
            out.add(piece(tag, join(fields.subList(cut, fields.size()))));
        }
    }

    /** In any order, but pieces of one field keep theirs. */
    private List<Piece> shuffled(List<Piece> pieces) {
        List<Integer> order = new ArrayList<>();
        pieces.forEach(piece -> order.add(piece.number));
        Collections.shuffle(order, random);
        List<Piece> left = new ArrayList<>(pieces);
        List<Piece> shuffled = new ArrayList<>();
        for (int number : order) {
            Piece next = left.stream()
                    .filter(piece -> piece.number == number)
                    .findFirst()
                    .orElseThrow();
            left.remove(next);
            shuffled.add(next);
        }
        return shuffled;
    }

    private static byte[] join(List<Piece> pieces) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        pieces.forEach(piece -> out.writeBytes(piece.bytes));
        return out.toByteArray();
    }

    private static Piece piece(int tag, byte[] payload) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        put(out, tag, payload);
        return new Piece(tag >>> 3, out.toByteArray());
    }

    static void put(ByteArrayOutputStream out, int tag, byte[] payload) {
        varint(out, tag);
        varint(out, payload.length);
        out.writeBytes(payload);
    }

    static void varint(ByteArrayOutputStream out, int value) {
        int left = value;
        for (; (left & ~0x7f) != 0; left >>>= 7) {
            out.write((left & 0x7f) | 0x80);
        }
        out.write(left);
    }
}
