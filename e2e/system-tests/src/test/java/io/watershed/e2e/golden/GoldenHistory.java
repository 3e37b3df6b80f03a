package io.watershed.e2e.golden;

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
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Replays the recorded history into an empty etcd, one transaction a revision, the values as kube-apiserver wrote them: so every key gets
 * the recorded mod_revision, create_revision and version, and each resourceVersion in an answer comes out the same.
 */
public final class GoldenHistory {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI endpoint;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** On the etcd at a URL like {@code http://127.0.0.1:2379}; through its JSON gateway. */
    public GoldenHistory(String endpoint) {
        this.endpoint = URI.create(endpoint);
    }

    /** Loads from where the etcd stands up to a revision; fails if a revision comes out different. */
    public void loadUntil(long last) {
        long at = revision(call("/v3/kv/range", "{\"key\":\"AA==\"}"));
        // Made ready beforehand: a kube-apiserver on this etcd answers some writes with one of its own, which the
        // recording has as well.
        SortedMap<Long, String> transactions = new TreeMap<>();
        for (String line : GoldenSet.lines("history.jsonl.gz")) {
            JsonNode entry = GoldenSet.json(line);
            long revision = entry.get("revision").longValue();
            if (revision > at && revision <= last) {
                transactions.put(revision, transaction(entry.get("ops")).toString());
            }
        }
        transactions.forEach((revision, transaction) -> {
            long got = revision(call("/v3/kv/txn", transaction));
            if (got != revision) {
                throw new IllegalStateException("revision " + revision + " came out as " + got
                        + ": load into an empty etcd that nobody else writes to");
            }
        });
    }

    private static ObjectNode transaction(JsonNode operations) {
        ObjectNode transaction = JSON.createObjectNode();
        ArrayNode success = transaction.putArray("success");
        for (JsonNode operation : operations) {
            success.addObject().set(operation.has("value") ? "requestPut" : "requestDeleteRange", operation);
        }
        return transaction;
    }

    private static long revision(JsonNode answer) {
        return answer.path("header").path("revision").asLong();
    }

    private JsonNode call(String path, String request) {
        try {
            HttpResponse<String> response = http.send(
                    HttpRequest.newBuilder(endpoint.resolve(path))
                            .timeout(Duration.ofSeconds(60))
                            .POST(HttpRequest.BodyPublishers.ofString(request))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IllegalStateException("etcd " + path + ": " + response.statusCode() + " " + response.body());
            }
            return GoldenSet.json(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException("etcd " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in a call to etcd", e);
        }
    }
}
