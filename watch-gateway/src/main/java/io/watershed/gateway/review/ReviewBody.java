package io.watershed.gateway.review;

import io.watershed.gateway.access.Action;
import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.SelfReview;
import io.watershed.gateway.api.Status;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a review asks. Numbers of fields are those of Kubernetes' .proto files. */
final class ReviewBody {
    private static final String JSON = "application/json";
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String ONE_OF = "exactly one of nonResourceAttributes or resourceAttributes must be specified";

    private final @Nullable Message spec;

    private ReviewBody(@Nullable Message spec) {
        this.spec = spec;
    }

    /**
     * Whether a body of this type is read.
     *
     * @param contentType null or empty for JSON, as Kubernetes takes it
     * @throws ApiFailure 415 if not
     */
    static void check(@Nullable String contentType) throws ApiFailure {
        String type = withoutParameters(contentType);
        if (!type.equals(JSON) && !type.equals(PROTOBUF)) {
            throw new ApiFailure(Status.unsupportedMediaType(JSON + ", " + PROTOBUF));
        }
    }

    private static String withoutParameters(@Nullable String contentType) {
        if (contentType == null || contentType.isBlank()) {
            return JSON;
        }
        return contentType.split(";", 2)[0].trim().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads a body.
     *
     * @throws ApiFailure 400 for what is not this review
     */
    static ReviewBody parse(SelfReview review, @Nullable String contentType, byte[] body) throws ApiFailure {
        if (withoutParameters(contentType).equals(PROTOBUF)) {
            Message envelope = ProtobufMessage.envelope(body);
            checkType(review, envelope.message("typeMeta", 1), 1, 2);
            Message object = envelope.message("raw", 2);
            return new ReviewBody(object == null ? null : object.message("spec", 2));
        }
        Message object = JsonMessage.parse(body);
        checkType(review, object, 0, 0);
        return new ReviewBody(object.message("spec", 2));
    }

    /** Clients may leave out what the path says already. */
    private static void checkType(SelfReview review, @Nullable Message type, int apiVersion, int kind)
            throws ApiFailure {
        String given = type == null ? "" : type.text("kind", kind);
        String version = type == null ? "" : type.text("apiVersion", apiVersion);
        String expected = review.type().kind();
        if ((!given.isEmpty() && !given.equals(expected))
                || (!version.isEmpty() && !version.equals(review.type().apiVersion()))) {
            throw new ApiFailure(Status.badRequest("the object provided is unrecognized (must be of type " + expected
                    + " in " + review.type().apiVersion() + "): it is " + given + " in " + version));
        }
    }

    /**
     * What an access review asks for. Selectors in it are not looked at: what the whole of a resource may be read by, a part may.
     *
     * @throws ApiFailure 422 for nothing or too much
     */
    Action action() throws ApiFailure {
        Message resource = spec == null ? null : spec.message("resourceAttributes", 1);
        Message path = spec == null ? null : spec.message("nonResourceAttributes", 2);
        if (resource != null && path == null) {
            return new Action.OnResource(
                    resource.text("namespace", 1),
                    resource.text("verb", 2),
                    resource.text("group", 3),
                    resource.text("version", 4),
                    resource.text("resource", 5),
                    resource.text("subresource", 6),
                    resource.text("name", 7));
        }
        if (path != null && resource == null) {
            return new Action.OnPath(path.text("path", 1), path.text("verb", 2));
        }
        String message = "Invalid value: null: " + ONE_OF;
        throw new ApiFailure(Status.invalid(
                "", SelfReview.ACCESS.type().group(), List.of(new Status.Cause("FieldValueInvalid", message, "spec"))));
    }

    /**
     * The namespace that a rules review is about.
     *
     * @throws ApiFailure 400 for none
     */
    String namespace() throws ApiFailure {
        String namespace = spec == null ? "" : spec.text("namespace", 1);
        if (namespace.isEmpty()) {
            throw new ApiFailure(Status.badRequest("no namespace on request"));
        }
        return namespace;
    }
}
