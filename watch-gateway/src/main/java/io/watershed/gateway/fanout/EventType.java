package io.watershed.gateway.fanout;

/** What a change is for one watch. */
enum EventType {
    /** The object has come to match: created, or changed so that the selectors take it. */
    ADDED,
    /** It matched before and still does. */
    MODIFIED,
    /** It has ceased to match: deleted, or changed so that the selectors leave it. */
    DELETED
}
