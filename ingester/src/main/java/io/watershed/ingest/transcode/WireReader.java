package io.watershed.ingest.transcode;

/** Reads protobuf's wire format. Each read is told where its message ends and never goes beyond. */
class WireReader {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int BYTES = 2;
    static final int FIXED32 = 5;
    private static final int GROUP = 3;
    private static final int GROUP_END = 4;
    private static final int DEEPEST_GROUP = 100;

    final byte[] bytes;
    int at;

    WireReader(byte[] bytes, int at) {
        this.bytes = bytes;
        this.at = at;
    }

    final long varint(int end) throws Undecodable {
        if (at < end && bytes[at] >= 0) {
            return bytes[at++];
        }
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            if (at >= end) {
                throw broken("ends inside a number");
            }
            byte b = bytes[at++];
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw broken("has a number of more than ten bytes");
    }

    /** A field's number and wire type, as it stands. */
    final int tag(int end) throws Undecodable {
        long tag = varint(end);
        if (tag >>> 3 == 0 || tag >>> 32 != 0) {
            throw broken("has an impossible field number");
        }
        return (int) tag;
    }

    /** Reads a length and gives the place where what it measures ends. */
    final int lengthEnd(int end) throws Undecodable {
        long length = varint(end);
        if (length < 0 || length > end - at) {
            throw broken("ends inside a field");
        }
        return at + (int) length;
    }

    final double float64(int end) throws Undecodable {
        if (end - at < 8) {
            throw broken("ends inside a number");
        }
        long bits = 0;
        for (int shift = 0; shift < 64; shift += 8) {
            bits |= (bytes[at++] & 0xffL) << shift;
        }
        return Double.longBitsToDouble(bits);
    }

    /** Leaves out a field's value. */
    final void skip(int tag, int end) throws Undecodable {
        skip(tag, end, 0);
    }

    private void skip(int tag, int end, int depth) throws Undecodable {
        switch (tag & 7) {
            case VARINT -> varint(end);
            case FIXED64 -> skipFixed(8, end);
            case BYTES -> at = lengthEnd(end);
            case FIXED32 -> skipFixed(4, end);
            case GROUP -> {
                if (depth == DEEPEST_GROUP) {
                    throw broken("is nested too deeply");
                }
                for (int inner = tag(end); (inner & 7) != GROUP_END; inner = tag(end)) {
                    skip(inner, end, depth + 1);
                }
            }
            default -> throw broken("has an impossible wire type");
        }
    }

    private void skipFixed(int length, int end) throws Undecodable {
        if (end - at < length) {
            throw broken("ends inside a number");
        }
        at += length;
    }

    final void expect(int tag, int wire) throws Undecodable {
        if ((tag & 7) != wire) {
            throw broken("has a wrong wire type in field " + (tag >>> 3));
        }
    }

    final Undecodable broken(String how) {
        return new Undecodable("value " + how + ", at byte " + at);
    }
}
