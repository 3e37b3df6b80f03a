package io.watershed.ingest.transcode;

/** A stored value can't be read. The message says where and why, and holds nothing of the value. */
public final class Undecodable extends Exception {
    private static final long serialVersionUID = 1;

    public Undecodable(String message) {
        super(message, null, false, false); // damaged values may be many: no stack traces
    }
}
