package io.watershed.gateway.select;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.ResourceType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The field labels that one resource can be selected by.
 *
 * <p>A label in a request is a name; it stands for a {@link Field}, which says where in the object's canonical JSON its value is.
 * Several labels may stand for one field ({@code spec.host} is {@code spec.nodeName}).
 *
 * <p><em>Source:</em> kube-apiserver 1.37's field label conversions, one by one.
 */
public final class FieldLabels {
    /** Key of the object's name, in every resource. */
    public static final String NAME = "metadata.name";
    /** Key of the object's namespace. */
    public static final String NAMESPACE = "metadata.namespace";

    /** What a key begins with that is a path into the object's JSON, looked up when it is asked for. */
    public static final String PATH = ".";

    /** A step of a {@link Field#paths() path} that goes to the first element of an array. */
    public static final String FIRST = "[0]";

    /**
     * One selectable value of an object.
     *
     * @param key what {@link Selectable#field(String)} is asked for
     * @param paths where the value may stand, as member names from the object's root ({@link #FIRST} goes into an array); the first
     *     path that leads to a scalar other than the empty string counts, and its value is the scalar as JSON spells it, unquoted
     * @param absent the value if no path leads to one
     */
    public record Field(String key, List<List<String>> paths, String absent) {
        public Field {
            paths = paths.stream().map(List::copyOf).toList();
        }
    }

    private static final List<String> REFERENCE_FIELDS =
            List.of("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath");

    private static final Map<String, FieldLabels> KNOWN = known();

    private final Map<String, Field> byLabel;
    private final List<Field> fields;
    private final Wording wording;
    private final boolean anyPath;

    private FieldLabels(Builder builder) {
        this(builder, false);
    }

    private FieldLabels(Builder builder, boolean anyPath) {
        this.anyPath = anyPath;
        this.byLabel = Map.copyOf(builder.byLabel);
        this.fields = builder.byLabel.values().stream().distinct().toList();
        this.wording = builder.wording;
    }

    /**
     * By plural[.group]. A resource that is not built in is taken for a namespaced custom one, without selectable fields of its own;
     * who knows better asks {@link #of(ResourceType)} or {@link #custom}.
     */
    public static FieldLabels of(String resource) {
        FieldLabels known = KNOWN.get(resource);
        return known != null ? known : custom(true, List.of());
    }

    /** Of a resource as discovery shows it. */
    public static FieldLabels of(ResourceType type) {
        if (type.isDocument()) {
            return document(type.namespaced());
        }
        FieldLabels known = KNOWN.get(type.resource());
        return known != null ? known : custom(type.namespaced(), List.of());
    }

    /** Of documents: every scalar, by the names of the members on the way to it with dots between them. */
    private static FieldLabels document(boolean namespaced) {
        Builder builder = new Builder(Wording.NOT_SUPPORTED);
        if (!namespaced) {
            builder.byLabel.remove(NAMESPACE);
        }
        return new FieldLabels(builder, true);
    }

    /**
     * Of a custom resource.
     *
     * @param selectable the {@code selectableFields[].jsonPath} of its version, each with its leading dot. As which fields those are
     *     changes with the definition, they are looked up when they are asked for
     */
    public static FieldLabels custom(boolean namespaced, List<String> selectable) {
        Builder builder = new Builder(Wording.NOT_SUPPORTED);
        if (!namespaced) {
            builder.byLabel.remove(NAMESPACE);
        }
        for (String path : selectable) {
            builder.byLabel.put(path.substring(PATH.length()), new Field(path, List.of(), ""));
        }
        return new FieldLabels(builder);
    }

    /** The fields whose values an object of this resource must be able to tell, each once. */
    public List<Field> fields() {
        return fields;
    }

    /** The field that a label of a request stands for; null if the resource can't be selected by it. */
    @Nullable
    Field field(String label) {
        Field known = byLabel.get(label);
        if (known != null || !anyPath || label.equals(NAMESPACE)) {
            return known;
        }
        String path = label.startsWith(PATH) ? label : PATH + label;
        boolean names = path.length() > 1 && !path.endsWith(".") && !path.contains("..");
        return names ? new Field(path, List.of(), "") : null;
    }

    /** What is wrong with a label that {@link #field} does not know, as kube-apiserver says it. */
    String notSupported(String label) {
        return switch (wording) {
            case NOT_SUPPORTED -> "field label not supported: " + label;
            case NOT_KNOWN ->
                "\"" + label + "\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
            case JOB -> "field label \"" + label + "\" not supported for Job";
            case RESOURCE_SLICE -> "field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: " + label;
        };
    }

    private static Map<String, FieldLabels> known() {
        Map<String, FieldLabels> known = new HashMap<>();
        List<ResourceType> types = new ArrayList<>(BuiltInResources.kubernetes());
        types.addAll(BuiltInResources.optional());
        for (ResourceType type : types) {
            known.put(
                    type.resource(),
                    new FieldLabels(builtIn(type.resource()).orElseGet(() -> new Builder(Wording.NOT_KNOWN))));
        }
        // Served from the stored core events under names of their own, whether or not discovery shows them.
        known.put("events.events.k8s.io", new FieldLabels(groupEvents()));
        known.put(BuiltInResources.KEY_VALUE.resource(), document(false));
        return Map.copyOf(known);
    }

    private static Optional<Builder> builtIn(String resource) {
        return Optional.ofNullable(
                switch (resource) {
                    case "pods" -> pods();
                    case "nodes" -> own().withoutNamespace().at("spec.unschedulable", "false");
                    case "namespaces" -> own().withoutNamespace().at("status.phase");
                    case "services" -> own().at("spec.clusterIP").at("spec.type");
                    case "secrets" -> own().at("type");
                    case "replicationcontrollers" -> own().at("status.replicas", "0");
                    case "events" -> coreEvents();
                    case "jobs.batch" -> new Builder(Wording.JOB).at("status.successful", "0", "status.succeeded");
                    case "certificatesigningrequests.certificates.k8s.io", "clustertrustbundles.certificates.k8s.io" ->
                        own().withoutNamespace().at("spec.signerName");
                    case "podcertificaterequests.certificates.k8s.io" ->
                        own().withoutNamespace()
                                .at("spec.signerName")
                                .at("spec.podName")
                                .at("spec.nodeName");
                    case "resourceslices.resource.k8s.io" ->
                        new Builder(Wording.RESOURCE_SLICE)
                                .withoutNamespace()
                                .at("spec.nodeName")
                                .at("spec.driver")
                                .at("spec.pool.name");
                    default -> null;
                });
    }

    private static Builder own() {
        return new Builder(Wording.NOT_SUPPORTED);
    }

    private static Builder pods() {
        return own().at("spec.nodeName")
                .alias("spec.host", "spec.nodeName")
                .at("spec.restartPolicy")
                .at("spec.schedulerName")
                .at("spec.serviceAccountName")
                .at("spec.hostNetwork", "false")
                .at("status.phase")
                .at("status.podIP", "", "status.podIPs." + FIRST + ".ip", "status.podIP")
                // kube-apiserver accepts the label, but its field set never holds it: only "" is ever equal.
                .at("status.podIPs", "", new String[0])
                .at("status.nominatedNodeName");
    }

    private static Builder coreEvents() {
        Builder events = own();
        for (String field : REFERENCE_FIELDS) {
            events.at("involvedObject." + field);
        }
        return events.at("reason")
                .at("reportingComponent")
                .at("source", "", "source.component", "reportingComponent")
                .at("type");
    }

    /** {@code events.k8s.io/v1}: labels of its own over the fields of the core event that is stored. */
    private static Builder groupEvents() {
        Builder core = coreEvents();
        Builder events = own();
        for (String field : REFERENCE_FIELDS) {
            events.byLabel.put("regarding." + field, core.get("involvedObject." + field));
        }
        events.byLabel.put("reason", core.get("reason"));
        events.byLabel.put("reportingController", core.get("reportingComponent"));
        events.byLabel.put("type", core.get("type"));
        return events;
    }

    /** kube-apiserver's ways to refuse a label. */
    private enum Wording {
        NOT_SUPPORTED,
        NOT_KNOWN,
        JOB,
        RESOURCE_SLICE
    }

    private static final class Builder {
        private final Map<String, Field> byLabel = new LinkedHashMap<>();
        private final Wording wording;

        Builder(Wording wording) {
            this.wording = wording;
            at(NAME);
            at(NAMESPACE);
        }

        Builder withoutNamespace() {
            byLabel.remove(NAMESPACE);
            return this;
        }

        Builder at(String label) {
            return at(label, "", label);
        }

        Builder at(String label, String absent) {
            return at(label, absent, label);
        }

        Builder at(String label, String absent, String... paths) {
            List<List<String>> steps = new ArrayList<>();
            for (String path : paths) {
                steps.add(List.of(path.split("\\.", -1)));
            }
            byLabel.put(label, new Field(label, steps, absent));
            return this;
        }

        Builder alias(String label, String of) {
            byLabel.put(label, get(of));
            return this;
        }

        Field get(String label) {
            return Objects.requireNonNull(byLabel.get(label));
        }
    }
}
