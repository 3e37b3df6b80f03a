package io.watershed.gateway.api;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parameters of a URL. Of one that is repeated the first value counts, but where all are asked for; those that nobody asks for are ignored. */
public final class Query {
    private final Map<String, String> values = new HashMap<>();
    private final Map<String, List<String>> repeated = new HashMap<>();

    private Query() {}

    /** {@code raw}: what stands behind the question mark, or null. */
    public static Query parse(@Nullable String raw) throws ApiFailure {
        Query query = new Query();
        if (raw != null && !raw.isEmpty()) {
            for (String pair : raw.split("&", -1)) {
                int equals = pair.indexOf('=');
                String name = PercentDecoder.decode(equals < 0 ? pair : pair.substring(0, equals), true);
                String value = equals < 0 ? "" : PercentDecoder.decode(pair.substring(equals + 1), true);
                if (query.values.putIfAbsent(name, value) != null) {
                    query.repeated
                            .computeIfAbsent(name, absent -> new ArrayList<>())
                            .add(value);
                }
            }
        }
        return query;
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Empty when absent. */
    public String text(String name) {
        return values.getOrDefault(name, "");
    }

    /** Every value, in order. */
    public List<String> all(String name) {
        List<String> all = new ArrayList<>();
        if (has(name)) {
            all.add(text(name));
            all.addAll(repeated.getOrDefault(name, List.of()));
        }
        return all;
    }

    /** Kubernetes' rule: anything but {@code 0} and {@code false}, also nothing at all, is true. Null when absent. */
    @Nullable
    Boolean truth(String name) {
        String value = values.get(name);
        return value == null ? null : !value.equals("0") && !value.equalsIgnoreCase("false");
    }

    /** Whether a request on a collection is a watch. */
    public boolean asksForWatch() {
        return Boolean.TRUE.equals(truth("watch"));
    }

    /** 0 when absent. */
    long number(String name) throws ApiFailure {
        String value = values.get(name);
        if (value == null) {
            return 0;
        }
        if (!value.matches("[+-]?[0-9]+")) {
            throw new ApiFailure(Status.badRequest("strconv.ParseInt: parsing " + quoted(value) + ": invalid syntax"));
        }
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new ApiFailure(
                    Status.badRequest("strconv.ParseInt: parsing " + quoted(value) + ": value out of range"));
        }
    }

    static String quoted(String text) {
        return JsonText.quote(new StringBuilder(), text).toString();
    }
}
