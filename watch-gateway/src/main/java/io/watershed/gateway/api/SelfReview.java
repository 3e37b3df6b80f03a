package io.watershed.gateway.api;

import io.watershed.catalogue.ResourceType;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The questions about themselves that clients ask by POST: resources which can be created, and of which there are no objects. Those
 * about others ({@code subjectaccessreviews}, {@code tokenreviews}) are not answered.
 */
public enum SelfReview {
    /** Who am I? */
    SUBJECT("authentication.k8s.io", "SelfSubjectReview"),

    /** May I? */
    ACCESS("authorization.k8s.io", "SelfSubjectAccessReview"),

    /** What may I? */
    RULES("authorization.k8s.io", "SelfSubjectRulesReview");

    private static final String VERSION = "v1";

    private final String group;
    private final String kind;
    private final String singular;

    SelfReview(String group, String kind) {
        this.group = group;
        this.kind = kind;
        this.singular = kind.toLowerCase(Locale.ROOT);
    }

    /** Of the review as a resource. */
    public ResourceType type() {
        return new ResourceType(
                group, VERSION, kind, plural(), singular, false, List.of(), List.of(), "no storage of " + singular);
    }

    private String plural() {
        return singular + "s";
    }

    /** Where it is asked. */
    public String path() {
        return "/apis/" + group + "/" + VERSION + "/" + plural();
    }

    /** The review of a raw path; null if it is none. */
    public static @Nullable SelfReview at(String path) {
        for (SelfReview review : values()) {
            if (path.equals(review.path()) || path.equals(review.path() + "/")) {
                return review;
            }
        }
        return null;
    }

    static boolean isOne(ResourceType type) {
        return of(type.group(), type.version(), type.plural()) != null;
    }

    static boolean hasGroup(String group) {
        return of(group, VERSION, null) != null;
    }

    /** {@code plural}: null for any. */
    static @Nullable SelfReview of(String group, String version, @Nullable String plural) {
        for (SelfReview review : values()) {
            if (review.group.equals(group)
                    && VERSION.equals(version)
                    && (plural == null || review.plural().equals(plural))) {
                return review;
            }
        }
        return null;
    }
}
