package io.watershed.gateway.http;

/**
 * Whether the gateway is about to stop: it is not ready then, and opens no watch.
 *
 * <p><em>Threads:</em> any.
 */
public final class Drain {
    private volatile boolean draining;

    public boolean isDraining() {
        return draining;
    }

    public void begin() {
        draining = true;
    }
}
