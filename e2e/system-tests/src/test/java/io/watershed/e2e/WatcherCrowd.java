package io.watershed.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;

/** Very many watches of the same path on a few threads. Of what each gets it keeps the number of lines and a checksum. */
final class WatcherCrowd implements AutoCloseable {
    /** Filled by the event loop of its connection; the counters are read by the test. */
    private static final class Watcher {
        final CRC32C checksum = new CRC32C();
        final AtomicInteger lines = new AtomicInteger();
        volatile long digest;

        void accept(Buffer chunk) {
            byte[] bytes = chunk.getBytes();
            checksum.update(bytes);
            digest = checksum.getValue();
            int ends = 0;
            for (byte b : bytes) {
                if (b == '\n') {
                    ends++;
                }
            }
            lines.addAndGet(ends);
        }
    }

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(2));
    private final HttpClient client;
    private final List<Watcher> watchers = new ArrayList<>();
    private final AtomicInteger opened = new AtomicInteger();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();

    private WatcherCrowd(int count) {
        client = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(count));
    }

    /** Returns when all of them have their headers. */
    static WatcherCrowd open(String url, int count) {
        WatcherCrowd crowd = new WatcherCrowd(count);
        for (int i = 0; i < count; i++) {
            Watcher watcher = new Watcher();
            crowd.watchers.add(watcher);
            crowd.client
                    .request(new RequestOptions().setMethod(HttpMethod.GET).setAbsoluteURI(url))
                    .compose(HttpClientRequest::send)
                    .onSuccess(response -> crowd.follow(watcher, response))
                    .onFailure(failure -> crowd.failures.add("not opened: " + failure));
        }
        await("the watches")
                .atMost(HttpWatch.DEADLINE)
                .until(() -> crowd.opened.get() + crowd.failures.size() == count);
        assertThat(crowd.failures).isEmpty();
        return crowd;
    }

    private void follow(Watcher watcher, HttpClientResponse response) {
        if (response.statusCode() != 200) {
            failures.add("status " + response.statusCode());
            return;
        }
        response.handler(watcher::accept);
        response.endHandler(end -> failures.add("ended by the server"));
        response.exceptionHandler(failure -> failures.add("broken: " + failure));
        opened.incrementAndGet();
    }

    void awaitEvents(int count) {
        await(count + " events at each watcher")
                .atMost(HttpWatch.DEADLINE)
                .untilAsserted(() -> assertThat(watchers)
                        .allSatisfy(watcher -> assertThat(watcher.lines.get()).isGreaterThanOrEqualTo(count)));
    }

    /** What went wrong with any of them; a watch that ended is in here. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    List<Long> digests() {
        return watchers.stream().map(watcher -> watcher.digest).toList();
    }

    /** Of the lines that a watcher should have got. */
    static long digest(List<String> lines) {
        CRC32C checksum = new CRC32C();
        for (String line : lines) {
            checksum.update((line + "\n").getBytes(UTF_8));
        }
        return checksum.getValue();
    }

    @Override
    public void close() {
        try {
            vertx.close().await(60, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new IllegalStateException("the clients do not close", e);
        }
    }
}
