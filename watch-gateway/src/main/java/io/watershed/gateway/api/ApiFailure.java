package io.watershed.gateway.api;

/** A request that is answered with a {@link Status}. */
public final class ApiFailure extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Status status;

    public ApiFailure(Status status) {
        super(status.message(), null, false, false);
        this.status = status;
    }

    public Status status() {
        return status;
    }
}
