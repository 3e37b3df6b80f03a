package io.watershed.log.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The fixed beginning of every value: kind, apiVersion and metadata.resourceVersion, in this order and without blanks (see
 * {@link #prefix}). Knowing it, a gateway cuts and replaces bytes instead of writing objects anew: it leaves out kind
 * and apiVersion in typed lists, and gives a deleted object the revision of its deletion.
 *
 * <p>Offsets are found by scanning the first bytes; neither kind, apiVersion nor revision holds an escape.
 */
public final class ObjectJson {
    private static final byte[] KIND = "{\"kind\":\"".getBytes(UTF_8);
    private static final byte[] API_VERSION = "\",\"apiVersion\":\"".getBytes(UTF_8);
    private static final byte[] METADATA = "\",\"metadata\":{\"resourceVersion\":\"".getBytes(UTF_8);

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
        int kindEnd = quote(json, expect(json, 0, KIND));
        int apiVersionEnd = quote(json, expect(json, kindEnd, API_VERSION));
        int revisionEnd = quote(json, expect(json, apiVersionEnd, METADATA));
        return new ObjectJson(json, kindEnd, apiVersionEnd, revisionEnd);
    }

    /** The beginning of a value up to the quote that closes the revision; {@code ,} or {@code }} follows. */
    public static String prefix(String kind, String apiVersion, long revision) {
        return "{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\",\"metadata\":{\"resourceVersion\":\""
                + revision + "\"";
    }

    public String kind() {
        return new String(json, KIND.length, kindEnd - KIND.length, UTF_8);
    }

    public String apiVersion() {
        int start = kindEnd + API_VERSION.length;
        return new String(json, start, apiVersionEnd - start, UTF_8);
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

    private static int expect(byte[] json, int at, byte[] text) {
        if (json.length < at + text.length
                || java.util.Arrays.compare(json, at, at + text.length, text, 0, text.length) != 0) {
            throw new IllegalArgumentException(
                    "value does not begin with kind, apiVersion and metadata.resourceVersion (wrong at byte " + at
                            + ")");
        }
        return at + text.length;
    }

    private static int quote(byte[] json, int from) {
        for (int i = from; i < json.length; i++) {
            if (json[i] == '"') {
                return i;
            }
        }
        throw new IllegalArgumentException("value ends inside its prefix");
    }
}
