package io.watershed.ingest.publish;

/**
 * Whether this ingester may lead (steps 3 and 8 of a takeover). Safety does not rest on it: the producer's epoch fences. It keeps two
 * from fencing each other in turn.
 */
public interface Leadership {
    boolean holds();

    /** For a source that has one ingester. */
    static Leadership alone() {
        return () -> true;
    }
}
