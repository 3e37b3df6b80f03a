package io.watershed.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes to etcd through its own JSON gateway, so that the tests need none of our etcd code. Each write returns its revision. */
final class EtcdWriter {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI endpoint;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    EtcdWriter(String endpoint) {
        this.endpoint = URI.create(endpoint);
    }

    long put(String key, String value) {
        return put(key, value.getBytes(UTF_8), 0);
    }

    long put(String key, byte[] value, long lease) {
        return revision(call("/v3/kv/put", putRequest(key, value, lease)));
    }

    /** A key of any bytes. */
    long put(byte[] key, byte[] value) {
        ObjectNode request = JSON.createObjectNode()
                .put("key", Base64.getEncoder().encodeToString(key))
                .put("value", Base64.getEncoder().encodeToString(value));
        return revision(call("/v3/kv/put", request));
    }

    /** Puts all of them in one transaction, to end with the lease. */
    long putTogether(Collection<String> keys, String value, long lease) {
        ArrayNode operations = JSON.createArrayNode();
        keys.forEach(key -> operations.addObject().set("request_put", putRequest(key, value.getBytes(UTF_8), lease)));
        return revision(call("/v3/kv/txn", JSON.createObjectNode().set("success", operations)));
    }

    long delete(String key) {
        return revision(call("/v3/kv/deleterange", JSON.createObjectNode().put("key", base64(key))));
    }

    long deletePrefix(String prefix) {
        byte[] end = prefix.getBytes(UTF_8);
        end[end.length - 1]++;
        ObjectNode request = JSON.createObjectNode()
                .put("key", base64(prefix))
                .put("range_end", Base64.getEncoder().encodeToString(end));
        return revision(call("/v3/kv/deleterange", request));
    }

    /** One transaction; a null value deletes. */
    long transaction(Map<String, @Nullable String> writes) {
        ArrayNode operations = JSON.createArrayNode();
        writes.forEach((key, value) -> {
            ObjectNode operation = operations.addObject();
            if (value == null) {
                operation.set("request_delete_range", JSON.createObjectNode().put("key", base64(key)));
            } else {
                operation.set("request_put", putRequest(key, value.getBytes(UTF_8), 0));
            }
        });
        return revision(call("/v3/kv/txn", JSON.createObjectNode().set("success", operations)));
    }

    void compact(long revision) {
        call(
                "/v3/kv/compaction",
                JSON.createObjectNode().put("revision", revision).put("physical", true));
    }

    long grantLease(long seconds) {
        return call("/v3/lease/grant", JSON.createObjectNode().put("TTL", seconds))
                .get("ID")
                .asLong();
    }

    /** Deletes every key of the lease, in one revision. */
    void revokeLease(long id) {
        call("/v3/lease/revoke", JSON.createObjectNode().put("ID", id));
    }

    long head() {
        ObjectNode request = JSON.createObjectNode().put("key", base64("\0")).put("count_only", true);
        return revision(call("/v3/kv/range", request));
    }

    /** Key to mod_revision of everything under the prefix. */
    Map<String, Long> list(String prefix) {
        byte[] end = prefix.getBytes(UTF_8);
        end[end.length - 1]++;
        ObjectNode request = JSON.createObjectNode()
                .put("key", base64(prefix))
                .put("range_end", Base64.getEncoder().encodeToString(end))
                .put("keys_only", true);
        Map<String, Long> found = new LinkedHashMap<>();
        for (JsonNode kv : call("/v3/kv/range", request).path("kvs")) {
            found.put(
                    new String(Base64.getDecoder().decode(kv.get("key").asText()), UTF_8),
                    kv.get("mod_revision").asLong());
        }
        return found;
    }

    private static ObjectNode putRequest(String key, byte[] value, long lease) {
        ObjectNode request = JSON.createObjectNode()
                .put("key", base64(key))
                .put("value", Base64.getEncoder().encodeToString(value));
        return lease == 0 ? request : request.put("lease", lease);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private static long revision(JsonNode answer) {
        return answer.at("/header/revision").asLong();
    }

    private JsonNode call(String path, JsonNode request) {
        try {
            HttpResponse<String> response = http.send(
                    HttpRequest.newBuilder(endpoint.resolve(path))
                            .timeout(Duration.ofSeconds(60))
                            .POST(HttpRequest.BodyPublishers.ofString(request.toString()))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IllegalStateException("etcd " + path + ": " + response.statusCode() + " " + response.body());
            }
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException("etcd " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in a call to etcd", e);
        }
    }
}
