package io.watershed.gateway.represent;

/** Takes bytes in pieces. */
@FunctionalInterface
public interface Sink {
    void write(byte[] bytes, int start, int length);

    default void write(byte[] bytes) {
        write(bytes, 0, bytes.length);
    }
}
