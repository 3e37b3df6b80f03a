package io.watershed.gateway.fanout;

/** How a transport sets the events of a watch apart. Each event is the same JSON, in ASCII and with a line feed behind it. */
public enum Framing {
    /** A line each. */
    LINES,
    /** A WebSocket text message each (RFC 6455), unmasked as from a server. */
    WEB_SOCKET,
    /**
     * Server-sent events. What follows the last event of a revision, and a bookmark, has an {@code id} of generation and revision, so
     * that a client always resumes between revisions.
     */
    SERVER_SENT_EVENTS
}
