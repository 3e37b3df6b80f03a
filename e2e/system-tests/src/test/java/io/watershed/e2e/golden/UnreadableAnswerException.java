package io.watershed.e2e.golden;

import java.io.Serial;

/** An answer that doesn't even have the shape of the recorded one. */
final class UnreadableAnswerException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    UnreadableAnswerException(String message) {
        super(message);
    }
}
