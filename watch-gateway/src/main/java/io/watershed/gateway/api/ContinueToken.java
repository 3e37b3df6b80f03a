package io.watershed.gateway.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Base64;

/**
 * Where the next page of a list begins, in Kubernetes' form, so that any gateway goes on where another stopped.
 *
 * @param resourceVersion the revision of all pages; −1: whatever is the newest
 * @param after the last path that was sent, {@code /namespace/name} or {@code /name} below the list
 */
public record ContinueToken(long resourceVersion, String after) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static ContinueToken parse(String token) throws ApiFailure {
        JsonNode tree;
        try {
            tree = JSON.readTree(Base64.getUrlDecoder().decode(token));
        } catch (IllegalArgumentException | IOException e) {
            throw invalid("it is not what this server hands out");
        }
        String start = tree.path("start").asText("");
        long revision = tree.path("rv").asLong(0);
        if (!tree.path("v").asText("").equals("meta.k8s.io/v1")) {
            throw invalid("unrecognized encoded continue version");
        }
        if (revision == 0 || revision < -1) {
            throw invalid("incorrect encoded start resourceVersion");
        }
        String path = start.endsWith("\0") ? start.substring(0, start.length() - 1) : start;
        // It is put behind the list's prefix as it is, and nothing resolves dots: whatever follows a slash lies below
        // the list.
        if (path.length() < 2 || path.charAt(0) != '/') {
            throw invalid("incorrect encoded start key");
        }
        return new ContinueToken(revision, path);
    }

    private static ApiFailure invalid(String why) {
        return new ApiFailure(Status.badRequest("invalid continue token: continue key is not valid: " + why));
    }

    public String text() {
        String json = JSON.createObjectNode()
                .put("v", "meta.k8s.io/v1")
                .put("rv", resourceVersion)
                .put("start", after + "\0")
                .toString();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(UTF_8));
    }
}
