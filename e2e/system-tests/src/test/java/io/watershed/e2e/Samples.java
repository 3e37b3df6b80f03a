package io.watershed.e2e;

/** JSON of objects as a controller would write it to etcd, without a resourceVersion. */
final class Samples {
    private Samples() {}

    static String configMapKey(String name) {
        return "/registry/configmaps/default/" + name;
    }

    static String configMap(String name, String value) {
        return configMap(name, value, "x");
    }

    static String configMap(String name, String value, String app) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name
                + "\",\"namespace\":\"default\",\"uid\":\"uid-" + name + "\",\"labels\":{\"app\":\"" + app
                + "\"}},\"data\":{\"v\":\"" + value + "\"}}";
    }
}
