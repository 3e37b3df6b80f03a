package io.watershed.gateway.represent;

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

    /** The body of a GET. */
    public byte[] object(byte[] json) {
        return syntax.document(transform.object(json));
    }

    /** For one list. */
    public ListWriter list(ListMeta meta) {
        return new ListWriter(transform, syntax, meta);
    }
}
