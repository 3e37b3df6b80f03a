package io.watershed.gateway.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.watershed.catalogue.ResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a CustomResourceDefinition says about serving its objects.
 *
 * @param resource plural.group, as {@link ResourceType#resource()}
 * @param served the versions that can be served; empty while Kubernetes has not accepted its names
 * @param storedElsewhere versions that objects may be stored in and that no webhook of ours converts, for people; empty when every
 *     stored object can be served
 */
public record CustomDefinition(String resource, List<Version> served, List<String> storedElsewhere) {
    /** Resource of the definitions themselves. */
    public static final String RESOURCE = "customresourcedefinitions.apiextensions.k8s.io";

    /**
     * One served version.
     *
     * @param selectable its selectable fields' JSONPaths, each with its leading dot
     * @param warning what clients are warned of; null for nothing
     * @param converts whether objects that are stored in another version, now or while a watch is open, are shown in this one, without any
     *     change but its name and what its schema prunes
     * @param schema its {@code openAPIV3Schema}; missing if there is none
     * @param scale how its objects are scaled; null if they can't be
     */
    public record Version(
            ResourceType type,
            List<String> selectable,
            @Nullable String warning,
            boolean converts,
            JsonNode schema,
            @Nullable ScaleFields scale) {
        public Version {
            selectable = List.copyOf(selectable);
        }
    }

    public CustomDefinition {
        served = List.copyOf(served);
        storedElsewhere = List.copyOf(storedElsewhere);
    }

    /**
     * Reads a definition.
     *
     * @param definition in apiextensions.k8s.io/v1
     */
    public static CustomDefinition of(JsonNode definition) {
        JsonNode spec = definition.path("spec");
        JsonNode accepted = definition.path("status").path("acceptedNames");
        JsonNode names = accepted.path("plural").asText().isEmpty() ? spec.path("names") : accepted;
        String resource = definition.path("metadata").path("name").asText();
        if (!isEstablished(definition)) {
            return new CustomDefinition(resource, List.of(), List.of());
        }
        boolean webhook = spec.path("conversion").path("strategy").asText().equals("Webhook");
        List<Version> served = new ArrayList<>();
        List<String> elsewhere = new ArrayList<>();
        for (JsonNode version : spec.path("versions")) {
            boolean storage = version.path("storage").asBoolean();
            if (version.path("served").asBoolean() && (storage || !webhook)) {
                ResourceType type = type(spec, names, version);
                served.add(new Version(
                        type,
                        selectable(version),
                        warning(type, version),
                        !webhook,
                        version.path("schema").path("openAPIV3Schema"),
                        ScaleFields.of(version)));
            }
        }
        if (webhook) {
            String stored = storageVersion(spec);
            for (JsonNode version : definition.path("status").path("storedVersions")) {
                if (!version.asText().equals(stored)) {
                    elsewhere.add(version.asText());
                }
            }
        }
        return new CustomDefinition(resource, served, elsewhere);
    }

    private static String storageVersion(JsonNode spec) {
        for (JsonNode version : spec.path("versions")) {
            if (version.path("storage").asBoolean()) {
                return version.path("name").asText();
            }
        }
        return "";
    }

    /** Nobody says so of a definition that was written into etcd by hand. */
    private static boolean isEstablished(JsonNode definition) {
        for (JsonNode condition : definition.path("status").path("conditions")) {
            String type = condition.path("type").asText();
            if ((type.equals("Established") || type.equals("NamesAccepted"))
                    && !condition.path("status").asText().equals("True")) {
                return false;
            }
        }
        return true;
    }

    private static ResourceType type(JsonNode spec, JsonNode names, JsonNode version) {
        String kind = names.path("kind").asText();
        String plural = names.path("plural").asText();
        String group = spec.path("group").asText();
        return new ResourceType(
                group,
                version.path("name").asText(),
                kind,
                plural,
                names.path("singular").asText(kind.toLowerCase(Locale.ROOT)),
                spec.path("scope").asText().equals("Namespaced"),
                texts(names.path("shortNames")),
                texts(names.path("categories")),
                group + "/" + plural,
                names.path("listKind").asText(kind + "List"),
                version.path("subresources").path("status").isObject(),
                plural + "." + group);
    }

    private static List<String> selectable(JsonNode version) {
        List<String> paths = new ArrayList<>();
        for (JsonNode field : version.path("selectableFields")) {
            String path = field.path("jsonPath").asText();
            paths.add(path.startsWith(".") ? path : "." + path);
        }
        return paths;
    }

    private static @Nullable String warning(ResourceType type, JsonNode version) {
        if (!version.path("deprecated").asBoolean()) {
            return null;
        }
        JsonNode own = version.path("deprecationWarning");
        return own.isTextual() ? own.asText() : type.apiVersion() + " " + type.kind() + " is deprecated";
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(Objects.requireNonNullElse(text.asText(), "")));
        return texts;
    }
}
