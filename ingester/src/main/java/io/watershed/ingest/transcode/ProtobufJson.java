package io.watershed.ingest.transcode;

import io.watershed.ingest.transcode.Field.Kind;
import io.watershed.ingest.transcode.Field.Shape;
import io.watershed.ingest.transcode.Field.Shown;
import io.watershed.log.codec.ObjectJson;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes one message as the JSON that kube-apiserver shows, in one pass over its bytes. It relies on the order in which Kubernetes writes
 * them: fields in one piece each, map entries by key. What stands otherwise is refused; {@link Regrouping} mends it.
 */
final class ProtobufJson extends WireReader {
    /** Messages inside each other. Each may add two levels of JSON, so that readers' usual limit of 1000 is never reached. */
    private static final int DEEPEST = 400;

    private static final int DEEPEST_JSON = ObjectJson.DEEPEST_STORED - 10;
    static final String IN_PIECES = "has a field in pieces, or entries of a map that are not in order";
    /** No list or map is open. */
    private static final long NO_PLACE = -1;

    private static final byte[] EMPTY_STRING = {'"', '"'};

    private final JsonBuffer out;
    private final SpecialJson special;
    private int depth;
    private boolean partial;
    private boolean incomplete;
    /** Where the key and the value of the last entry lie. */
    private long key;

    private int valueFrom;
    private int valueTo;

    ProtobufJson(byte[] bytes, int at, JsonBuffer out) {
        super(bytes, at);
        this.out = out;
        this.special = new SpecialJson(this, out);
    }

    /** Whether there were fields that the table lacks. */
    boolean isPartial() {
        return partial;
    }

    /** Whether something is missing that today's releases write. */
    boolean isIncomplete() {
        return incomplete;
    }

    int jsonDepthLeft() {
        return DEEPEST_JSON - 2 * depth;
    }

    void object(MessageType type, int end) throws Undecodable {
        if (++depth > DEEPEST) {
            throw broken("is nested too deeply");
        }
        out.put('{');
        members(type, end, 0);
        out.put('}');
        depth--;
    }

    /** Writes the members of the message that ends there; hidden fields are left out. */
    void members(MessageType type, int end, long hidden) throws Undecodable {
        long seen = 0;
        long shown = 0;
        long place = NO_PLACE;
        @Nullable Field open = null;
        while (at < end) {
            int tag = tag(end);
            Field field = type.field(tag >>> 3);
            if (field == null) {
                unknown(type, tag, end);
                continue;
            }
            if (field != open) {
                close(open);
                open = null;
                place = NO_PLACE;
                if ((seen & field.bit) != 0) {
                    throw broken(IN_PIECES);
                }
                seen |= field.bit;
            }
            if ((hidden & field.bit) != 0) {
                skip(tag, end);
            } else if (!field.repeated()) {
                shown |= single(field, tag, end) ? field.bit : 0;
            } else {
                place = field.shape == Shape.MAP ? entry(field, tag, end, place) : elements(field, tag, end, place);
                open = place == NO_PLACE ? null : field;
                shown |= open == null ? 0 : field.bit;
                seen &= open == null ? ~field.bit : -1;
            }
        }
        close(open);
        absent(type, type.shownAbsent() & ~(seen | hidden));
        incomplete |= type.isIncomplete(shown | hidden) || (type.incompleteAbsent() & ~(seen | hidden)) != 0;
    }

    private void close(@Nullable Field open) {
        if (open != null) {
            out.put(open.shape == Shape.MAP ? '}' : ']');
        }
    }

    private void absent(MessageType type, long fields) {
        for (long left = fields; left != 0; left &= left - 1) {
            byte[] members = type.absent(left);
            if (members.length > 0) {
                out.member(members);
            }
        }
    }

    void unknown(MessageType type, int tag, int end) throws Undecodable {
        int from = at;
        skip(tag, end);
        boolean empty = (tag & 7) == BYTES && at == from + 1;
        partial |= !(empty && type.isRetired(tag >>> 3));
    }

    /** Writes a field that is no list; says whether it is there and not zero. */
    private boolean single(Field field, int tag, int end) throws Undecodable {
        expect(tag, field.wire);
        if (field.wire == VARINT) {
            long value = integer(field.kind, end);
            if (value == 0 && field.hidesZero()) {
                return false;
            }
            out.member(field.member);
            putInteger(field.kind, value);
            return true;
        }
        if (field.wire == FIXED64) {
            double value = float64(end);
            if (value == 0 && field.hidesZero()) {
                return false;
            }
            out.member(field.member);
            Numbers.put(value, out);
            return true;
        }
        int stop = lengthEnd(end);
        if (field.inline) {
            members(field.message(), stop, 0);
            return true;
        }
        if (at == stop && !field.isMessage() && field.hidesZero()) {
            return false;
        }
        if (field.shown == Shown.OMITZERO && field.isMessage() && special.isZeroTime(field, stop)) {
            return false;
        }
        out.member(field.member);
        boolean some = at < stop;
        return payload(field, stop) && some;
    }

    private long integer(Kind kind, int end) throws Undecodable {
        long value = varint(end);
        return kind == Kind.INT64 ? value : kind == Kind.INT32 ? (int) value : value == 0 ? 0 : 1;
    }

    private void putInteger(Kind kind, long value) {
        if (kind == Kind.BOOL) {
            out.put(value != 0);
        } else {
            out.number(value);
        }
    }

    /** Writes the value that lies up to there; false when it is zero, where that is known. */
    boolean payload(Field field, int stop) throws Undecodable {
        boolean some = true;
        switch (field.kind) {
            case STRING -> {
                out.string(bytes, at, stop);
                at = stop;
            }
            case BYTES -> {
                out.base64(bytes, at, stop);
                at = stop;
            }
            case STRINGS -> strings(stop);
            case MESSAGE -> object(field.message(), stop);
            default -> some = special.put(field, stop);
        }
        return some;
    }

    /** A message that is a list: its field 1. */
    private void strings(int stop) throws Undecodable {
        out.put('[');
        while (at < stop) {
            int tag = tag(stop);
            if (tag >>> 3 != 1) {
                skip(tag, stop);
                partial = true;
                continue;
            }
            expect(tag, BYTES);
            out.element();
            int end = lengthEnd(stop);
            out.string(bytes, at, end);
            at = end;
        }
        out.put(']');
    }

    /** Writes one element of a list, or some that are packed; a place when the list is open now. */
    private long elements(Field field, int tag, int end, long place) throws Undecodable {
        boolean packed = field.wire != BYTES && (tag & 7) == BYTES;
        if (!packed) {
            expect(tag, field.wire);
        }
        int stop = packed || field.wire == BYTES ? lengthEnd(end) : end;
        if (packed && at == stop) {
            return place;
        }
        if (place == NO_PLACE) {
            out.member(field.member);
            out.put('[');
        }
        do {
            out.element();
            if (field.wire == BYTES) {
                payload(field, stop);
            } else if (field.wire == VARINT) {
                putInteger(field.kind, integer(field.kind, stop));
            } else {
                Numbers.put(float64(stop), out);
            }
        } while (packed && at < stop);
        return 0;
    }

    /** Writes one entry of a map and gives the place of its key; keys must rise. */
    private long entry(Field field, int tag, int end, long previous) throws Undecodable {
        expect(tag, BYTES);
        int stop = lengthEnd(end);
        parts(field, stop);
        int keyFrom = (int) (key >> 32);
        int keyTo = (int) key;
        if (previous == NO_PLACE) {
            out.member(field.member);
            out.put('{');
        } else if (Arrays.compareUnsigned(bytes, (int) (previous >> 32), (int) previous, bytes, keyFrom, keyTo) < 0) {
            out.put(',');
        } else {
            throw broken(IN_PIECES);
        }
        out.string(bytes, keyFrom, keyTo);
        out.put(':');
        if (valueFrom < 0) {
            out.put(zero(field));
        } else {
            at = valueFrom;
            payload(field, valueTo);
        }
        at = stop;
        return (long) keyFrom << 32 | keyTo;
    }

    /** Finds key and value of the entry that ends there. */
    private void parts(Field field, int stop) throws Undecodable {
        key = 0;
        valueFrom = -1;
        while (at < stop) {
            int part = tag(stop);
            if (part >>> 3 > 2) {
                skip(part, stop);
                partial = true;
                continue;
            }
            expect(part, BYTES);
            int to = lengthEnd(stop);
            if (part >>> 3 == 1) {
                key = (long) at << 32 | to;
            } else if (valueFrom >= 0 && field.isMessage()) {
                throw broken(IN_PIECES);
            } else {
                valueFrom = at;
                valueTo = to;
            }
            at = to;
        }
    }

    /** What an entry without a value stands for. */
    private static byte[] zero(Field field) {
        return switch (field.kind) {
            case MESSAGE -> field.message().zero();
            case BYTES -> EMPTY_STRING;
            default -> field.zero;
        };
    }
}
