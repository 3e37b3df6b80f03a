package io.watershed.log.state;

/**
 * The records read do not continue those before: the reader starts again from the beginning of the topic, into a second store beside
 * the old one (log.md §5.6, Resync).
 */
public final class Resync extends Exception {
    private static final long serialVersionUID = 1L;

    public Resync(String message) {
        super(message);
    }
}
