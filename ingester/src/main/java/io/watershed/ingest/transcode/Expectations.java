package io.watershed.ingest.transcode;

import java.util.List;
import java.util.Map;

/**
 * What today's releases write into every object, and older ones did not: where it is missing, the object needs the defaults that
 * kube-apiserver applies when it reads. {@code a>b} expects b only beside an a; {@code a>} says that what goes with an a is never stored. A hint only: who applies defaults looks for himself.
 */
final class Expectations {
    private static final List<String> REPLICAS = List.of("replicas");
    private static final Map<String, List<String>> BY_MESSAGE = Map.ofEntries(
            Map.entry(
                    "core.v1.PodSpec",
                    List.of("restartPolicy", "schedulerName", "dnsPolicy", "serviceAccount>serviceAccountName")),
            Map.entry("core.v1.PodStatus", List.of("podIP>podIPs")),
            Map.entry(
                    "core.v1.ServiceSpec",
                    List.of(
                            "type",
                            "sessionAffinity",
                            "ipFamilies",
                            "ipFamilyPolicy",
                            "internalTrafficPolicy",
                            "clusterIP>clusterIPs")),
            Map.entry("core.v1.ServicePort", List.of("protocol", "targetPort")),
            Map.entry("core.v1.NodeSpec", List.of("podCIDR>podCIDRs")),
            Map.entry("core.v1.Secret", List.of("type")),
            Map.entry("core.v1.NamespaceStatus", List.of("phase")),
            Map.entry("core.v1.PersistentVolumeSpec", List.of("volumeMode")),
            Map.entry("core.v1.PersistentVolumeStatus", List.of("phase")),
            Map.entry("core.v1.PersistentVolumeClaimSpec", List.of("volumeMode")),
            Map.entry("core.v1.PersistentVolumeClaimStatus", List.of("phase")),
            Map.entry("core.v1.ReplicationControllerSpec", REPLICAS),
            Map.entry("apps.v1.DeploymentSpec", REPLICAS),
            Map.entry("apps.v1.ReplicaSetSpec", REPLICAS),
            Map.entry("apps.v1.StatefulSetSpec", List.of("replicas", "volumeClaimTemplates>")),
            Map.entry("batch.v1.JobSpec", List.of("parallelism")),
            Map.entry("storage.v1.StorageClass", List.of("reclaimPolicy", "volumeBindingMode")));

    private Expectations() {}

    static List<String> of(String message) {
        return BY_MESSAGE.getOrDefault(message, List.of());
    }
}
