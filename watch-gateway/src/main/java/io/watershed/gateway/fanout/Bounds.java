package io.watershed.gateway.fanout;

/**
 * How much is done at once. A batch and a run end at the first end of a revision beyond their soft limits, and beyond the hard ones
 * even inside a revision.
 *
 * @param writeBytes soft limit of one write to one watch
 * @param writeHardBytes hard limit of one write to one watch
 * @param batchBytes soft limit of a batch over all classes of a loop
 * @param batchHardBytes hard limit of a batch over all classes of a loop
 * @param batchEvents soft limit of the events in a batch
 * @param runEvents soft limit of the events that are looked at for one watch that is behind
 * @param initialBytes of the initial state in one write
 * @param initialObjects of the initial state that are looked at for one write
 * @param taskCost what the turns of watches that are not at the tail may cost in one task, between which the loop serves its sockets; in
 *     events looked at, as which a turn counts {@link #TURN_COST} and its bytes one for {@link #BYTES_PER_COST}
 * @param keptRuns classes that keep what a watch which is behind was sent, for the next one at the same place
 */
record Bounds(
        int writeBytes,
        int writeHardBytes,
        int batchBytes,
        int batchHardBytes,
        int batchEvents,
        int runEvents,
        int initialBytes,
        int initialObjects,
        int taskCost,
        int keptRuns) {
    /** A write to a socket takes about as long as looking at so many events. */
    static final int TURN_COST = 200;

    /** Copying so many bytes takes about as long as looking at an event. */
    static final int BYTES_PER_COST = 256;

    // A write of 256 KiB costs a socket little more a byte than larger ones. The others keep a task within a few
    // milliseconds and a
    // loop's buffers within tens of megabytes: a batch, and a hard write for each run that is kept.
    static final Bounds USUAL = new Bounds(
            256 * 1024, 1024 * 1024, 4 * 1024 * 1024, 16 * 1024 * 1024, 4096, 8192, 64 * 1024, 4096, 100_000, 8);
}
