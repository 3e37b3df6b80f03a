package io.watershed.gateway.fanout;

import java.time.Duration;

/**
 * What the operator decides about watches.
 *
 * @param bookmarkInterval the longest that a watch which allows bookmarks goes without one
 * @param undecodable what becomes of objects whose value could not be decoded
 */
public record FanoutSettings(Duration bookmarkInterval, Undecodable undecodable) {
    /** What becomes of an object whose value could not be decoded. */
    public enum Undecodable {
        /** The watch ends with an ERROR event that names it: nothing is missing without a word. */
        FAIL,
        /** It is left out, as if it did not exist, and counted. */
        SKIP
    }

    public FanoutSettings {
        if (bookmarkInterval.isNegative() || bookmarkInterval.isZero()) {
            throw new IllegalArgumentException("bookmark interval must be positive: " + bookmarkInterval);
        }
    }
}
