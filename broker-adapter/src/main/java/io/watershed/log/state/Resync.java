package io.watershed.log.state;

/**
 * The records read do not continue those before: the reader starts again from the beginning of the topic, into a second store beside
 * the old one, which goes on serving meanwhile.
 *
 * <p>{@link Reason#MISFIT} and {@link Reason#LIST} mean that an event was lost on its way, and deserve an alarm; the others happen when
 * a topic is cut, made anew, or written to by something else.
 */
public final class Resync extends Exception {
    private static final long serialVersionUID = 1L;

    /** What did not fit. */
    public enum Reason {
        /** Another generation, which no lineage record announced. */
        GENERATION,
        /** A sequence that was read before. */
        SEQUENCE_BACK,
        /** Sequences are missing, and compaction can't be why. */
        SEQUENCE_GAP,
        /** A revision below the watermark. */
        REVISION_BACK,
        /** A change whose predecessor is not the key's known state. */
        MISFIT,
        /** The state at the end of a relist is not what the relist listed. */
        LIST
    }

    private final Reason reason;

    public Resync(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
