package io.watershed.gateway.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A failure in the form that every Kubernetes client reads: {@code kind: Status}. Reasons, messages and the order of members are
 * kube-apiserver's, as clients match on them.
 *
 * <p><em>Threads:</em> immutable.
 */
public final class Status {
    /** The {@code cause} by which client-go knows that it asked for a revision from the future. */
    static final String TOO_LARGE = "ResourceVersionTooLarge";

    private final int code;
    private final String reason;
    private final String message;
    private final @Nullable Details details;
    private final @Nullable String continueToken;

    /**
     * One thing that is wrong.
     *
     * @param reason {@code FieldValueForbidden}, for example
     * @param field the parameter concerned, or null
     */
    public record Cause(
            String reason, String message, @Nullable String field) {}

    /** The {@code details} member. Members that are null, empty or 0 are left out. */
    private record Details(
            @Nullable String name,
            @Nullable String group,
            @Nullable String kind,
            List<Cause> causes,
            int retryAfterSeconds) {
        static final Details EMPTY = new Details(null, null, null, List.of(), 0);
    }

    private Status(int code, String reason, String message, @Nullable Details details, @Nullable String continueToken) {
        this.code = code;
        this.reason = reason;
        this.message = message;
        this.details = details;
        this.continueToken = continueToken;
    }

    private Status(int code, String reason, String message, @Nullable Details details) {
        this(code, reason, message, details, null);
    }

    /** 404: there is no such object. */
    public static Status notFound(String group, String plural, String name) {
        String resource = group.isEmpty() ? plural : plural + "." + group;
        return new Status(
                404,
                "NotFound",
                resource + " \"" + name + "\" not found",
                new Details(name, group, plural, List.of(), 0));
    }

    /** 404: an address that nothing is at. */
    public static Status notThere(String message) {
        return new Status(404, "NotFound", message, Details.EMPTY);
    }

    /** 404: there is no such resource. */
    public static Status unknownResource() {
        return new Status(404, "NotFound", "the server could not find the requested resource", Details.EMPTY);
    }

    /** 400: the request can't be understood. */
    public static Status badRequest(String message) {
        return new Status(400, "BadRequest", message, null);
    }

    /** 422: options of a LIST or WATCH that do not go together. */
    static Status invalidListOptions(List<Cause> causes) {
        return invalid("ListOptions", "meta.k8s.io", causes);
    }

    /**
     * 422: what was sent can be read, and makes no sense.
     *
     * @param kind may be empty
     */
    public static Status invalid(String kind, String group, List<Cause> causes) {
        List<String> parts = causes.stream()
                .map(cause -> cause.field() + ": " + cause.message())
                .toList();
        String joined = parts.size() == 1 ? parts.get(0) : parts.stream().collect(Collectors.joining(", ", "[", "]"));
        return new Status(
                422,
                "Invalid",
                kind + "." + group + " \"\" is invalid: " + joined,
                new Details(null, group, kind, List.copyOf(causes), 0));
    }

    /** 405. */
    public static Status methodNotAllowed() {
        return new Status(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
                Details.EMPTY);
    }

    /** 406 with {@code details}, as built-in resources answer. */
    public static Status notAcceptable(String message, boolean withDetails) {
        return new Status(406, "NotAcceptable", message, withDetails ? Details.EMPTY : null);
    }

    /** 415: a body of a type that is not read. */
    public static Status unsupportedMediaType(String accepted) {
        return new Status(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include: " + accepted,
                null);
    }

    /** 413: a body that is too long. */
    public static Status entityTooLarge(int limit) {
        return new Status(413, "RequestEntityTooLarge", "Request entity too large: limit is " + limit + " bytes", null);
    }

    /** 410: the state or the events asked for are gone. */
    public static Status expired(String message) {
        return new Status(410, "Expired", message, null);
    }

    /** 410: the events after a watch's revision are gone. */
    public static Status tooOld(long asked, long oldest) {
        return expired("too old resource version: " + asked + " (" + oldest + ")");
    }

    /** 410: the time that was asked about is before all that is held. */
    public static Status asOfTooOld() {
        return expired("asOf is too old: this gateway's memory does not reach back so far.");
    }

    /** 410: the state that a list asked for is gone. */
    public static Status listTooOld() {
        return expired("The resourceVersion for the provided list is too old.");
    }

    /**
     * 410: the state that the pages before are of is gone.
     *
     * @param replacement a token with which the rest can be read, of another state
     */
    public static Status continueExpired(String replacement) {
        return new Status(
                410,
                "Expired",
                "The provided continue parameter is too old to display a consistent list result. You can start a new list "
                        + "without the continue parameter, or use the continue token in this response to retrieve the "
                        + "remainder of the results. Continuing with the provided token results in an inconsistent list - "
                        + "objects that were created, modified, or deleted between the time the first chunk was returned "
                        + "and now may show up in the list.",
                null,
                replacement);
    }

    /** 504: a revision that is not here within the time that a request waits. */
    public static Status tooLarge(long asked, long current) {
        return new Status(
                504,
                "Timeout",
                "Timeout: Too large resource version: " + asked + ", current: " + current,
                new Details(null, null, null, List.of(new Cause(TOO_LARGE, "Too large resource version", null)), 1));
    }

    /** 429: the one answer on which client-go's watches wait and then go on. */
    public static Status tooManyRequests(String message, int retryAfterSeconds) {
        return new Status(429, "TooManyRequests", message, new Details(null, null, null, List.of(), retryAfterSeconds));
    }

    /** 429: the log is not read to its end yet. */
    public static Status initializing(String why) {
        return tooManyRequests("storage is (re)initializing" + (why.isEmpty() ? "" : ": " + why), 1);
    }

    /** 503: somebody else may answer. */
    public static Status unavailable(String message, int retryAfterSeconds) {
        return new Status(
                503, "ServiceUnavailable", message, new Details(null, null, null, List.of(), retryAfterSeconds));
    }

    /** 500: something is wrong here. */
    public static Status internalError(String message) {
        return new Status(
                500,
                "InternalError",
                "Internal error occurred: " + message,
                new Details(null, null, null, List.of(new Cause("", message, null)), 0));
    }

    /** 408, 414, 431 and other limits of HTTP itself. */
    public static Status limit(int code, String reason, String message) {
        return new Status(code, reason, message, Details.EMPTY);
    }

    public int code() {
        return code;
    }

    public String message() {
        return message;
    }

    /** The {@code Retry-After} header's value in seconds; 0 for none. */
    public int retryAfterSeconds() {
        return details == null ? 0 : details.retryAfterSeconds();
    }

    /** Compact JSON in ASCII, without a line feed behind it. */
    public byte[] json() {
        return text().getBytes(UTF_8);
    }

    /** Compact JSON with a line feed: the body of an answer. */
    public byte[] body() {
        return (text() + "\n").getBytes(UTF_8);
    }

    /** Indented, without a line feed behind it: how a client is answered that accepts nothing that is served. */
    public byte[] indented() {
        return JsonIndenter.indented(json());
    }

    private String text() {
        StringBuilder out = new StringBuilder(256).append("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{");
        if (continueToken != null) {
            JsonText.quote(out.append("\"continue\":"), continueToken);
        }
        out.append("},\"status\":\"Failure\",");
        JsonText.member(out, "message", message);
        JsonText.member(out, "reason", reason);
        if (details != null) {
            out.append("\"details\":");
            write(out, details);
            out.append(',');
        }
        return out.append("\"code\":").append(code).append('}').toString();
    }

    private static void write(StringBuilder out, Details details) {
        out.append('{');
        optional(out, "name", details.name());
        optional(out, "group", details.group());
        optional(out, "kind", details.kind());
        if (!details.causes().isEmpty()) {
            out.append("\"causes\":[");
            for (Cause cause : details.causes()) {
                out.append('{');
                optional(out, "reason", cause.reason());
                optional(out, "message", cause.message());
                optional(out, "field", cause.field());
                JsonText.close(out, '}').append(',');
            }
            JsonText.close(out, ']').append(',');
        }
        if (details.retryAfterSeconds() > 0) {
            out.append("\"retryAfterSeconds\":").append(details.retryAfterSeconds());
        }
        JsonText.close(out, '}');
    }

    private static void optional(StringBuilder out, String name, @Nullable String text) {
        if (text != null && !text.isEmpty()) {
            JsonText.member(out, name, text);
        }
    }

    @Override
    public String toString() {
        return text();
    }
}
