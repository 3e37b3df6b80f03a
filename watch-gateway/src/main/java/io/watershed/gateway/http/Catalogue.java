package io.watershed.gateway.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.api.CustomDefinition;
import io.watershed.gateway.api.Extension;
import io.watershed.gateway.api.Resources;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.cache.CacheView;
import io.watershed.gateway.cache.ObjectEntry;
import io.watershed.gateway.cache.ResourceView;
import io.watershed.gateway.represent.Conversion;
import io.watershed.gateway.represent.CustomPrinters;
import io.watershed.gateway.represent.Printer;
import io.watershed.gateway.represent.Representations;
import io.watershed.gateway.represent.VersionConversion;
import io.watershed.gateway.select.FieldLabels;
import io.watershed.log.codec.ObjectJson;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which resources there are now, and what their definitions say: of custom ones, columns, selectable fields and versions come from the
 * CustomResourceDefinitions in the cache. What was made of them is kept until one of them changes, so that the watches of one version
 * share their work.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
final class Catalogue {
    private static final Logger LOGGER = LoggerFactory.getLogger(Catalogue.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What is known of one definition; kept while its object is the same. */
    private record Known(
            ObjectEntry object, CustomDefinition definition, JsonNode json, Map<ResourceType, Made> made) {}

    private record Made(Printer printer, Conversion conversion, FieldLabels labels) {}

    private final Supplier<CacheView> views;
    private final Set<Extension> extensions;
    private Map<String, Known> known = Map.of();
    private @Nullable ResourceView definitions;
    private List<ResourceType> types = List.of();
    private Resources resources = new Resources(List.of(), List.of());

    /** {@code extensions}: those that are enabled. */
    Catalogue(Supplier<CacheView> views, Set<Extension> extensions) {
        this.views = views;
        this.extensions = extensions;
    }

    Resources resources() {
        CacheView view = views.get();
        ResourceView now = view.resource(CustomDefinition.RESOURCE);
        List<ResourceType> seen = view.resources();
        if (now != definitions) {
            known = read(now);
            definitions = now;
        } else if (seen.equals(types)) {
            return resources;
        }
        types = seen;
        resources = new Resources(
                seen, known.values().stream().map(Known::definition).toList(), extensions);
        return resources;
    }

    private Map<String, Known> read(ResourceView now) {
        Map<String, Known> all = new HashMap<>();
        Iterator<ObjectEntry> objects = now.objects(null, null);
        while (objects.hasNext()) {
            ObjectEntry object = objects.next();
            Known before = known.get(object.name().name());
            if (before != null && before.object() == object) {
                all.put(object.name().name(), before);
            } else if (Undecodables.isWhole(object)) {
                parse(object, all);
            }
        }
        return all;
    }

    private static void parse(ObjectEntry object, Map<String, Known> all) {
        try {
            JsonNode json = JSON.readTree(object.json());
            all.put(object.name().name(), new Known(object, CustomDefinition.of(json), json, new HashMap<>()));
        } catch (IOException e) {
            LOGGER.atError()
                    .addKeyValue("name", object.name().name())
                    .setCause(e)
                    .log("definition can't be read, so its resource is served as its objects tell; apply it again");
        }
    }

    /** Columns of a custom resource or a document. */
    Printer printer(ResourceType type) {
        Made made = made(type);
        return made == null ? Representations.nameAndAge() : made.printer();
    }

    /** How stored objects of a custom resource become those of the type's version. */
    Conversion conversion(ResourceType type) {
        Made made = made(type);
        return made == null ? Conversion.NONE : made.conversion();
    }

    FieldLabels fieldLabels(ResourceType type) {
        Made made = made(type);
        return made == null ? FieldLabels.of(type) : made.labels();
    }

    private @Nullable Made made(ResourceType type) {
        CustomDefinition.Version version = resources().definition(type);
        Known definition = known.get(type.resource());
        if (version == null || definition == null) {
            return null;
        }
        return definition
                .made()
                .computeIfAbsent(
                        type,
                        absent -> new Made(
                                CustomPrinters.of(definition.json(), type.version()),
                                version.converts()
                                        ? new VersionConversion(type.apiVersion(), version.schema())
                                        : Conversion.NONE,
                                FieldLabels.custom(type.namespaced(), version.selectable())));
    }

    /** Whether an object can be shown in the type's version. */
    boolean isServable(ObjectEntry object, ResourceType type) {
        return resources().storedElsewhere(type).isEmpty()
                || ObjectJson.of(object.json()).apiVersion().equals(type.apiVersion());
    }

    /** The answer where objects may be stored in versions that only their webhook converts. */
    Status notConverted(ResourceType type) {
        return Status.internalError("objects of " + type.resource() + " may be stored in "
                + String.join(", ", resources().storedElsewhere(type))
                + ", which only their conversion webhook brings to "
                + type.version() + "; write each of them once through kube-apiserver, then take those versions out of"
                + " status.storedVersions of the CustomResourceDefinition");
    }
}
