package io.watershed.e2e;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a fabric8 informer told, as {@code ADDED name 17}. Written by the informer's threads, read by the test's. */
final class Fabric8Recorder implements ResourceEventHandler<ConfigMap> {
    private final List<String> events = new CopyOnWriteArrayList<>();

    List<String> events() {
        return List.copyOf(events);
    }

    @Override
    public void onAdd(ConfigMap added) {
        events.add("ADDED " + brief(added));
    }

    @Override
    public void onUpdate(ConfigMap before, ConfigMap after) {
        // A resync repeats what is known.
        if (!brief(before).equals(brief(after))) {
            events.add("MODIFIED " + brief(after));
        }
    }

    @Override
    public void onDelete(ConfigMap deleted, boolean unknown) {
        events.add((unknown ? "GONE " : "DELETED ") + brief(deleted));
    }

    private static String brief(ConfigMap object) {
        return object.getMetadata().getName() + " " + object.getMetadata().getResourceVersion();
    }
}
