package io.watershed.gateway.api;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * An error as Kubernetes says it.
 *
 * <p><em>Threads:</em> immutable.
 */
public final class Status {
    private final int code;
    private final String reason;
    private final String message;

    private Status(int code, String reason, String message) {
        this.code = code;
        this.reason = reason;
        this.message = message;
    }

    /** The revision asked for is gone: 410. */
    public static Status expired(String message) {
        return new Status(410, "Expired", message);
    }

    /** A watch's revision is below what can be served: 410. */
    public static Status tooOld(long asked, long oldest) {
        return expired("too old resource version: " + asked + " (" + oldest + ")");
    }

    /** Something is wrong here: 500. */
    public static Status internalError(String message) {
        return new Status(500, "InternalError", message);
    }

    public int code() {
        return code;
    }

    /** As JSON, without a line feed behind it. */
    public byte[] json() {
        return ("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\""
                        + message.replace("\\", "\\\\").replace("\"", "\\\"") + "\",\"reason\":\"" + reason
                        + "\",\"code\":"
                        + code + "}")
                .getBytes(UTF_8);
    }
}
