package io.watershed.gateway.represent;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a Table shows of an object in one place. */
@FunctionalInterface
interface Cell {
    /** A {@link String}, {@link Long}, {@link Double} or {@link Boolean}, or null. {@code now}: for ages. */
    @Nullable
    Object of(JsonNode object, Instant now);
}
