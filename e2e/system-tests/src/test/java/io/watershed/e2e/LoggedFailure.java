package io.watershed.e2e;

import java.io.IOException;
import org.slf4j.LoggerFactory;

/** A process that logs one failure with its cause, by the configuration that it is started with. */
final class LoggedFailure {
    private LoggedFailure() {}

    public static void main(String[] arguments) {
        LoggerFactory.getLogger("io.watershed.Some")
                .error("said", new IllegalStateException("outer", new IOException("inner")));
    }
}
