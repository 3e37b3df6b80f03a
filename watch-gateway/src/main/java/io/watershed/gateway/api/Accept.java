package io.watershed.gateway.api;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a client accepts, as far as it matters to a server of JSON: clauses that can't be served are passed over. */
public final class Accept {
    /** How an answer is written. */
    public enum Form {
        JSON,
        /** The one-document form of discovery. */
        AGGREGATED_DISCOVERY,
        NOTHING
    }

    private Accept() {}

    /** {@code header}: all Accept headers joined by commas, or null. {@code discovery}: whether the aggregated form is on offer. */
    public static Form of(@Nullable String header, boolean discovery) {
        if (header == null || header.isBlank()) {
            return Form.JSON;
        }
        for (String clause : header.split(",", -1)) {
            Form form = clause(clause, discovery);
            if (form != Form.NOTHING) {
                return form;
            }
        }
        return Form.NOTHING;
    }

    private static Form clause(String clause, boolean discovery) {
        String[] parts = clause.trim().split(";", -1);
        String type = parts[0].trim().toLowerCase(Locale.ROOT);
        if (!type.equals("application/json") && !type.equals("*/*") && !type.equals("application/*")) {
            return Form.NOTHING;
        }
        String as = "";
        String version = "";
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].trim();
            if (parameter.startsWith("as=")) {
                as = parameter.substring(3);
            } else if (parameter.startsWith("v=")) {
                version = parameter.substring(2);
            } else if (parameter.startsWith("stream=") && !parameter.equals("stream=watch")) {
                return Form.NOTHING;
            } else if (parameter.matches("q=0(\\.0*)?")) {
                return Form.NOTHING;
            }
        }
        if (as.isEmpty()) {
            return Form.JSON;
        }
        return discovery && as.equals("APIGroupDiscoveryList") && version.equals("v2")
                ? Form.AGGREGATED_DISCOVERY
                : Form.NOTHING;
    }
}
