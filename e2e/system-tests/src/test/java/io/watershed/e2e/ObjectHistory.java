package io.watershed.e2e;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** ConfigMaps of one namespace, written to etcd, and the events of it that a client is to see. */
final class ObjectHistory {
    private final EtcdWriter etcd;
    private final String namespace;
    private final Set<String> present = new HashSet<>();
    private final List<String> events = new ArrayList<>();

    ObjectHistory(EtcdWriter etcd, String namespace) {
        this.etcd = etcd;
        this.namespace = namespace;
    }

    void put(String name, int n) {
        String type = present.add(name) ? "ADDED " : "MODIFIED ";
        events.add(type + name + " " + etcd.put(key(name), "{\"data\":{\"n\":\"" + n + "\"}}"));
    }

    void delete(String name) {
        present.remove(name);
        events.add("DELETED " + name + " " + etcd.delete(key(name)));
    }

    /** As {@code ADDED name 17}. */
    List<String> events() {
        return List.copyOf(events);
    }

    private String key(String name) {
        return "/registry/configmaps/" + namespace + "/" + name;
    }
}
