package io.watershed.ingest.publish;

/**
 * Going on would change the log in a way that a person must have asked for. The topic stays as it is, gateways serve on. The message
 * names both histories, or the count, and the remedy.
 */
public final class Halted extends Exception {
    private static final long serialVersionUID = 1L;

    public Halted(String message) {
        super(message);
    }
}
