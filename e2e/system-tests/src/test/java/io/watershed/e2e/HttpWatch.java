package io.watershed.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One watch over HTTP/1.1, recorded line by line as a plain client sees it. A thread of its own reads; the records can be read by any.
 */
final class HttpWatch implements AutoCloseable {
    static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** One line of the stream. */
    record Event(String type, JsonNode object, String line) {
        String name() {
            return object.at("/metadata/name").asText();
        }

        long resourceVersion() {
            return object.at("/metadata/resourceVersion").asLong();
        }

        /** {@code ADDED a 17}: what most assertions compare. */
        String brief() {
            return type + " " + name() + " " + resourceVersion();
        }

        boolean isExpired() {
            return type.equals("ERROR")
                    && object.path("code").asInt() == 410
                    && object.path("reason").asText().equals("Expired")
                    && object.path("metadata").isObject();
        }
    }

    private final HttpResponse<InputStream> response;
    private final List<Event> events = new CopyOnWriteArrayList<>();
    private final Thread reader;
    private volatile @Nullable String end;

    private HttpWatch(HttpResponse<InputStream> response) {
        this.response = response;
        this.reader = new Thread(this::read, "http-watch");
        reader.setDaemon(true);
        reader.start();
    }

    /** Opens {@code base + path}; returns when the headers are there. */
    static HttpWatch open(String base, String path) {
        return open(base, path, Map.of());
    }

    static HttpWatch open(String base, String path, Map<String, String> headers) {
        HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
        headers.forEach(request::header);
        try {
            return new HttpWatch(http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
        } catch (IOException e) {
            throw new UncheckedIOException(base + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while opening a watch", e);
        }
    }

    /** What a client gets that breaks off in the midst of the stream, after so many events. */
    static List<Event> firstEvents(String base, String path, int count) {
        HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        List<Event> events = new ArrayList<>();
        try (InputStream body = http.send(
                                HttpRequest.newBuilder(URI.create(base + path)).build(),
                                HttpResponse.BodyHandlers.ofInputStream())
                        .body();
                BufferedReader lines = new BufferedReader(new InputStreamReader(body, UTF_8))) {
            while (events.size() < count) {
                events.add(event(lines.readLine()));
            }
            return events;
        } catch (IOException e) {
            throw new UncheckedIOException(base + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in a watch", e);
        }
    }

    private static Event event(String line) throws IOException {
        JsonNode event = JSON.readTree(line);
        return new Event(event.path("type").asText(), event.path("object"), line);
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                events.add(event(line));
            }
            end = "clean";
        } catch (IOException | RuntimeException e) {
            end = "broken: " + e;
        }
    }

    int status() {
        return response.statusCode();
    }

    HttpHeaders headers() {
        return response.headers();
    }

    List<Event> events() {
        return List.copyOf(events);
    }

    List<String> briefs() {
        return events.stream().map(Event::brief).toList();
    }

    /** Null while the stream is open; {@code clean} after the last chunk; else what broke it. */
    @Nullable
    String end() {
        return end;
    }

    HttpWatch awaitEvents(int count) {
        return await(count + " events", () -> events.size() >= count);
    }

    HttpWatch awaitEvent(Predicate<Event> wanted) {
        return await("an event", () -> events.stream().anyMatch(wanted));
    }

    HttpWatch awaitEnd() {
        return await("its end", () -> end != null);
    }

    private HttpWatch await(String what, Callable<Boolean> condition) {
        try {
            Awaitility.await("watch waits for " + what).atMost(DEADLINE).until(condition);
        } catch (ConditionTimeoutException e) {
            List<String> last = events.subList(Math.max(0, events.size() - 5), events.size()).stream()
                    .map(Event::line)
                    .toList();
            throw new AssertionError(
                    "waited for " + what + "; end " + end + "; got " + events.size() + " events, the last " + last, e);
        }
        return this;
    }

    @Override
    public void close() {
        try {
            response.body().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        await("its reader to end", () -> !reader.isAlive());
    }
}
