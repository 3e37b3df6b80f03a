package io.watershed.gateway.access;

/** What a caller wants to do. Texts are empty where a request says nothing; {@code *} stands for all. */
public sealed interface Action {
    /** {@code get}, {@code list}, {@code create} and so on. */
    String verb();

    /**
     * Something with a resource.
     *
     * @param namespace empty for all of them, and for what is in none
     * @param resource the plural, as in URLs
     * @param subresource as {@code status}
     * @param name empty for all objects
     */
    record OnResource(
            String namespace,
            String verb,
            String group,
            String version,
            String resource,
            String subresource,
            String name)
            implements Action {}

    /**
     * Something with a path that is no resource.
     *
     * @param path as {@code /version}
     */
    record OnPath(String path, String verb) implements Action {}
}
