package io.watershed.gateway.access;

/**
 * Decides who may do what.
 *
 * <p><em>Threads:</em> asked by every event loop, which it must not block.
 */
public interface AccessPolicy {
    Decision decide(Caller caller, Action action);

    /** What a caller may do in a namespace, and outside of all. */
    Rules rules(Caller caller, String namespace);
}
