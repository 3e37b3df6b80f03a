package io.watershed.ingest.transcode;

/** An object's JSON, and what there is to say of it. The array is the object's own. */
public final class DecodedObject {
    private final byte[] json;
    private final boolean partial;
    private final boolean incomplete;
    private final boolean contradicting;

    DecodedObject(byte[] json, boolean partial, boolean incomplete, boolean contradicting) {
        this.json = json;
        this.partial = partial;
        this.incomplete = incomplete;
        this.contradicting = contradicting;
    }

    public byte[] json() {
        return json;
    }

    /** It had fields that the table lacks; they are left out. */
    public boolean isPartial() {
        return partial;
    }

    /** It lacks something that today's releases write, so that defaults may have to be applied. */
    public boolean isIncomplete() {
        return incomplete;
    }

    /** Its name or namespace are others than the key's. */
    public boolean contradictsKey() {
        return contradicting;
    }
}
