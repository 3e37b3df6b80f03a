package io.watershed.gateway.cache;

/** Something that was asked for and can be given up. Any thread, any number of times. */
public interface Cancellable {
    void cancel();
}
