package io.watershed.gateway.http;

import io.watershed.log.Generation;
import org.jspecify.annotations.Nullable;

/** The id of a server-sent event: {@code <generation>:<revision>}, the place behind a whole revision of one history. */
record EventId(Generation generation, long revision) {
    /** Null for a text that is none. */
    static @Nullable EventId parse(String text) {
        int colon = text.lastIndexOf(':');
        String revision = text.substring(colon + 1);
        if (colon < 0 || !revision.matches("[1-9][0-9]{0,17}")) {
            return null;
        }
        try {
            return new EventId(Generation.parse(text.substring(0, colon)), Long.parseLong(revision));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
