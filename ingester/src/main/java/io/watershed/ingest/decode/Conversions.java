package io.watershed.ingest.decode;

import io.watershed.ingest.decode.StoredVersions.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects of older versions as today's, in place. Members that a conversion does not name stay as they are. */
final class Conversions {
    private static final String PDB_LABEL = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";

    private Conversions() {}

    static void apply(Step step, Map<String, @Nullable Object> object) {
        switch (step) {
            case CUSTOM_RESOURCE_DEFINITION -> DefinitionConversion.apply(object);
            case EVENT -> event(object);
            case INGRESS -> ingress(object);
            case DISRUPTION_BUDGET -> disruptionBudget(object);
            case CERTIFICATE_REQUEST -> certificateRequest(object);
            case NONE, RENAME, IMPOSSIBLE -> {}
        }
    }

    /** events.k8s.io has other names for what v1 has; what v1 always shows is filled in. */
    private static void event(Map<String, @Nullable Object> event) {
        Members.rename(event, "regarding", "involvedObject");
        Members.rename(event, "note", "message");
        Members.rename(event, "reportingController", "reportingComponent");
        Members.rename(event, "deprecatedSource", "source");
        Members.rename(event, "deprecatedFirstTimestamp", "firstTimestamp");
        Members.rename(event, "deprecatedLastTimestamp", "lastTimestamp");
        Members.rename(event, "deprecatedCount", "count");
        Members.child(event, "involvedObject");
        Members.child(event, "source");
        for (String time : List.of("firstTimestamp", "lastTimestamp", "eventTime")) {
            event.putIfAbsent(time, null);
        }
        Members.orSet(event, "reportingComponent", "");
        Members.orSet(event, "reportingInstance", "");
    }

    private static void ingress(Map<String, @Nullable Object> ingress) {
        Map<String, @Nullable Object> spec = Members.child(ingress, "spec");
        Members.rename(spec, "backend", "defaultBackend");
        backend(Members.object(spec, "defaultBackend"));
        for (Map<String, @Nullable Object> rule : Members.objects(spec, "rules")) {
            Map<String, @Nullable Object> http = Members.object(rule, "http");
            for (Map<String, @Nullable Object> path :
                    http == null ? List.<Map<String, @Nullable Object>>of() : Members.objects(http, "paths")) {
                Members.orSet(path, "pathType", "ImplementationSpecific");
                backend(Members.child(path, "backend"));
            }
        }
        Members.child(Members.child(ingress, "status"), "loadBalancer");
    }

    private static void backend(@Nullable Map<String, @Nullable Object> backend) {
        if (backend == null) {
            return;
        }
        Object name = backend.remove("serviceName");
        Object port = backend.remove("servicePort");
        boolean numbered =
                port instanceof JsonTree.Digits digits && !digits.text().equals("0");
        boolean named = port instanceof String;
        if ("".equals(name == null ? "" : name) && !numbered && !named) {
            return;
        }
        Map<String, @Nullable Object> service = Members.child(backend, "service");
        service.put("name", name == null ? "" : name);
        Map<String, @Nullable Object> reference = Members.child(service, "port");
        if (numbered) {
            reference.put("number", port);
        } else if (named && !"".equals(port)) {
            reference.put("name", port);
        }
    }

    /** In v1beta1 an empty selector matched nothing, in v1 it matches everything; a label that no pod has says which is meant. */
    private static void disruptionBudget(Map<String, @Nullable Object> budget) {
        Map<String, @Nullable Object> spec = Members.child(budget, "spec");
        Map<String, @Nullable Object> selector = Members.object(spec, "selector");
        if (selector == null) {
            return;
        }
        Map<String, @Nullable Object> labels = Members.object(selector, "matchLabels");
        boolean noLabels = labels == null || labels.isEmpty();
        List<Map<String, @Nullable Object>> expressions = Members.objects(selector, "matchExpressions");
        if (noLabels && expressions.isEmpty()) {
            Map<String, @Nullable Object> none = new LinkedHashMap<>();
            none.put("key", PDB_LABEL);
            none.put("operator", "Exists");
            selector.put("matchExpressions", List.of(none));
            return;
        }
        if (labels != null && labels.remove(PDB_LABEL) != null && labels.isEmpty()) {
            selector.remove("matchLabels");
        }
        List<@Nullable Object> kept = new ArrayList<>();
        expressions.stream()
                .filter(expression -> !Members.text(expression, "key").equals(PDB_LABEL))
                .forEach(kept::add);
        if (kept.isEmpty()) {
            selector.remove("matchExpressions");
        } else {
            selector.put("matchExpressions", kept);
        }
    }

    /** v1 no longer has the key apart from the request. */
    private static void certificateRequest(Map<String, @Nullable Object> request) {
        Map<String, @Nullable Object> spec = Members.child(request, "spec");
        spec.remove("pkixPublicKey");
        spec.remove("proofOfPossession");
    }
}
