package io.watershed.ingest.transcode;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/** One field of a message, as fields.tsv has it. */
final class Field {
    /** What a field's elements are. From TIME on: messages with a JSON form of their own. */
    enum Kind {
        STRING,
        BYTES,
        BOOL,
        INT32,
        INT64,
        FLOAT64,
        STRINGS,
        MESSAGE,
        TIME,
        MICRO_TIME,
        QUANTITY,
        INT_OR_STRING,
        RAW_JSON,
        SCHEMA_OR_BOOL,
        SCHEMA_OR_ARRAY,
        SCHEMA_OR_STRINGS;

        int wire() {
            return switch (this) {
                case BOOL, INT32, INT64 -> WireReader.VARINT;
                case FLOAT64 -> WireReader.FIXED64;
                default -> WireReader.BYTES;
            };
        }

        /** What JSON shows for a value that is not on the wire. */
        String zero() {
            return switch (this) {
                case STRING -> "\"\"";
                case BOOL, SCHEMA_OR_BOOL -> "false";
                case INT32, INT64, FLOAT64, INT_OR_STRING -> "0";
                case STRINGS -> "[]";
                case QUANTITY -> "\"0\"";
                case MESSAGE -> throw new IllegalStateException("a message's zero depends on its fields");
                default -> "null";
            };
        }
    }

    enum Shape {
        VALUE,
        POINTER,
        LIST,
        MAP
    }

    enum Shown {
        ALWAYS,
        OMITEMPTY,
        OMITZERO
    }

    final int number;
    final String name;
    final Kind kind;
    final Shape shape;
    final Shown shown;
    /** Whether its members belong to the message that holds it. */
    final boolean inline;
    /** Of kind MESSAGE and of those with a JSON form of their own. */
    final @Nullable MessageType message;
    /** The name as JSON has it, with its colon. */
    final byte[] member;
    /** The wire type of its elements. */
    final int wire;
    /** What JSON shows for an absent value, but a message's. */
    final byte[] zero;
    /** Its bit among the fields of its message. */
    final long bit;

    Field(int index, int number, String name, Kind kind, Shape shape, Shown shown, @Nullable MessageType message) {
        this.number = number;
        this.name = name;
        this.kind = kind;
        this.shape = shape;
        this.shown = shown;
        this.inline = name.equals("(inline)");
        this.message = message;
        this.member = ("\"" + name + "\":").getBytes(UTF_8);
        this.wire = kind.wire();
        this.zero = kind == Kind.MESSAGE ? new byte[0] : kind.zero().getBytes(UTF_8);
        this.bit = 1L << index;
    }

    MessageType message() {
        if (message == null) {
            throw new IllegalStateException(name + " is no message");
        }
        return message;
    }

    boolean isMessage() {
        return message != null;
    }

    boolean repeated() {
        return shape == Shape.LIST || shape == Shape.MAP;
    }

    /** Whether JSON leaves it out when it is zero, though it is on the wire. */
    boolean hidesZero() {
        return shape == Shape.VALUE && shown != Shown.ALWAYS;
    }

    @Override
    public String toString() {
        return number + " (" + name + ")";
    }
}
