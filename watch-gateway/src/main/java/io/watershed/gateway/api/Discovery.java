package io.watershed.gateway.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.catalogue.ResourceType;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** The documents by which clients learn which resources there are: the verbs that read, and those of
 * reviews, since nothing else is served. */
public final class Discovery {
    public static final String AGGREGATED_TYPE = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    private static final List<String> VERBS = List.of("get", "list", "watch");
    private static final List<String> REVIEW_VERBS = List.of("create");
    private static final List<String> SUBRESOURCE_VERBS = List.of("get");

    private Discovery() {}

    /** {@code /api}. {@code address}: HOST:PORT as the client called it. */
    public static String core(String address) {
        StringBuilder out = new StringBuilder(
                "{\"kind\":\"APIVersions\",\"versions\":[\"v1\"],\"serverAddressByClientCIDRs\":[{\"clientCIDR\":\"0.0.0.0/0\",");
        JsonText.member(out, "serverAddress", address);
        return JsonText.close(out, '}').append("]}\n").toString();
    }

    /** {@code /apis}. */
    public static String groups(Resources resources) {
        StringBuilder out = new StringBuilder("{\"kind\":\"APIGroupList\",\"apiVersion\":\"v1\",\"groups\":[");
        for (String group : resources.groups()) {
            out.append('{');
            groupMembers(out, group, resources);
            JsonText.close(out, '}').append(',');
        }
        return JsonText.close(out, ']').append("}\n").toString();
    }

    /** {@code /apis/GROUP}. */
    public static String group(String group, Resources resources) {
        StringBuilder out = new StringBuilder("{\"kind\":\"APIGroup\",\"apiVersion\":\"v1\",");
        groupMembers(out, group, resources);
        return JsonText.close(out, '}').append('\n').toString();
    }

    private static void groupMembers(StringBuilder out, String group, Resources resources) {
        JsonText.member(out, "name", group);
        out.append("\"versions\":[");
        for (String version : resources.versions(group)) {
            groupVersion(out, group, version).append(',');
        }
        JsonText.close(out, ']').append(",\"preferredVersion\":");
        groupVersion(out, group, resources.versions(group).get(0));
    }

    private static StringBuilder groupVersion(StringBuilder out, String group, String version) {
        out.append('{');
        JsonText.member(out, "groupVersion", group + "/" + version);
        JsonText.member(out, "version", version);
        return JsonText.close(out, '}');
    }

    /** {@code /api/v1} and {@code /apis/GROUP/VERSION}. */
    public static String resources(String group, String version, Resources resources) {
        StringBuilder out = new StringBuilder("{\"kind\":\"APIResourceList\",");
        if (!group.isEmpty()) {
            out.append("\"apiVersion\":\"v1\",");
        }
        JsonText.member(out, "groupVersion", group.isEmpty() ? version : group + "/" + version);
        out.append("\"resources\":[");
        for (ResourceType type : resources.of(group, version)) {
            out.append('{');
            JsonText.member(out, "name", type.plural());
            JsonText.member(out, "singularName", type.singular());
            out.append("\"namespaced\":").append(type.namespaced()).append(',');
            JsonText.member(out, "kind", type.kind());
            JsonText.array(out.append("\"verbs\":"), verbs(type)).append(',');
            if (!type.shortNames().isEmpty()) {
                JsonText.array(out.append("\"shortNames\":"), type.shortNames()).append(',');
            }
            if (!type.categories().isEmpty()) {
                JsonText.array(out.append("\"categories\":"), type.categories()).append(',');
            }
            JsonText.close(out, '}').append(',');
            if (resources.scale(type) != null) {
                scale(out, type);
            }
            if (type.hasStatus()) {
                status(out, type);
            }
        }
        return JsonText.close(out, ']').append("}\n").toString();
    }

    private static List<String> verbs(ResourceType type) {
        List<String> extension = Extension.verbs(type);
        if (extension != null) {
            return extension;
        }
        return SelfReview.isOne(type) ? REVIEW_VERBS : VERBS;
    }

    private static void scale(StringBuilder out, ResourceType type) {
        out.append('{');
        JsonText.member(out, "name", type.plural() + "/scale");
        out.append("\"singularName\":\"\",\"namespaced\":")
                .append(type.namespaced())
                .append(',');
        JsonText.member(out, "group", "autoscaling");
        JsonText.member(out, "version", "v1");
        JsonText.member(out, "kind", "Scale");
        JsonText.array(out.append("\"verbs\":"), SUBRESOURCE_VERBS).append("},");
    }

    private static void status(StringBuilder out, ResourceType type) {
        out.append('{');
        JsonText.member(out, "name", type.plural() + "/status");
        out.append("\"singularName\":\"\",\"namespaced\":")
                .append(type.namespaced())
                .append(',');
        JsonText.member(out, "kind", type.kind());
        JsonText.array(out.append("\"verbs\":"), SUBRESOURCE_VERBS).append("},");
    }

    /** The one-document form: of the core group for {@code /api}, of all others for {@code /apis}. */
    public static String aggregated(boolean core, Resources resources) {
        StringBuilder out = new StringBuilder(
                "{\"kind\":\"APIGroupDiscoveryList\",\"apiVersion\":\"apidiscovery.k8s.io/v2\",\"metadata\":{},\"items\":[");
        for (String group : core ? List.of("") : resources.groups()) {
            out.append("{\"metadata\":{");
            if (!core) {
                JsonText.member(out, "name", group);
            }
            JsonText.close(out, '}').append(",\"versions\":[");
            for (String version : resources.versions(group)) {
                out.append('{');
                JsonText.member(out, "version", version);
                out.append("\"resources\":[");
                resources.of(group, version).forEach(type -> aggregated(out, type, resources));
                JsonText.close(out, ']').append(",\"freshness\":\"Current\"},");
            }
            JsonText.close(out, ']').append("},");
        }
        return JsonText.close(out, ']').append("}\n").toString();
    }

    private static void aggregated(StringBuilder out, ResourceType type, Resources resources) {
        out.append('{');
        JsonText.member(out, "resource", type.plural());
        responseKind(out, type);
        JsonText.member(out, "scope", type.namespaced() ? "Namespaced" : "Cluster");
        JsonText.member(out, "singularResource", type.singular());
        JsonText.array(out.append("\"verbs\":"), verbs(type)).append(',');
        if (!type.shortNames().isEmpty()) {
            JsonText.array(out.append("\"shortNames\":"), type.shortNames()).append(',');
        }
        if (!type.categories().isEmpty()) {
            JsonText.array(out.append("\"categories\":"), type.categories()).append(',');
        }
        boolean scales = resources.scale(type) != null;
        if (scales || type.hasStatus()) {
            out.append("\"subresources\":[");
            if (scales) {
                out.append("{\"subresource\":\"scale\",\"responseKind\":{\"group\":\"autoscaling\",\"version\":\"v1\","
                        + "\"kind\":\"Scale\"},");
                JsonText.array(out.append("\"verbs\":"), SUBRESOURCE_VERBS).append("},");
            }
            if (type.hasStatus()) {
                out.append("{\"subresource\":\"status\",");
                responseKind(out, type);
                JsonText.array(out.append("\"verbs\":"), SUBRESOURCE_VERBS).append('}');
            }
            JsonText.close(out, ']').append(',');
        }
        JsonText.close(out, '}').append(',');
    }

    /** Built-in ones leave out what their group version says already. */
    private static void responseKind(StringBuilder out, ResourceType type) {
        boolean own = Resources.isBuiltIn(type.group());
        out.append("\"responseKind\":{");
        JsonText.member(out, "group", own ? "" : type.group());
        JsonText.member(out, "version", own ? "" : type.version());
        JsonText.member(out, "kind", type.kind());
        JsonText.close(out, '}').append(',');
    }

    /**
     * {@code /version}. Clients compare major and minor with what they were made for: the Kubernetes whose answers these are.
     *
     * @param own the gateway's own version
     */
    public static String version(String own) {
        StringBuilder out = new StringBuilder(
                "{\"major\":\"1\",\"minor\":\"37\",\"emulationMajor\":\"1\",\"emulationMinor\":\"37\","
                        + "\"minCompatibilityMajor\":\"1\",\"minCompatibilityMinor\":\"36\",");
        JsonText.member(out, "gitVersion", "v1.37.0+watershed-" + own);
        out.append(
                "\"gitCommit\":\"\",\"gitTreeState\":\"clean\",\"buildDate\":\"1970-01-01T00:00:00Z\",\"goVersion\":\"\","
                        + "\"compiler\":\"javac\",");
        JsonText.member(
                out, "platform", "java/" + System.getProperty("os.arch", "").toLowerCase(Locale.ROOT));
        return new String(
                JsonIndenter.indented(JsonText.close(out, '}').toString().getBytes(UTF_8)), UTF_8);
    }

    /** The entity tag of a document. */
    public static String tag(String document) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-512").digest(document.getBytes(UTF_8));
            return "\"" + HexFormat.of().withUpperCase().formatHex(hash) + "\"";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-512", e);
        }
    }
}
