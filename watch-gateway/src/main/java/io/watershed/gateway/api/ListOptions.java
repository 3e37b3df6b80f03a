package io.watershed.gateway.api;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options of a LIST or WATCH, read and checked as kube-apiserver does.
 *
 * @param resourceVersion null when absent; a number beyond what etcd can have is its largest
 * @param match how the revision is meant, null when absent
 * @param timeoutSeconds null when absent or 0
 * @param limit 0 for none
 * @param continueFrom null when absent
 * @param sendInitialEvents null when absent
 * @param asOf our own: the moment that is asked about, in milliseconds since 1970; null when absent
 */
public record ListOptions(
        boolean watch,
        String labelSelector,
        String fieldSelector,
        boolean allowWatchBookmarks,
        @Nullable Long resourceVersion,
        @Nullable String match,
        @Nullable Long timeoutSeconds,
        long limit,
        @Nullable ContinueToken continueFrom,
        @Nullable Boolean sendInitialEvents,
        @Nullable Long asOf) {
    public static final String EXACT = "Exact";
    public static final String NOT_OLDER_THAN = "NotOlderThan";

    private static final String AS_OF = "asOf";
    private static final String FORBIDDEN = "FieldValueForbidden";
    private static final String NOT_SUPPORTED = "FieldValueNotSupported";

    /**
     * Reads the options of a request on a collection.
     *
     * @param forcedWatch for the deprecated {@code /watch/} paths, whose options are checked as a list's
     * @throws ApiFailure 400 for what can't be read, 422 for what does not go together
     */
    public static ListOptions parse(Query query, boolean forcedWatch) throws ApiFailure {
        return parse(query, query.asksForWatch(), forcedWatch);
    }

    /** Reads the options of a request that can only be a watch, whether it says so or not. */
    public static ListOptions parseWatch(Query query) throws ApiFailure {
        return parse(query, true, false);
    }

    private static ListOptions parse(Query query, boolean asked, boolean forcedWatch) throws ApiFailure {
        Long asOf = asOf(query);
        boolean watch = asked || forcedWatch;
        long limit = query.number("limit");
        long timeout = query.number("timeoutSeconds");
        String match = query.has("resourceVersionMatch")
                        && !query.text("resourceVersionMatch").isEmpty()
                ? query.text("resourceVersionMatch")
                : null;
        String continues = query.text("continue");
        Boolean initial = query.truth("sendInitialEvents");
        String version = query.text("resourceVersion");
        List<Status.Cause> causes = asked && !forcedWatch
                ? watchCauses(match, initial, continues)
                : listCauses(version, match, initial, continues);
        if (!causes.isEmpty()) {
            throw new ApiFailure(Status.invalidListOptions(causes));
        }
        Long resourceVersion = resourceVersion(version);
        if (!watch && !continues.isEmpty() && resourceVersion != null && resourceVersion > 0) {
            throw new ApiFailure(Status.badRequest("specifying resource version is not allowed when using continue"));
        }
        return new ListOptions(
                watch,
                query.text("labelSelector"),
                query.text("fieldSelector"),
                Boolean.TRUE.equals(query.truth("allowWatchBookmarks")),
                resourceVersion,
                match,
                timeout == 0 ? null : timeout,
                Math.max(0, limit),
                watch || continues.isEmpty() ? null : ContinueToken.parse(continues),
                initial,
                asOf);
    }

    private static @Nullable Long asOf(Query query) throws ApiFailure {
        if (!query.has(AS_OF)) {
            return null;
        }
        for (String other : List.of("resourceVersion", "resourceVersionMatch", "sendInitialEvents", "continue")) {
            boolean given = other.equals("sendInitialEvents")
                    ? query.has(other)
                    : !query.text(other).isEmpty();
            if (given) {
                throw new ApiFailure(
                        Status.badRequest(AS_OF + " and " + other + " both say which state: leave one out"));
            }
        }
        String text = query.text(AS_OF);
        try {
            return OffsetDateTime.parse(text).toInstant().toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw new ApiFailure(Status.badRequest("invalid " + AS_OF + ": " + Query.quoted(text)
                    + " is no RFC 3339 time, as 2026-01-31T12:00:00Z is (a + must be escaped as %2B)"));
        }
    }

    /** Absent or empty: null. */
    public static @Nullable Long resourceVersion(String text) throws ApiFailure {
        if (text.isEmpty()) {
            return null;
        }
        if (text.matches("[0-9]{1,20}")) {
            BigInteger number = new BigInteger(text);
            if (number.bitLength() <= 64) {
                return number.bitLength() < 64 ? number.longValue() : Long.MAX_VALUE;
            }
        }
        String why = text.matches("[0-9]+") ? "value out of range" : "invalid syntax";
        throw new ApiFailure(Status.badRequest("invalid resource version: resourceVersion: Invalid value: "
                + Query.quoted(text) + ": strconv.ParseUint: parsing " + Query.quoted(text) + ": " + why));
    }

    private static List<Status.Cause> listCauses(
            String version, @Nullable String match, @Nullable Boolean initial, String continues) {
        List<Status.Cause> causes = new ArrayList<>();
        if (match != null) {
            if (version.isEmpty()) {
                causes.add(forbidden("resourceVersionMatch is forbidden unless resourceVersion is provided"));
            }
            if (!continues.isEmpty()) {
                causes.add(forbidden("resourceVersionMatch is forbidden when continue is provided"));
            }
            if (!match.equals(EXACT) && !match.equals(NOT_OLDER_THAN)) {
                causes.add(new Status.Cause(
                        NOT_SUPPORTED,
                        "Unsupported value: " + Query.quoted(match)
                                + ": supported values: \"Exact\", \"NotOlderThan\", \"\"",
                        "resourceVersionMatch"));
            }
            if (match.equals(EXACT) && version.equals("0")) {
                causes.add(forbidden("resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
            }
        }
        if (initial != null) {
            causes.add(new Status.Cause(
                    FORBIDDEN, "Forbidden: sendInitialEvents is forbidden for list", "sendInitialEvents"));
        }
        return causes;
    }

    private static List<Status.Cause> watchCauses(@Nullable String match, @Nullable Boolean initial, String continues) {
        List<Status.Cause> causes = new ArrayList<>();
        if (initial != null && !NOT_OLDER_THAN.equals(match)) {
            causes.add(forbidden("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
        }
        if (match != null) {
            if (initial == null) {
                causes.add(
                        forbidden("resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
            }
            if (!match.equals(NOT_OLDER_THAN)) {
                causes.add(new Status.Cause(
                        NOT_SUPPORTED,
                        "Unsupported value: " + Query.quoted(match) + ": supported values: \"NotOlderThan\"",
                        "resourceVersionMatch"));
            }
            if (!continues.isEmpty()) {
                causes.add(forbidden("resourceVersionMatch is forbidden when continue is provided"));
            }
        }
        return causes;
    }

    private static Status.Cause forbidden(String why) {
        return new Status.Cause(FORBIDDEN, "Forbidden: " + why, "resourceVersionMatch");
    }

    /** Whether a watch begins with all that exists: asked for, or by default where no revision is named (a rule of Kubernetes). */
    public boolean wantsInitialState() {
        boolean unnamed = resourceVersion == null || resourceVersion == 0;
        return sendInitialEvents == null ? unnamed && match == null : sendInitialEvents;
    }
}
