package io.watershed.gateway.cache;

import io.watershed.catalogue.BuiltInResources;
import io.watershed.catalogue.ResourceType;
import io.watershed.log.EtcdKey;
import io.watershed.log.ResourceName;
import io.watershed.log.codec.ObjectJson;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ResourceView} in the making.
 *
 * <p><em>Threads:</em> confined to its owner.
 */
final class ResourceEditor {
    private final ImageMap.Editor<ObjectEntry> objects;
    private final ImageMap.Editor<ObjectEntry> undecodable;
    private byte @Nullable [] prefix;
    private @Nullable ResourceType customType;

    ResourceEditor(ResourceView from) {
        this.objects = from.image().edit();
        this.undecodable = from.undecodableImage().edit();
        this.prefix = from.prefix();
        this.customType = from.customType();
    }

    void put(ObjectEntry object) {
        objects.put(object.key(), object);
        if (ResourceView.isUndecodable(object)) {
            undecodable.put(object.key(), object);
        } else {
            undecodable.remove(object.key());
        }
        String resource = object.name().resource();
        if (resource.equals(BuiltInResources.KEY_VALUE.resource())) {
            return;
        }
        // Another configuration of the ingester may make the same resource of another prefix, or of another kind.
        if (prefix == null || !ResourceView.follows(prefix, object)) {
            byte[] found = ResourceView.prefixOf(object);
            prefix = found == null ? prefix : found;
        }
        if (customType == null
                && object.encoding() == null
                && BuiltInResources.byResource(resource).isEmpty()) {
            customType = customType(object);
        }
    }

    void remove(EtcdKey key) {
        objects.remove(key);
        undecodable.remove(key);
        if (objects.size() == 0) {
            customType = null;
        }
    }

    private static ResourceType customType(ObjectEntry object) {
        ResourceName name = object.name();
        ObjectJson json = ObjectJson.of(object.json());
        String apiVersion = json.apiVersion();
        int slash = apiVersion.indexOf('/');
        int dot = name.resource().indexOf('.');
        return new ResourceType(
                slash < 0 ? "" : apiVersion.substring(0, slash),
                apiVersion.substring(slash + 1),
                json.kind(),
                dot < 0 ? name.resource() : name.resource().substring(0, dot),
                json.kind().toLowerCase(Locale.ROOT),
                name.namespace() != null,
                List.of(),
                List.of(),
                "");
    }

    /** The view as it is now; what is changed afterwards does not change it. */
    ResourceView freeze() {
        return new ResourceView(objects.freeze(), undecodable.freeze(), prefix, customType);
    }
}
