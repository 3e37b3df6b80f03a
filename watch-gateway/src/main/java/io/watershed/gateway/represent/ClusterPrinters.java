package io.watershed.gateway.represent;

import static io.watershed.gateway.represent.Cells.NONE;
import static io.watershed.gateway.represent.Cells.UNSET;
import static io.watershed.gateway.represent.Cells.count;
import static io.watershed.gateway.represent.Cells.isTrue;
import static io.watershed.gateway.represent.Cells.joined;
import static io.watershed.gateway.represent.Cells.labels;
import static io.watershed.gateway.represent.Cells.number;
import static io.watershed.gateway.represent.Cells.numberOr;
import static io.watershed.gateway.represent.Cells.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What a cluster is run by: access, admission, certificates, flow control, and the API's own kinds. */
final class ClusterPrinters {
    private static final String RBAC = ".rbac.authorization.k8s.io";
    private static final String ADMISSION = ".admissionregistration.k8s.io";
    private static final String CERTIFICATES = ".certificates.k8s.io";

    private ClusterPrinters() {}

    static void addTo(Map<String, Printer> printers) {
        printers.put("rolebindings" + RBAC, bindings());
        printers.put("clusterrolebindings" + RBAC, bindings());
        addAdmission(printers);
        printers.put("certificatesigningrequests" + CERTIFICATES, signingRequests());
        printers.put(
                "clustertrustbundles" + CERTIFICATES,
                Printer.named()
                        .text("SignerName", text("/spec/signerName", NONE))
                        .build());
        printers.put("podcertificaterequests" + CERTIFICATES, podCertificateRequests());
        printers.put("flowschemas.flowcontrol.apiserver.k8s.io", flowSchemas());
        printers.put("prioritylevelconfigurations.flowcontrol.apiserver.k8s.io", priorityLevels());
        printers.put("customresourcedefinitions.apiextensions.k8s.io", definitions());
        printers.put("apiservices.apiregistration.k8s.io", apiServices());
        printers.put(
                "storageversionmigrations.storagemigration.k8s.io",
                Printer.empty()
                        .text("Name", text("/metadata/name"))
                        .text("Resource", (migration, now) -> {
                            JsonNode resource = migration.path("spec").path("resource");
                            String group = text(resource, "group");
                            return text(resource, "resource") + (group.isEmpty() ? "" : "." + group);
                        })
                        .text("Status", (migration, now) -> {
                            String last = "Unknown";
                            for (JsonNode condition : conditions(migration)) {
                                String type = text(condition, "type");
                                if (Set.of("Running", "Failed", "Succeeded").contains(type)
                                        && text(condition, "status").equals("True")) {
                                    last = type;
                                }
                            }
                            return last;
                        })
                        .build());
        printers.put(
                "storageversions.internal.apiserver.k8s.io",
                Printer.named()
                        .text("CommonEncodingVersion", text("/status/commonEncodingVersion", UNSET))
                        .text("StorageVersions", (version, now) -> {
                            List<String> versions = new ArrayList<>();
                            for (JsonNode server : version.path("status").path("storageVersions")) {
                                versions.add(text(server, "apiServerID") + "=" + text(server, "encodingVersion"));
                            }
                            return versions.isEmpty() ? UNSET : Cells.firstThree(versions);
                        })
                        .age()
                        .build());
    }

    private static JsonNode conditions(JsonNode object) {
        return object.path("status").path("conditions");
    }

    private static Printer bindings() {
        return Printer.named()
                .text("Role", (binding, now) -> {
                    JsonNode role = binding.path("roleRef");
                    return text(role, "kind") + "/" + text(role, "name");
                })
                .age()
                .wide()
                .text("Users", (binding, now) -> subjects(binding, "User"))
                .text("Groups", (binding, now) -> subjects(binding, "Group"))
                .text("ServiceAccounts", (binding, now) -> subjects(binding, "ServiceAccount"))
                .build();
    }

    private static String subjects(JsonNode binding, String kind) {
        List<String> names = new ArrayList<>();
        for (JsonNode subject : binding.path("subjects")) {
            if (text(subject, "kind").equals(kind)) {
                String namespace = kind.equals("ServiceAccount") ? text(subject, "namespace") + "/" : "";
                names.add(namespace + text(subject, "name"));
            }
        }
        return String.join(", ", names);
    }

    private static void addAdmission(Map<String, Printer> printers) {
        for (String kind : List.of("mutating", "validating")) {
            printers.put(
                    kind + "webhookconfigurations" + ADMISSION,
                    Printer.named()
                            .integer("Webhooks", count("/webhooks"))
                            .age()
                            .build());
            printers.put(
                    kind + "admissionpolicybindings" + ADMISSION,
                    Printer.named()
                            .text("PolicyName", text("/spec/policyName"))
                            .text(
                                    "ParamRef",
                                    (binding, now) ->
                                            parameters(binding.path("spec").path("paramRef")))
                            .age()
                            .build());
        }
        printers.put("mutatingadmissionpolicies" + ADMISSION, policies("Mutations", "/spec/mutations"));
        printers.put("validatingadmissionpolicies" + ADMISSION, policies("Validations", "/spec/validations"));
    }

    private static Printer policies(String counted, String pointer) {
        return Printer.named()
                .integer(counted, count(pointer))
                .text("ParamKind", (policy, now) -> {
                    JsonNode kind = policy.path("spec").path("paramKind");
                    return kind.isObject() ? text(kind, "apiVersion") + "/" + text(kind, "kind") : UNSET;
                })
                .age()
                .build();
    }

    /** A selector is shown as clients write it, not as Go prints its structures. */
    private static String parameters(JsonNode reference) {
        String name = text(reference, "name");
        if (!name.isEmpty()) {
            return Cells.orElse(text(reference, "namespace"), "*") + "/" + name;
        }
        JsonNode selector = reference.path("selector");
        return selector.isObject() ? Cells.selector(selector, NONE, "<error>") : UNSET;
    }

    private static Printer signingRequests() {
        return Printer.named()
                .age()
                .text("SignerName", text("/spec/signerName", NONE))
                .text("Requestor", text("/spec/username"))
                .text("RequestedDuration", (request, now) -> {
                    JsonNode seconds = request.path("spec").path("expirationSeconds");
                    return seconds.isNumber() ? Age.of(Duration.ofSeconds(seconds.asLong())) : NONE;
                })
                .text("Condition", (request, now) -> signingState(request))
                .build();
    }

    private static String signingState(JsonNode request) {
        List<String> types = Cells.texts(conditions(request), "type");
        String state = types.contains("Denied") ? "Denied" : types.contains("Approved") ? "Approved" : "Pending";
        return state
                + (types.contains("Failed") ? ",Failed" : "")
                + (text(request.path("status"), "certificate").isEmpty() ? "" : ",Issued");
    }

    private static Printer podCertificateRequests() {
        return Printer.named()
                .text("PodName", text("/spec/podName"))
                .text("ServiceAccountName", text("/spec/serviceAccountName"))
                .text("NodeName", text("/spec/nodeName"))
                .text("SignerName", text("/spec/signerName"))
                .text("State", (request, now) -> {
                    List<String> types = new ArrayList<>(Cells.texts(conditions(request), "type"));
                    types.retainAll(Set.of("Issued", "Denied", "Failed"));
                    return types.isEmpty() ? "Pending" : types.get(types.size() - 1);
                })
                .text("UnverifiedUserAnnotations", labels("/spec/unverifiedUserAnnotations"))
                .build();
    }

    private static Printer flowSchemas() {
        return Printer.named()
                .text("PriorityLevel", text("/spec/priorityLevelConfiguration/name"))
                .text("MatchingPrecedence", number("/spec/matchingPrecedence"))
                .text("DistinguisherMethod", text("/spec/distinguisherMethod/type", NONE))
                .age()
                .text("MissingPL", (schema, now) -> {
                    JsonNode dangling = Cells.condition(schema, "Dangling");
                    return dangling.isMissingNode() ? "?" : text(dangling, "status");
                })
                .page(Printer.PageRule.BY_PRECEDENCE)
                .build();
    }

    private static Printer priorityLevels() {
        String queuing = "/spec/limited/limitResponse/queuing/";
        return Printer.named()
                .text("Type", text("/spec/type"))
                .text("NominalConcurrencyShares", numberOr("/spec/limited/nominalConcurrencyShares", NONE))
                .text("Queues", numberOr(queuing + "queues", NONE))
                .text("HandSize", numberOr(queuing + "handSize", NONE))
                .text("QueueLengthLimit", numberOr(queuing + "queueLengthLimit", NONE))
                .age()
                .build();
    }

    private static Printer definitions() {
        return Printer.named()
                .text("Scope", text("/spec/scope"))
                .text("Versions", (definition, now) -> {
                    TreeSet<String> served = new TreeSet<>();
                    for (JsonNode version : definition.path("spec").path("versions")) {
                        if (version.path("served").asBoolean()) {
                            boolean stored = version.path("storage").asBoolean();
                            served.add(text(version, "name") + (stored ? "(storage)" : ""));
                        }
                    }
                    return String.join(",", served);
                })
                .createdAt()
                .wide()
                .text("Group", text("/spec/group"))
                .text("Kind", text("/spec/names/kind"))
                .text("ShortNames", joined("/spec/names/shortNames", ",", ""))
                .flag("Established", (definition, now) -> isTrue(definition, "Established"))
                .build();
    }

    private static Printer apiServices() {
        return Printer.named()
                .text("Service", (api, now) -> {
                    JsonNode service = api.path("spec").path("service");
                    return service.isObject() ? text(service, "namespace") + "/" + text(service, "name") : "Local";
                })
                .text("Available", (api, now) -> {
                    JsonNode available = Cells.condition(api, "Available");
                    String status = text(available, "status");
                    String reason = text(available, "reason");
                    return available.isMissingNode()
                            ? "Unknown"
                            : status + (status.equals("True") || reason.isEmpty() ? "" : " (" + reason + ")");
                })
                .age()
                .build();
    }
}
