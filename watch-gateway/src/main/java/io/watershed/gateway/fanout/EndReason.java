package io.watershed.gateway.fanout;

import java.util.Locale;

/** Why a watch ended; the label {@code reason} of {@code watershed_gateway_watches_ended_total}. */
enum EndReason {
    /** Its time was over. */
    DEADLINE,
    /** The gateway is stopping. */
    DRAIN,
    /** It asked for a revision below what memory holds. */
    TOO_OLD,
    /** Its place left memory while its client did not read. */
    EVICTED,
    /** The source was listed again; what happened meanwhile is unknown. */
    RELIST,
    /** The cache was built anew from the log, and does not hold this watch's place. */
    REPLACED,
    /** An object in its scope could not be decoded. */
    UNDECODABLE,
    /** The client went away. */
    CLIENT,
    /** Its sink failed. */
    SINK;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
