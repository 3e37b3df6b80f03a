package io.watershed.gateway.represent;

import static io.watershed.gateway.represent.Cells.NONE;
import static io.watershed.gateway.represent.Cells.UNSET;
import static io.watershed.gateway.represent.Cells.count;
import static io.watershed.gateway.represent.Cells.flag;
import static io.watershed.gateway.represent.Cells.joined;
import static io.watershed.gateway.represent.Cells.text;
import static io.watershed.gateway.represent.Cells.texts;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Volumes and group storage.k8s.io. */
final class StoragePrinters {
    private static final String BETA_CLASS = "volume.beta.kubernetes.io/storage-class";
    private static final Map<String, String> ACCESS_MODES = accessModes();

    private StoragePrinters() {}

    private static Map<String, String> accessModes() {
        Map<String, String> modes = new LinkedHashMap<>();
        modes.put("ReadWriteOnce", "RWO");
        modes.put("ReadOnlyMany", "ROX");
        modes.put("ReadWriteMany", "RWX");
        modes.put("ReadWriteOncePod", "RWOP");
        return modes;
    }

    static void addTo(Map<String, Printer> printers) {
        printers.put("persistentvolumes", volumes());
        printers.put("persistentvolumeclaims", claims());
        printers.put("storageclasses.storage.k8s.io", classes());
        printers.put(
                "volumeattributesclasses.storage.k8s.io",
                Printer.named().text("DriverName", text("/driverName")).age().build());
        printers.put("csidrivers.storage.k8s.io", drivers());
        printers.put(
                "csinodes.storage.k8s.io",
                Printer.named().integer("Drivers", count("/spec/drivers")).age().build());
        printers.put(
                "volumeattachments.storage.k8s.io",
                Printer.named()
                        .column("Attacher", "string", "name", text("/spec/attacher"))
                        .text("PV", text("/spec/source/persistentVolumeName"))
                        .text("Node", text("/spec/nodeName"))
                        .flag("Attached", flag("/status/attached", false))
                        .age()
                        .build());
    }

    private static Printer volumes() {
        return Printer.named()
                .text("Capacity", text("/spec/capacity/storage", "0"))
                .text("Access Modes", (volume, now) -> accessModes(volume.path("spec")))
                .text("Reclaim Policy", text("/spec/persistentVolumeReclaimPolicy"))
                .text("Status", (volume, now) -> phase(volume))
                .text("Claim", (volume, now) -> {
                    JsonNode claim = volume.path("spec").path("claimRef");
                    return claim.isObject() ? text(claim, "namespace") + "/" + text(claim, "name") : "";
                })
                .text("StorageClass", (volume, now) -> storageClass(volume))
                .text("VolumeAttributesClass", (volume, now) -> present(volume, "volumeAttributesClassName"))
                .text("Reason", text("/status/reason"))
                .age()
                .wide()
                .text("VolumeMode", (volume, now) -> present(volume, "volumeMode"))
                .build();
    }

    private static Printer claims() {
        return Printer.named()
                .text("Status", (claim, now) -> phase(claim))
                .text("Volume", text("/spec/volumeName"))
                .text(
                        "Capacity",
                        (claim, now) -> isBound(claim)
                                ? Cells.textOr(
                                        claim.path("status").path("capacity").path("storage"), "0")
                                : "")
                .text("Access Modes", (claim, now) -> isBound(claim) ? accessModes(claim.path("status")) : "")
                .text("StorageClass", (claim, now) -> storageClass(claim))
                .text("VolumeAttributesClass", (claim, now) -> present(claim, "volumeAttributesClassName"))
                .age()
                .wide()
                .text("VolumeMode", (claim, now) -> present(claim, "volumeMode"))
                .build();
    }

    private static boolean isBound(JsonNode claim) {
        return !text(claim.path("spec"), "volumeName").isEmpty();
    }

    private static String phase(JsonNode object) {
        return Cells.isBeingDeleted(object) ? "Terminating" : text(object.path("status"), "phase");
    }

    private static String accessModes(JsonNode holder) {
        List<String> given = texts(holder.path("accessModes"));
        List<String> shown = new ArrayList<>();
        ACCESS_MODES.forEach((mode, abbreviated) -> {
            if (given.contains(mode)) {
                shown.add(abbreviated);
            }
        });
        return String.join(",", shown);
    }

    private static String storageClass(JsonNode object) {
        JsonNode annotations = object.path("metadata").path("annotations");
        return annotations.has(BETA_CLASS)
                ? text(annotations, BETA_CLASS)
                : text(object.path("spec"), "storageClassName");
    }

    private static String present(JsonNode object, String member) {
        return object.path("spec").hasNonNull(member) ? text(object.path("spec"), member) : UNSET;
    }

    private static Printer classes() {
        return Printer.named()
                .text("Provisioner", text("/provisioner"))
                .text("ReclaimPolicy", text("/reclaimPolicy", "Delete"))
                .text("VolumeBindingMode", text("/volumeBindingMode", "Immediate"))
                .text("AllowVolumeExpansion", flag("/allowVolumeExpansion", false))
                .age()
                .page(Printer.PageRule.ONE_DEFAULT)
                .build();
    }

    private static Printer drivers() {
        return Printer.named()
                .flag("AttachRequired", flag("/spec/attachRequired", true))
                .flag("PodInfoOnMount", flag("/spec/podInfoOnMount", false))
                .flag("StorageCapacity", flag("/spec/storageCapacity", false))
                .text("TokenRequests", (driver, now) -> {
                    JsonNode requests = driver.path("spec").path("tokenRequests");
                    return requests.isArray() ? String.join(",", texts(requests, "audience")) : UNSET;
                })
                .flag("RequiresRepublish", flag("/spec/requiresRepublish", false))
                .text("Modes", joined("/spec/volumeLifecycleModes", ",", NONE))
                .age()
                .build();
    }
}
