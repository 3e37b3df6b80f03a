package io.watershed.ingest.transcode;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A message: its fields by number, and what JSON shows of those that are not on the wire. Filled once, then only read. */
final class MessageType {
    private static final int MOST_FIELDS = 64;
    private static final int CLUSTER_NAME = 15;

    /** An object is to be completed when all of these are shown, and none of those. */
    record Incomplete(long shown, long missing) {}

    final String name;
    private final List<Field> fields = new ArrayList<>();
    private Field[] byNumber = {};
    private Incomplete[] incomplete = {};
    /** Fields that JSON shows when they are absent. */
    private long shownAbsent;
    /** Structs that are incomplete when they are absent. */
    private long incompleteAbsent;

    private @Nullable Field metadata;

    private byte @Nullable [][] absent;
    private byte @Nullable [] zero;

    MessageType(String name) {
        this.name = name;
    }

    void add(int number, String json, Field.Kind kind, Field.Shape shape, Field.Shown shown, @Nullable MessageType of) {
        if (fields.size() == MOST_FIELDS) {
            throw new IllegalStateException(name + " has more than " + MOST_FIELDS + " fields");
        }
        fields.add(new Field(fields.size(), number, json, kind, shape, shown, of));
    }

    /** By the rules of the wire: unknown numbers are null. */
    @Nullable
    Field field(int number) {
        return number < byNumber.length ? byNumber[number] : null;
    }

    @Nullable
    Field field(String json) {
        return fields.stream()
                .filter(field -> field.name.equals(json))
                .findFirst()
                .orElse(null);
    }

    /** Null for messages that are no objects of their own. */
    @Nullable
    Field metadata() {
        return metadata;
    }

    List<Field> fields() {
        return fields;
    }

    void seal(List<String> expected) {
        int highest = fields.stream().mapToInt(field -> field.number).max().orElse(0);
        byNumber = new Field[highest + 1];
        for (Field field : fields) {
            byNumber[field.number] = field;
            if (field.shown == Field.Shown.ALWAYS || (field.shape == Field.Shape.VALUE && showsStruct(field))) {
                shownAbsent |= field.bit;
            }
        }
        metadata = field("metadata");
        incomplete = expected.stream().map(this::incomplete).toArray(Incomplete[]::new);
    }

    private static boolean showsStruct(Field field) {
        return field.isMessage() && field.shown == Field.Shown.OMITEMPTY;
    }

    /** By the grammar of {@link Expectations}. */
    private Incomplete incomplete(String expectation) {
        int arrow = expectation.indexOf('>');
        return new Incomplete(bit(expectation.substring(0, Math.max(0, arrow))), bit(expectation.substring(arrow + 1)));
    }

    private long bit(String json) {
        return json.isEmpty() ? 0 : Objects.requireNonNull(field(json), json).bit;
    }

    boolean isIncomplete(long shown) {
        for (Incomplete rule : incomplete) {
            if ((shown & rule.shown) == rule.shown && (shown & rule.missing) == 0) {
                return true;
            }
        }
        return false;
    }

    /** Fields that JSON shows when they are absent. */
    long shownAbsent() {
        return shownAbsent;
    }

    /** Structs without which an object is to be completed. */
    long incompleteAbsent() {
        return incompleteAbsent;
    }

    /** A field that Kubernetes has given up, but that older releases wrote into every such message: it says nothing when it is empty. */
    boolean isRetired(int number) {
        return number == CLUSTER_NAME && name.equals("meta.v1.ObjectMeta");
    }

    /** What JSON shows of an absent field: a member, or members where it is inline; maybe nothing. */
    byte[] absent(long bit) {
        return Objects.requireNonNull(absent, "not compiled")[Long.numberOfTrailingZeros(bit)];
    }

    /** The message with nothing on the wire. */
    byte[] zero() {
        return Objects.requireNonNull(zero, "not compiled");
    }

    /** Once all messages are sealed; values don't contain themselves, so this ends. */
    void compile() {
        if (zero != null) {
            return;
        }
        absent = new byte[fields.size()][];
        StringBuilder members = new StringBuilder();
        for (int index = 0; index < fields.size(); index++) {
            Field field = fields.get(index);
            String shown = (shownAbsent & field.bit) == 0 ? "" : absent(field);
            absent[index] = shown.getBytes(UTF_8);
            members.append(members.isEmpty() || shown.isEmpty() ? "" : ",").append(shown);
        }
        zero = ("{" + members + "}").getBytes(UTF_8);
    }

    private String absent(Field field) {
        if (field.shape != Field.Shape.VALUE || field.kind != Field.Kind.MESSAGE) {
            return "\"" + field.name + "\":" + (field.shape == Field.Shape.VALUE ? field.kind.zero() : "null");
        }
        MessageType struct = field.message();
        struct.compile();
        if (struct.isIncomplete(0) || struct.incompleteAbsent != 0) {
            incompleteAbsent |= field.bit;
        }
        String text = new String(struct.zero(), UTF_8);
        return field.inline ? text.substring(1, text.length() - 1) : "\"" + field.name + "\":" + text;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s (%d fields)", name, fields.size());
    }
}
