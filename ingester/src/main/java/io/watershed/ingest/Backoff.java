package io.watershed.ingest;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long to wait after a failure: 100 ms, doubling up to 5 s. Says why at the first failure, when the reason changes, and else every
 * 30 s, so that a peer that stays away does not fill a disk.
 */
final class Backoff {
    private static final Logger LOGGER = LoggerFactory.getLogger(Backoff.class);
    private static final long FIRST_MILLIS = 100;
    private static final long MOST_MILLIS = 5000;
    private static final long SAY_AGAIN_MILLIS = 30_000;

    private long millis = FIRST_MILLIS / 2;
    private String said = "";
    private long saidMillis;

    void failed(String why, long nowMillis, Exception cause) {
        millis = Math.min(MOST_MILLIS, millis * 2);
        if (!why.equals(said) || nowMillis - saidMillis >= SAY_AGAIN_MILLIS) {
            said = why;
            saidMillis = nowMillis;
            LOGGER.atWarn().addKeyValue("retryMillis", millis).log(why);
            LOGGER.atDebug().setCause(cause).log("the failure in full");
        }
    }

    void reset() {
        millis = FIRST_MILLIS / 2;
        said = "";
    }

    long millis() {
        return millis;
    }
}
