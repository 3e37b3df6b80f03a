package io.watershed.ingest.etcd;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.URI;
import java.util.regex.Pattern;

/** What a gRPC status of etcd means, and what to do about it. The texts of causes are etcd's own; they differ by version. */
final class StatusMeaning {
    private static final String GRANT = "Grant the user read rights on the prefixes of etcd.prefixes";

    private static final Pattern GRPC_DEADLINE =
            Pattern.compile("^(ClientCall|CallOptions|Context|deadline)\\b.*deadline|^deadline exceeded");

    private StatusMeaning() {}

    static EtcdFailure of(String what, URI endpoint, StatusRuntimeException e) {
        Status status = e.getStatus();
        String text = what + " at etcd " + endpoint + " failed: " + said(status);
        if (status.getCode() == Status.Code.OUT_OF_RANGE && text.contains("compacted")) {
            return new EtcdFailure.Compacted(0, text);
        }
        return switch (status.getCode()) {
            case PERMISSION_DENIED -> new EtcdFailure.Refused(text + ". " + GRANT, e);
            case UNAUTHENTICATED, INVALID_ARGUMENT, FAILED_PRECONDITION ->
                new EtcdFailure.Refused(text + ". Check etcd.user and etcd.password", e);
            case UNIMPLEMENTED -> new EtcdFailure.Refused(text + ". Is that an etcd of version 3.4 or later?", e);
            case RESOURCE_EXHAUSTED ->
                new EtcdFailure.Unavailable(text + ". It is overloaded, or a single answer is larger than 256 MiB", e);
            case DEADLINE_EXCEEDED ->
                new EtcdFailure.Unavailable(
                        text + ". It has no leader, is overloaded, or the network drops packets", e);
            default -> new EtcdFailure.Unavailable(text + cause(e) + ". Is etcd running there? See etcd.endpoints", e);
        };
    }

    /** Without what gRPC tells of its own inside: how long names took, which buffers were open, the handlers of a connection. */
    private static String said(Status status) {
        String description = status.getDescription();
        if (description == null) {
            return status.getCode().toString();
        }
        if (status.getCode() == Status.Code.DEADLINE_EXCEEDED
                && GRPC_DEADLINE.matcher(description).find()) {
            return "no answer in time";
        }
        return status.getCode() + ", " + description.lines().findFirst().orElse("");
    }

    /** gRPC says only that it could not connect; why, its cause says. */
    private static String cause(StatusRuntimeException e) {
        Throwable cause = e.getCause();
        return cause == null || cause.getMessage() == null ? "" : " (" + cause.getMessage() + ")";
    }

    /** A watch that etcd has ended, by its own words. */
    static EtcdFailure ofCancellation(URI endpoint, KeyRange range, String reason) {
        String text = "etcd " + endpoint + " ended the watch of " + range + ": "
                + (reason.isEmpty() ? "it gave no reason" : reason);
        if (reason.contains("permission denied")) {
            return new EtcdFailure.Refused(text + ". " + GRANT);
        }
        return new EtcdFailure.Unavailable(text);
    }

    /** Whether a new token may help. */
    static boolean isAboutToken(Status status) {
        return status.getCode() == Status.Code.UNAUTHENTICATED || status.getCode() == Status.Code.INVALID_ARGUMENT;
    }
}
