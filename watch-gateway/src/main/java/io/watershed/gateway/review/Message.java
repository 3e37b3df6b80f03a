package io.watershed.gateway.review;

import io.watershed.gateway.api.ApiFailure;
import org.jspecify.annotations.Nullable;

/** One object of a body, whichever way it was written: JSON names members, protobuf numbers them. */
sealed interface Message permits JsonMessage, ProtobufMessage {
    /**
     * A text; empty when absent.
     *
     * @throws ApiFailure 400 for what is no text
     */
    String text(String name, int number) throws ApiFailure;

    /**
     * An object inside; null when absent.
     *
     * @throws ApiFailure 400 for what is none
     */
    @Nullable
    Message message(String name, int number) throws ApiFailure;
}
