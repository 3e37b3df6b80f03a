package io.watershed.ingest.decode;

import io.watershed.catalogue.ResourceType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What kube-apiserver fills in when it reads an object that an older release wrote: those defaults that selectors, tables or clients rely
 * on (docs/log.md lists them). In place, and nothing where the object has a value.
 */
final class Defaults {
    private static final JsonTree.Digits ONE = new JsonTree.Digits("1");
    private static final JsonTree.Digits ZERO = new JsonTree.Digits("0");
    private static final String NONE = "None";
    private static final String EXTERNAL_NAME = "ExternalName";
    private static final String SINGLE_STACK = "SingleStack";
    private static final String DUAL_STACK = "RequireDualStack";
    private static final String IPV4 = "IPv4";
    private static final String IPV6 = "IPv6";

    private Defaults() {}

    static void apply(ResourceType type, Map<String, @Nullable Object> object) {
        switch (type.resource()) {
            case "pods" -> pod(object);
            case "services" -> service(Members.child(object, "spec"));
            case "nodes" -> node(Members.object(object, "spec"));
            case "secrets" -> Members.orSetText(object, "type", "Opaque");
            case "namespaces" -> Members.orSetText(Members.child(object, "status"), "phase", "Active");
            case "statefulsets.apps" -> statefulSet(Members.child(object, "spec"));
            case "deployments.apps", "replicasets.apps", "replicationcontrollers" ->
                Members.orSet(Members.child(object, "spec"), "replicas", ONE);
            case "jobs.batch" -> job(Members.child(object, "spec"));
            case "storageclasses.storage.k8s.io" -> {
                Members.orSetText(object, "reclaimPolicy", "Delete");
                Members.orSetText(object, "volumeBindingMode", "Immediate");
            }
            case "persistentvolumes", "persistentvolumeclaims" -> {
                Members.orSetText(Members.child(object, "spec"), "volumeMode", "Filesystem");
                Members.orSetText(Members.child(object, "status"), "phase", "Pending");
            }
            default -> {}
        }
    }

    private static void pod(Map<String, @Nullable Object> pod) {
        Map<String, @Nullable Object> spec = Members.child(pod, "spec");
        Members.orSetText(spec, "restartPolicy", "Always");
        Members.orSetText(spec, "schedulerName", "default-scheduler");
        Members.orSetText(spec, "dnsPolicy", "ClusterFirst");
        String account = Members.text(spec, "serviceAccount");
        if (!account.isEmpty()) {
            Members.orSetText(spec, "serviceAccountName", account);
        }
        Map<String, @Nullable Object> status = Members.object(pod, "status");
        if (status != null && !Members.text(status, "podIP").isEmpty() && Members.isEmptyList(status, "podIPs")) {
            Map<String, @Nullable Object> ip = new LinkedHashMap<>();
            ip.put("ip", status.get("podIP"));
            status.put("podIPs", List.of(ip));
        }
    }

    /** Templates of claims are shown with their kind, which protobuf has no place for. */
    private static void statefulSet(Map<String, @Nullable Object> spec) {
        Members.orSet(spec, "replicas", ONE);
        for (Map<String, @Nullable Object> template : Members.objects(spec, "volumeClaimTemplates")) {
            template.put("kind", "PersistentVolumeClaim");
            template.put("apiVersion", "v1");
        }
    }

    private static void node(@Nullable Map<String, @Nullable Object> spec) {
        if (spec != null) {
            list(spec, "podCIDR", "podCIDRs");
        }
    }

    private static void job(Map<String, @Nullable Object> spec) {
        if (spec.get("completions") == null && spec.get("parallelism") == null) {
            spec.put("completions", ONE);
        }
        Members.orSet(spec, "parallelism", ONE);
    }

    private static void list(Map<String, @Nullable Object> parent, String single, String list) {
        if (!Members.text(parent, single).isEmpty() && Members.isEmptyList(parent, list)) {
            parent.put(list, List.of(Members.text(parent, single)));
        }
    }

    private static void service(Map<String, @Nullable Object> spec) {
        Members.orSetText(spec, "sessionAffinity", NONE);
        Members.orSetText(spec, "type", "ClusterIP");
        for (Map<String, @Nullable Object> port : Members.objects(spec, "ports")) {
            Members.orSetText(port, "protocol", "TCP");
            Object target = port.get("targetPort");
            if ((target == null || target.equals(ZERO) || target.equals("")) && port.get("port") != null) {
                port.put("targetPort", port.get("port"));
            }
        }
        list(spec, "clusterIP", "clusterIPs");
        if (Members.text(spec, "type").equals(EXTERNAL_NAME)) {
            spec.remove("internalTrafficPolicy"); // once written by mistake; no longer shown
            return;
        }
        Members.orSetText(spec, "internalTrafficPolicy", "Cluster");
        if (Members.isEmptyList(spec, "ipFamilies")) {
            families(spec);
        }
    }

    /** A headless service without a family is shown in the cluster's first one; which that is no value says: IPv4 is assumed. */
    private static void families(Map<String, @Nullable Object> spec) {
        List<@Nullable Object> families = new ArrayList<>();
        if (Members.text(spec, "clusterIP").equals(NONE)) {
            Map<String, @Nullable Object> selector = Members.object(spec, "selector");
            families.add(IPV4);
            if (selector == null || selector.isEmpty()) {
                families.add(IPV6); // its endpoints are anyone's, so both
            }
        } else if (spec.get("clusterIPs") instanceof List<?> addresses) {
            addresses.forEach(address -> families.add(String.valueOf(address).indexOf(':') < 0 ? IPV4 : IPV6));
        }
        if (!families.isEmpty()) {
            spec.put("ipFamilies", families);
            spec.put("ipFamilyPolicy", families.size() == 1 ? SINGLE_STACK : DUAL_STACK);
        }
    }
}
