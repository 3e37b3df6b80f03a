package io.watershed.log.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * The fixed beginning of every value: kind, apiVersion and metadata.resourceVersion, in this order and without blanks (see
 * {@link #prefix}). Knowing it, a gateway cuts and replaces bytes instead of writing objects anew: it leaves out kind and apiVersion in
 * typed lists, and gives a deleted object the revision of its deletion.
 *
 * <p><em>Threads:</em> immutable, any thread. Offsets are found by scanning the first bytes. Every value that {@link RecordCodec#decode}
 * hands out has this beginning.
 */
public final class ObjectJson {
    /** So many levels of objects and lists a value in etcd may have; what is deeper is not taken for JSON. */
    public static final int DEEPEST_STORED = 1000;

    /** So many levels a record's value may have, with what is put around the one in etcd: whoever shows values must bear as many. */
    public static final int DEEPEST = DEEPEST_STORED + 10;

    private static final byte[] KIND = "{\"kind\":\"".getBytes(US_ASCII);
    private static final byte[] API_VERSION = "\",\"apiVersion\":\"".getBytes(US_ASCII);
    private static final byte[] METADATA = "\",\"metadata\":{\"resourceVersion\":\"".getBytes(US_ASCII);
    private static final ObjectMapper STRINGS = new ObjectMapper();

    private final byte[] json;
    private final int kindEnd;
    private final int apiVersionEnd;
    private final int revisionEnd;

    private ObjectJson(byte[] json, int kindEnd, int apiVersionEnd, int revisionEnd) {
        this.json = json;
        this.kindEnd = kindEnd;
        this.apiVersionEnd = apiVersionEnd;
        this.revisionEnd = revisionEnd;
    }

    /**
     * Finds the parts of a value.
     *
     * @throws IllegalArgumentException when the value does not begin as every value must
     */
    public static ObjectJson of(byte[] json) {
        int kindEnd = closingQuote(json, expect(json, 0, KIND));
        int apiVersionEnd = closingQuote(json, expect(json, kindEnd, API_VERSION));
        int revisionEnd = closingQuote(json, expect(json, apiVersionEnd, METADATA));
        return new ObjectJson(json, kindEnd, apiVersionEnd, revisionEnd);
    }

    /** The beginning of a value up to the quote that closes the revision; {@code ,} or {@code }} follows. */
    public static String prefix(String kind, String apiVersion, long revision) {
        return "{\"kind\":\"" + escaped(kind) + "\",\"apiVersion\":\"" + escaped(apiVersion)
                + "\",\"metadata\":{\"resourceVersion\":\"" + revision + "\"";
    }

    public String kind() {
        return text(KIND.length, kindEnd);
    }

    public String apiVersion() {
        return text(kindEnd + API_VERSION.length, apiVersionEnd);
    }

    /** Offset of {@code "metadata"}: an object without kind and apiVersion is an opening brace and the rest from here. */
    public int metadataStart() {
        return apiVersionEnd + 2;
    }

    /** Offset of the first digit of the revision. */
    public int revisionStart() {
        return apiVersionEnd + METADATA.length;
    }

    /** Offset behind the last digit of the revision. */
    public int revisionEnd() {
        return revisionEnd;
    }

    /** Fails unless the value begins as it must, carries this revision, goes on behind it and ends with a brace. */
    static void require(byte[] json, long revision) {
        ObjectJson parts = of(json);
        byte[] digits = Long.toString(revision).getBytes(US_ASCII);
        if (!Arrays.equals(json, parts.revisionStart(), parts.revisionEnd, digits, 0, digits.length)) {
            throw new IllegalArgumentException("value's resourceVersion is not the record's r=" + revision);
        }
        int next = parts.revisionEnd + 1;
        boolean whole =
                next + 1 < json.length && (json[next] == ',' || json[next] == '}') && json[json.length - 1] == '}';
        if (!whole) {
            throw new IllegalArgumentException("value is cut off behind its resourceVersion");
        }
    }

    private static int expect(byte[] json, int at, byte[] text) {
        int end = at + text.length;
        if (json.length < end || !Arrays.equals(json, at, end, text, 0, text.length)) {
            throw new IllegalArgumentException(
                    "value does not begin with kind, apiVersion and metadata.resourceVersion (wrong at byte " + at
                            + ")");
        }
        return end;
    }

    private static int closingQuote(byte[] json, int from) {
        for (int at = from; at < json.length; at++) {
            if (json[at] == '"') {
                return at;
            }
            if (json[at] == '\\') {
                at++;
            }
        }
        throw new IllegalArgumentException("value ends inside its prefix");
    }

    private static String escaped(String text) {
        return String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text));
    }

    private String text(int start, int end) {
        for (int at = start; at < end; at++) {
            if (json[at] == '\\') {
                return unescaped(start - 1, end + 1);
            }
        }
        return new String(json, start, end - start, UTF_8);
    }

    private String unescaped(int start, int end) {
        try {
            return STRINGS.readValue(json, start, end - start, String.class);
        } catch (IOException e) {
            throw new UncheckedIOException("value has a broken escape in kind or apiVersion", e);
        }
    }
}
