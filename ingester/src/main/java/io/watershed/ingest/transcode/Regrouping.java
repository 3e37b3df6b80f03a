package io.watershed.ingest.transcode;

import io.watershed.ingest.transcode.Field.Shape;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A message with its fields as Kubernetes writes them, by protobuf's rules: of a scalar that stands twice the last counts, a message in
 * several pieces is their sum, elements of a list keep their order, of map entries with the same key the last counts.
 */
final class Regrouping extends WireReader {
    private static final int DEEPEST = 400;

    /** What stands behind a tag; of numbers the number itself. */
    private record Piece(int tag, int from, int to) {
        boolean isBytes() {
            return (tag & 7) == BYTES;
        }
    }

    private final MessageType type;
    private final int end;
    private final int depth;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private Regrouping(MessageType type, byte[] bytes, int from, int to, int depth) {
        super(bytes, from);
        this.type = type;
        this.end = to;
        this.depth = depth;
    }

    static byte[] of(MessageType type, byte[] bytes, int from, int to) throws Undecodable {
        return of(type, bytes, from, to, 0);
    }

    private static byte[] of(MessageType type, byte[] bytes, int from, int to, int depth) throws Undecodable {
        if (depth > DEEPEST) {
            throw new Undecodable("value is nested too deeply");
        }
        return new Regrouping(type, bytes, from, to, depth).regrouped();
    }

    private byte[] regrouped() throws Undecodable {
        for (Map.Entry<Integer, List<Piece>> entry : pieces(end).entrySet()) {
            field(type.field(entry.getKey()), entry.getValue());
        }
        return out.toByteArray();
    }

    /** What lies up to there, by field number. */
    private Map<Integer, List<Piece>> pieces(int stop) throws Undecodable {
        Map<Integer, List<Piece>> byNumber = new TreeMap<>();
        while (at < stop) {
            int tag = tag(stop);
            Piece piece;
            if ((tag & 7) == BYTES) {
                int to = lengthEnd(stop);
                piece = new Piece(tag, at, to);
                at = to;
            } else {
                int from = at;
                skip(tag, stop);
                piece = new Piece(tag, from, at);
            }
            byNumber.computeIfAbsent(tag >>> 3, number -> new ArrayList<>()).add(piece);
        }
        return byNumber;
    }

    private void field(@Nullable Field field, List<Piece> pieces) throws Undecodable {
        if (field == null || (field.isMessage() && !pieces.stream().allMatch(Piece::isBytes))) {
            pieces.forEach(this::put); // who decodes it says what is wrong with it
        } else if (field.shape == Shape.MAP) {
            entries(field, pieces);
        } else if (field.shape == Shape.LIST) {
            for (Piece piece : pieces) {
                if (field.isMessage()) {
                    put(piece.tag, of(field.message(), bytes, piece.from, piece.to, depth + 1));
                } else {
                    put(piece);
                }
            }
        } else if (field.isMessage()) {
            put(pieces.get(0).tag, merged(field, pieces));
        } else {
            put(pieces.get(pieces.size() - 1));
        }
    }

    private byte[] merged(Field field, List<Piece> pieces) throws Undecodable {
        ByteArrayOutputStream sum = new ByteArrayOutputStream();
        pieces.forEach(piece -> sum.write(bytes, piece.from, piece.to - piece.from));
        byte[] message = sum.toByteArray();
        return of(field.message(), message, 0, message.length, depth + 1);
    }

    private void entries(Field field, List<Piece> pieces) throws Undecodable {
        Map<byte[], byte[]> byKey = new TreeMap<>(Arrays::compareUnsigned);
        for (Piece piece : pieces) {
            at = piece.from;
            Map<Integer, List<Piece>> parts = pieces(piece.to);
            Regrouping entry = new Regrouping(type, bytes, 0, 0, depth);
            List<Piece> keys = parts.getOrDefault(1, List.of());
            byte[] key = {};
            if (!keys.isEmpty()) {
                Piece last = keys.get(keys.size() - 1);
                key = Arrays.copyOfRange(bytes, last.from, last.to);
                entry.put(last);
            }
            List<Piece> values = parts.getOrDefault(2, List.of());
            if (!values.isEmpty() && field.isMessage() && values.stream().allMatch(Piece::isBytes)) {
                entry.put(values.get(0).tag, merged(field, values));
            } else if (!values.isEmpty()) {
                entry.put(values.get(values.size() - 1));
            }
            parts.forEach((number, others) ->
                    others.stream().filter(other -> number > 2).forEach(entry::put));
            byKey.put(key, entry.out.toByteArray());
        }
        byKey.values().forEach(entry -> put(pieces.get(0).tag, entry));
    }

    private void put(Piece piece) {
        if (piece.isBytes()) {
            put(piece.tag, Arrays.copyOfRange(bytes, piece.from, piece.to));
        } else {
            number(piece.tag);
            out.write(bytes, piece.from, piece.to - piece.from);
        }
    }

    private void put(int tag, byte[] payload) {
        number(tag);
        number(payload.length);
        out.writeBytes(payload);
    }

    private void number(int value) {
        int left = value;
        for (; (left & ~0x7f) != 0; left >>>= 7) {
            out.write((left & 0x7f) | 0x80);
        }
        out.write(left);
    }
}
