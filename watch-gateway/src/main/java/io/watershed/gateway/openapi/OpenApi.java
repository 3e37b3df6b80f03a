package io.watershed.gateway.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.watershed.gateway.api.CustomDefinition;
import io.watershed.gateway.api.Resources;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The documents, one a group and version, and their index. Documents are made when they are asked for, one at a time; only their hashes
 * are kept, as the index has all of them.
 *
 * <p><em>Threads:</em> any but an event loop's: large definitions take their time.
 */
public final class OpenApi {
    private static final String ROOT = "/openapi/v3/";

    /** What a hash was made of, so that it is made anew when that changes. */
    private record Hashed(List<CustomDefinition.Version> versions, String hash) {}

    /**
     * One document.
     *
     * @param hash of the JSON, in hexadecimal digits: the same for the same JSON on every gateway
     */
    public record Document(String json, String hash) {}

    private Map<String, Hashed> hashes = new HashMap<>();

    /** The index as JSON: where the document of each group and version is. Built-in resources have none. */
    public synchronized String index(Resources resources) {
        SortedMap<String, List<CustomDefinition.Version>> defined = resources.definedByGroupVersion();
        Map<String, Hashed> now = new HashMap<>();
        ObjectNode index = JsonNodeFactory.instance.objectNode();
        ObjectNode paths = index.putObject("paths");
        defined.forEach((groupVersion, versions) -> {
            Hashed known = hashes.get(groupVersion);
            Hashed hashed = known != null && known.versions().equals(versions)
                    ? known
                    : new Hashed(versions, make(groupVersion, versions).hash());
            now.put(groupVersion, hashed);
            paths.putObject("apis/" + groupVersion).put("serverRelativeURL", url(groupVersion, hashed.hash()));
        });
        hashes = now;
        return index.toString();
    }

    /** The document of a group and version, {@code GROUP/VERSION}; null for none. */
    public synchronized @Nullable Document document(Resources resources, String groupVersion) {
        List<CustomDefinition.Version> versions =
                resources.definedByGroupVersion().get(groupVersion);
        return versions == null ? null : make(groupVersion, versions);
    }

    /** Where a document of this hash is. */
    public static String url(String groupVersion, String hash) {
        return ROOT + "apis/" + groupVersion + "?hash=" + hash;
    }

    private static Document make(String groupVersion, List<CustomDefinition.Version> versions) {
        String json = new GroupVersionDocument(groupVersion).of(versions).toString();
        try {
            byte[] hash = MessageDigest.getInstance("SHA-512").digest(json.getBytes(UTF_8));
            return new Document(json, HexFormat.of().withUpperCase().formatHex(hash));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-512", e);
        }
    }
}
