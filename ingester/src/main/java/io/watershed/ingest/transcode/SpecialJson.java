package io.watershed.ingest.transcode;

import io.watershed.ingest.transcode.Field.Kind;
import io.watershed.ingest.transcode.Field.Shape;
import org.jspecify.annotations.Nullable;

/** Messages whose JSON is not an object of their fields: times, quantities, IntOrString, embedded JSON, alternatives of a schema. */
final class SpecialJson {
    private static final int FIRST_CBOR = 0xa0;

    private final ProtobufJson in;
    private final JsonBuffer out;
    private long first;
    private long second;
    private int textFrom;
    private int textTo;

    SpecialJson(ProtobufJson in, JsonBuffer out) {
        this.in = in;
        this.out = out;
    }

    /** Writes the message that ends there; false for an IntOrString that is 0 or empty. */
    boolean put(Field field, int stop) throws Undecodable {
        boolean empty = in.at == stop;
        switch (field.kind) {
            case TIME, MICRO_TIME -> {
                parts(field.message(), stop);
                Times.put(empty, first, (int) second, field.kind == Kind.MICRO_TIME, out);
            }
            case QUANTITY -> {
                parts(field.message(), stop);
                quantity();
            }
            case INT_OR_STRING -> {
                parts(field.message(), stop);
                return intOrString();
            }
            case RAW_JSON -> {
                parts(field.message(), stop);
                json();
            }
            default -> schemaOr(field, stop);
        }
        return true;
    }

    boolean isZeroTime(Field field, int stop) throws Undecodable {
        int from = in.at;
        parts(field.message(), stop);
        in.at = from;
        return from == stop || Times.isZero(first, field.kind == Kind.TIME ? 0 : (int) second);
    }

    /** Reads fields of up to two integers, and one text. */
    private void parts(MessageType type, int stop) throws Undecodable {
        first = 0;
        second = 0;
        textFrom = 0;
        textTo = -1;
        while (in.at < stop) {
            int tag = in.tag(stop);
            Field part = type.field(tag >>> 3);
            if (part == null) {
                in.unknown(type, tag, stop);
                continue;
            }
            in.expect(tag, part.wire);
            if (part.wire == WireReader.BYTES) {
                textTo = in.lengthEnd(stop);
                textFrom = in.at;
                in.at = textTo;
            } else if (part.number == 1) {
                first = in.varint(stop);
            } else {
                second = (int) in.varint(stop);
            }
        }
    }

    private void quantity() throws Undecodable {
        if (textTo < 0) {
            out.put(Quantities.ZERO);
        } else if (!Quantities.put(in.bytes, textFrom, textTo, out)) {
            throw in.broken("has a quantity that is none");
        }
    }

    private boolean intOrString() throws Undecodable {
        if (first == 0) {
            out.number(second);
            return second != 0;
        }
        if (first != 1) {
            throw in.broken("has an IntOrString that is neither");
        }
        out.string(in.bytes, textFrom, Math.max(textFrom, textTo));
        return textTo > textFrom;
    }

    private void json() throws Undecodable {
        if (textTo <= textFrom) {
            out.putNull();
        } else if ((in.bytes[textFrom] & 0xff) >= FIRST_CBOR) {
            Cbor.put(in.bytes, textFrom, textTo, out, in.jsonDepthLeft());
        } else {
            RawJson.put(in.bytes, textFrom, textTo, out, in.jsonDepthLeft());
        }
    }

    /** A list if there is one, else the schema if there is one, else the truth value, or null. */
    private void schemaOr(Field field, int stop) throws Undecodable {
        int from = in.at;
        Field schema = alternatives(field.message(), stop);
        if (second != 0) {
            in.at = from;
            list(field, stop);
        } else if (schema != null) {
            in.at = textFrom;
            in.payload(schema, textTo);
            in.at = stop;
        } else if (field.kind == Kind.SCHEMA_OR_BOOL) {
            out.put(first != 0);
        } else {
            out.putNull();
        }
    }

    /** Finds the truth value ({@code first}), whether there is a list ({@code second}), and the schema, whose field it returns. */
    private @Nullable Field alternatives(MessageType type, int stop) throws Undecodable {
        first = 0;
        second = 0;
        Field schema = null;
        while (in.at < stop) {
            int tag = in.tag(stop);
            Field part = type.field(tag >>> 3);
            if (part == null) {
                in.unknown(type, tag, stop);
                continue;
            }
            in.expect(tag, part.wire);
            if (part.kind == Kind.BOOL) {
                first = in.varint(stop);
                continue;
            }
            int to = in.lengthEnd(stop);
            if (part.shape == Shape.LIST) {
                second = 1;
            } else if (schema != null) {
                throw in.broken(ProtobufJson.IN_PIECES);
            } else {
                schema = part;
                textFrom = in.at;
                textTo = to;
            }
            in.at = to;
        }
        return schema;
    }

    private void list(Field field, int stop) throws Undecodable {
        out.put('[');
        while (in.at < stop) {
            int tag = in.tag(stop);
            Field part = field.message().field(tag >>> 3);
            if (part == null || part.shape != Shape.LIST) {
                in.skip(tag, stop);
            } else {
                int to = in.lengthEnd(stop);
                out.element();
                in.payload(part, to);
            }
        }
        out.put(']');
    }
}
