package io.watershed.gateway.api;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a client accepts, negotiated as kube-apiserver does: by quality and how exactly a type is named, the first clause that can be
 * served wins, and those that can't are passed over.
 *
 * <p><em>Threads:</em> immutable.
 */
public final class Accept {
    /** In what an answer is written. */
    public enum Format {
        JSON,
        YAML
    }

    /** Into which kind objects are to be made, by the parameters {@code as}, {@code g} and {@code v}. */
    public record Conversion(String group, String version, String kind) {
        public String apiVersion() {
            return group + "/" + version;
        }
    }

    /**
     * What was chosen.
     *
     * @param as null for objects as they are
     * @param pretty whether the clause asks for indented JSON
     */
    public record MediaType(Format format, @Nullable Conversion as, boolean pretty) {}

    /**
     * What there is at a path.
     *
     * @param builtIn whether kube-apiserver itself serves the path, and not its part for custom resources: they refuse in other words
     * @param watchable whether the path can be watched
     * @param watch whether this request is a watch
     * @param conversions what objects can be made into
     */
    public record Offer(boolean builtIn, boolean watchable, boolean watch, Set<Conversion> conversions) {
        private static final Set<Conversion> OF_OBJECTS = ofObjects();
        private static final Set<Conversion> TABLES =
                Set.of(new Conversion("meta.k8s.io", "v1", "Table"), new Conversion("meta.k8s.io", "v1beta1", "Table"));
        private static final Set<Conversion> OF_DISCOVERY =
                Set.of(new Conversion("apidiscovery.k8s.io", "v2", "APIGroupDiscoveryList"));

        private static Set<Conversion> ofObjects() {
            List<Conversion> all = new ArrayList<>();
            for (String version : List.of("v1", "v1beta1")) {
                for (String kind : List.of("Table", "PartialObjectMetadata", "PartialObjectMetadataList")) {
                    all.add(new Conversion("meta.k8s.io", version, kind));
                }
            }
            return Set.copyOf(all);
        }

        /** Objects, one or many. */
        public static Offer objects(boolean builtIn, boolean collection, boolean watch) {
            return new Offer(builtIn, collection, watch, OF_OBJECTS);
        }

        /** A Scale, of which there is a Table, and nothing less than all of it. */
        public static Offer scale(boolean builtIn) {
            return new Offer(builtIn, false, false, TABLES);
        }

        /** {@code /api} and {@code /apis}, which come in one document too. */
        public static Offer groups(boolean core) {
            return new Offer(core, false, false, OF_DISCOVERY);
        }

        /** Any other document of discovery. */
        public static Offer document(boolean builtIn) {
            return new Offer(builtIn, false, false, Set.of());
        }
    }

    private static final String ALL = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
    private static final String STREAMS =
            "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";
    private static final Set<String> KNOWN = Set.of("json", "yaml", "vnd.kubernetes.protobuf", "*");

    /** One alternative of a header. Parameters without a value are left out. */
    private record Clause(String type, String subtype, Map<String, String> parameters, double quality) {
        boolean isKnown() {
            return type.equals("*") || (type.equals("application") && KNOWN.contains(subtype));
        }

        /** Null for a type that is not served. Protobuf is known, but not served: clients of it accept JSON too. */
        @Nullable
        Format format() {
            if (!isKnown()) {
                return null;
            }
            return switch (subtype) {
                case "json", "*" -> Format.JSON;
                case "yaml" -> Format.YAML;
                default -> null;
            };
        }

        int vagueness() {
            return (type.equals("*") ? 2 : 0) + (subtype.equals("*") ? 1 : 0);
        }
    }

    private final List<Clause> clauses;

    private Accept(List<Clause> clauses) {
        this.clauses = clauses;
    }

    /** {@code header}: all Accept headers joined by commas, or null. */
    public static Accept parse(@Nullable String header) {
        if (header == null || header.isBlank()) {
            return new Accept(List.of(new Clause("application", "json", Map.of(), 1)));
        }
        List<Clause> clauses = new ArrayList<>();
        for (String text : header.split(",", -1)) {
            Clause clause = clause(text);
            if (clause != null) {
                clauses.add(clause);
            }
        }
        clauses.sort(Comparator.comparingDouble(Clause::quality).reversed().thenComparingInt(Clause::vagueness));
        return new Accept(List.copyOf(clauses));
    }

    private static @Nullable Clause clause(String text) {
        String[] parts = text.split(";", -1);
        String[] type = parts[0].trim().toLowerCase(Locale.ROOT).split("/", -1);
        boolean any = type.length == 1 && type[0].equals("*");
        if (type.length != 2 && !any) {
            return null;
        }
        Map<String, String> parameters = new HashMap<>();
        double quality = 1;
        for (int i = 1; i < parts.length; i++) {
            String[] parameter = parts[i].split("=", -1);
            if (parameter.length == 2 && !parameter[1].isEmpty()) {
                String name = parameter[0].trim();
                String value = parameter[1].trim();
                if (name.equals("q")) {
                    quality = quality(value);
                } else {
                    parameters.put(name, value);
                }
            }
        }
        return new Clause(type[0], any ? "*" : type[1], Map.copyOf(parameters), quality);
    }

    private static double quality(String text) {
        return text.matches("[0-9]*\\.?[0-9]{1,9}|[0-9]{1,9}\\.") ? Double.parseDouble(text) : 0;
    }

    /**
     * The first clause that can be served.
     *
     * @throws ApiFailure 406 in kube-apiserver's words
     */
    public MediaType choose(Offer offer) throws ApiFailure {
        MediaType chosen = first(offer.conversions());
        if (chosen == null) {
            throw new ApiFailure(refusal(offer));
        }
        if (offer.watch() && chosen.format() == Format.YAML) {
            throw new ApiFailure(
                    Status.notAcceptable("only the following media types are accepted: " + STREAMS, false));
        }
        return chosen;
    }

    /** For what is no object, as a {@link Status}; null if no clause is for that. */
    public @Nullable MediaType plain() {
        return first(Set.of());
    }

    private Status refusal(Offer offer) {
        if (offer.builtIn() && clauses.stream().noneMatch(Clause::isKnown)) {
            return Status.notAcceptable(
                    "406: Not Acceptable\n\nAvailable representations: " + ALL
                            + (offer.watchable() ? ", " + STREAMS : ""),
                    true);
        }
        return Status.notAcceptable("only the following media types are accepted: " + ALL, false);
    }

    private @Nullable MediaType first(Set<Conversion> conversions) {
        for (Clause clause : clauses) {
            Format format = clause.format();
            Map<String, String> given = clause.parameters();
            if (format == null || !given.getOrDefault("stream", "watch").equals("watch")) {
                continue;
            }
            boolean pretty = "1".equals(given.get("pretty"));
            if (!given.containsKey("as") && !given.containsKey("g") && !given.containsKey("v")) {
                return new MediaType(format, null, pretty);
            }
            Conversion as = new Conversion(
                    given.getOrDefault("g", ""), given.getOrDefault("v", ""), given.getOrDefault("as", ""));
            if (conversions.contains(as)) {
                return new MediaType(format, as, pretty);
            }
        }
        return null;
    }
}
