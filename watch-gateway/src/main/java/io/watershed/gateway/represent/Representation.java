package io.watershed.gateway.represent;

import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.api.Status;
import org.jspecify.annotations.Nullable;

/**
 * How one answer shows objects.
 *
 * @param transform what of them; all that matters to a watch, which is compact JSON
 * @param syntax how that is written down
 */
public record Representation(Transform transform, Syntax syntax) {
    public String contentType() {
        return syntax.contentType();
    }

    /**
     * Objects cut down to some of their members.
     *
     * @param fields null for all
     * @throws ApiFailure 400 where they are not shown as objects in JSON
     */
    public Representation only(@Nullable FieldPaths fields) throws ApiFailure {
        if (fields == null) {
            return this;
        }
        if (syntax == Syntax.YAML || !(transform instanceof Transform.Whole whole)) {
            throw new ApiFailure(Status.badRequest(
                    "fields is for objects in JSON: leave it out, or accept application/json without as="));
        }
        return new Representation(
                new Transform.Whole(whole.type(), new FieldPaths.Cut(whole.conversion(), fields)), syntax);
    }

    /** The body of a GET. */
    public byte[] object(byte[] json) {
        return syntax.document(transform.object(json));
    }

    /** For one list. */
    public ListWriter list(ListMeta meta) {
        return new ListWriter(transform, syntax, meta);
    }
}
