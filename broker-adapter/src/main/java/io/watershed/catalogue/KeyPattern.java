package io.watershed.catalogue;

/**
 * Which etcd keys are the documents of one resource, and how they name them: {@code /flags/{name}}, or {@code /flags/{namespace}/{name}}
 * for a namespaced one. A namespace is what stands before the next slash, a name is the whole rest of the key.
 *
 * <p><em>Threads:</em> immutable.
 *
 * @param prefix what every key begins with; never empty
 */
public record KeyPattern(String prefix, boolean namespaced) {
    static final String NAME = "{name}";
    private static final String NAMESPACE = "{namespace}/";

    /**
     * Reads what people write; a prefix alone stands for itself and {@code {name}}.
     *
     * @throws IllegalArgumentException with a predicate about the text: what it must be
     */
    public static KeyPattern parse(String text) {
        String rest = text.endsWith(NAME) ? text.substring(0, text.length() - NAME.length()) : text;
        boolean namespaced = rest.endsWith(NAMESPACE);
        if (namespaced && rest.length() == text.length()) {
            throw new IllegalArgumentException("must go on with {name} after {namespace}/");
        }
        String prefix = namespaced ? rest.substring(0, rest.length() - NAMESPACE.length()) : rest;
        if (prefix.indexOf('{') >= 0 || prefix.indexOf('}') >= 0) {
            throw new IllegalArgumentException(
                    "must be a prefix and then {name} or {namespace}/{name}, as /flags/{namespace}/{name}; other places"
                            + " for them are not understood");
        }
        if (prefix.isEmpty()) {
            throw new IllegalArgumentException(
                    "must begin with a prefix, as /flags/{name}: keys of no prefix are keyvalues.watershed.io already");
        }
        if (Character.isLetterOrDigit(prefix.charAt(prefix.length() - 1))) {
            throw new IllegalArgumentException(
                    "must have a slash, or another character that ends a word, before its names" + " (write \"" + prefix
                            + "/\"): else keys that only begin alike would be part of it");
        }
        return new KeyPattern(prefix, namespaced);
    }

    /** As {@link #parse} reads it. */
    public String text() {
        return prefix + (namespaced ? NAMESPACE : "") + NAME;
    }
}
