package io.watershed.gateway.api;

import io.watershed.catalogue.ResourceType;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a gateway answers beyond Kubernetes where its operator wants that, below {@code /apis/watershed.io/v1}. */
public enum Extension {
    /** One watch over several resources. */
    WATCH("WatchEvent", "watch"),
    /** The versions of one object. */
    HISTORY("History", "get");

    private final String kind;
    private final String verb;

    Extension(String kind, String verb) {
        this.kind = kind;
        this.verb = verb;
    }

    /** As in the configuration, in URLs and in discovery. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** As discovery has it: a resource without objects. */
    ResourceType type() {
        return new ResourceType("watershed.io", "v1", kind, label(), label(), false, List.of(), List.of(), label());
    }

    /** How it is asked for. Null where a type is none of these. */
    static @Nullable List<String> verbs(ResourceType type) {
        for (Extension extension : values()) {
            if (extension.kind.equals(type.kind()) && extension.type().equals(type)) {
                return List.of(extension.verb);
            }
        }
        return null;
    }
}
