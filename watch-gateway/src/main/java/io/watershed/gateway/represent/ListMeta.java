package io.watershed.gateway.represent;

import org.jspecify.annotations.Nullable;

/**
 * What a list says of itself.
 *
 * @param resourceVersion the revision that it is of
 * @param continueToken where the next page begins; null for the last
 * @param remaining how many objects are on the pages behind; 0 if not known, or none
 */
public record ListMeta(long resourceVersion, @Nullable String continueToken, long remaining) {
    /** As JSON. {@code always}: whether an empty token is shown, as in lists of custom resources. */
    String json(boolean always) {
        StringBuilder out = new StringBuilder("{\"resourceVersion\":\"")
                .append(resourceVersion)
                .append('"');
        if (continueToken != null || always) {
            // Tokens are base64url: nothing to escape.
            out.append(",\"continue\":\"")
                    .append(continueToken == null ? "" : continueToken)
                    .append('"');
        }
        if (remaining > 0) {
            out.append(",\"remainingItemCount\":").append(remaining);
        }
        return out.append('}').toString();
    }
}
