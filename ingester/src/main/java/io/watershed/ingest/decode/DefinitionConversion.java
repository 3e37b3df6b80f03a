package io.watershed.ingest.decode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A CustomResourceDefinition of v1beta1, which is how every release stores them, as v1: what v1beta1 can say once for all versions moves
 * into each of them.
 */
final class DefinitionConversion {
    private static final int HTTPS = 443;

    private DefinitionConversion() {}

    static void apply(Map<String, @Nullable Object> definition) {
        Map<String, @Nullable Object> spec = Members.child(definition, "spec");
        defaults(spec);
        List<Map<String, @Nullable Object>> versions = versions(spec);
        moveInto(versions, spec, "validation", "schema");
        moveInto(versions, spec, "subresources", "subresources");
        moveInto(versions, spec, "additionalPrinterColumns", "additionalPrinterColumns");
        moveInto(versions, spec, "selectableFields", "selectableFields");
        for (Map<String, @Nullable Object> version : versions) {
            Members.objects(version, "additionalPrinterColumns")
                    .forEach(column -> Members.rename(column, "JSONPath", "jsonPath"));
        }
        conversion(Members.child(spec, "conversion"));
        if (Boolean.FALSE.equals(spec.get("preserveUnknownFields"))) {
            spec.remove("preserveUnknownFields");
        } else {
            spec.put("preserveUnknownFields", true);
        }
        storedVersions(definition, versions);
    }

    private static void defaults(Map<String, @Nullable Object> spec) {
        Members.orSetText(spec, "scope", "Namespaced");
        Map<String, @Nullable Object> names = Members.child(spec, "names");
        String kind = Members.text(names, "kind");
        Members.orSetText(names, "singular", kind.toLowerCase(Locale.ROOT));
        if (!kind.isEmpty()) {
            Members.orSetText(names, "listKind", kind + "List");
        }
    }

    private static List<Map<String, @Nullable Object>> versions(Map<String, @Nullable Object> spec) {
        Object only = spec.remove("version");
        if (Members.isEmptyList(spec, "versions") && only instanceof String name && !name.isEmpty()) {
            Map<String, @Nullable Object> version = new LinkedHashMap<>();
            version.put("name", name);
            version.put("served", true);
            version.put("storage", true);
            List<@Nullable Object> versions = new ArrayList<>();
            versions.add(version);
            spec.put("versions", versions);
        }
        return Members.objects(spec, "versions");
    }

    private static void moveInto(
            List<Map<String, @Nullable Object>> versions,
            Map<String, @Nullable Object> spec,
            String member,
            String versionMember) {
        Object value = spec.remove(member);
        if (value != null) {
            versions.forEach(version -> version.put(versionMember, value));
        }
    }

    private static void conversion(Map<String, @Nullable Object> conversion) {
        Members.orSetText(conversion, "strategy", "None");
        Object client = conversion.remove("webhookClientConfig");
        Object reviews = conversion.remove("conversionReviewVersions");
        boolean webhook = Members.text(conversion, "strategy").equals("Webhook");
        if (webhook && (!(reviews instanceof List<?> list) || list.isEmpty())) {
            reviews = List.of("v1beta1");
        }
        if (client == null && reviews == null) {
            return;
        }
        Map<String, @Nullable Object> moved = Members.child(conversion, "webhook");
        Map<String, @Nullable Object> config = Members.object(client);
        if (config != null) {
            Map<String, @Nullable Object> service = Members.object(config, "service");
            if (service != null) {
                Members.orSet(service, "port", new JsonTree.Digits(Integer.toString(HTTPS)));
            }
            moved.put("clientConfig", config);
        }
        moved.put("conversionReviewVersions", reviews);
    }

    private static void storedVersions(
            Map<String, @Nullable Object> definition, List<Map<String, @Nullable Object>> versions) {
        Map<String, @Nullable Object> status = Members.child(definition, "status");
        if (Members.isEmptyList(status, "storedVersions")) {
            versions.stream()
                    .filter(version -> Boolean.TRUE.equals(version.get("storage")))
                    .findFirst()
                    .ifPresent(version -> status.put("storedVersions", List.of(Members.text(version, "name"))));
        }
    }
}
