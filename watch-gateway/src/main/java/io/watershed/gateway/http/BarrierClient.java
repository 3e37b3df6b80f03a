package io.watershed.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import io.watershed.gateway.cache.CacheView;
import io.watershed.gateway.cache.WatchCache;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Asks the ingester for etcd's present revision. One request at a time; a question joins only a request that has not started (B1), so
 * that the answer is not older than the question.
 *
 * <p><em>Threads:</em> one an event loop, confined to it.
 */
final class BarrierClient {
    private static final long TIMEOUT_SECONDS = 3;

    private final WatchCache cache;
    private final HttpClient client;
    private List<Promise<Long>> waiting = new ArrayList<>();
    private boolean running;

    BarrierClient(Vertx vertx, WatchCache cache) {
        this.cache = cache;
        this.client = vertx.createHttpClient(new HttpClientOptions()
                .setConnectTimeout((int) TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS))
                .setKeepAlive(true));
    }

    /** Fails when no ingester answers in time, or one of another history. */
    Future<Long> revision() {
        Promise<Long> promise = Promise.promise();
        waiting.add(promise);
        ask();
        return promise.future();
    }

    private void ask() {
        if (running || waiting.isEmpty()) {
            return;
        }
        running = true;
        List<Promise<Long>> asked = waiting;
        waiting = new ArrayList<>();
        request().onComplete(answer -> {
            running = false;
            for (Promise<Long> one : asked) {
                if (answer.succeeded()) {
                    one.complete(answer.result());
                } else {
                    one.fail(answer.cause());
                }
            }
            ask();
        });
    }

    private Future<Long> request() {
        String address = cache.health().barrierAddress();
        if (address == null) {
            return Future.failedFuture("no ingester has told its address");
        }
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setAbsoluteURI(address + "/barrier")
                .setIdleTimeout(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
        return client.request(options)
                .compose(request -> request.send())
                .compose(this::read)
                .timeout(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    }

    private Future<Long> read(HttpClientResponse response) {
        return response.body().compose(body -> {
            if (response.statusCode() != 200) {
                return Future.failedFuture("the barrier answered " + response.statusCode());
            }
            return revision(body);
        });
    }

    private Future<Long> revision(Buffer body) {
        JsonObject answer = body.toJsonObject();
        CacheView view = cache.view();
        Long revision = answer.getLong("revision");
        if (revision == null
                || view.generation() == null
                || !view.generation().toString().equals(answer.getString("generation"))) {
            return Future.failedFuture("the barrier answered for another history");
        }
        return Future.succeededFuture(revision);
    }
}
