package io.watershed.gateway.http;

import java.util.Locale;

/** What a gateway answers beyond Kubernetes where its operator wants that, below {@code /apis/watershed.io/v1}. */
public enum Extension {
    /** One watch over several resources. */
    WATCH,
    /** The versions of one object. */
    HISTORY;

    /** As in the configuration, in URLs and in discovery. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
