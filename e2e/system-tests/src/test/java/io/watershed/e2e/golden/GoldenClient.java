package io.watershed.e2e.golden;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Asks one server as the recording client did: HTTP/1.1, nothing but the recorded headers. Certificates are not checked.
 *
 * <p><em>Threads:</em> any; each call blocks until the body has ended.
 */
final class GoldenClient {
    private static final Duration DEADLINE = Duration.ofSeconds(90);

    private final String base;
    private final Map<String, String> tokens;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(AnyCertificate.context())
            .connectTimeout(DEADLINE)
            .build();

    /** @param tokens what to send in place of the recorded tokens, where that is something else */
    GoldenClient(String base, Map<String, String> tokens) {
        this.base = base;
        this.tokens = tokens;
    }

    /**
     * @param path the case's own, or that of a further page
     * @param more headers on top
     */
    Answer ask(GoldenCase asked, String path, Map<String, String> more, StreamProgress progress) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("User-Agent", "golden");
        headers.put("Accept-Encoding", "identity");
        if (!asked.token().isEmpty()) {
            headers.put("Authorization", "Bearer " + tokens.getOrDefault(asked.token(), asked.token()));
        }
        headers.putAll(asked.headers());
        headers.putAll(more);
        try {
            return asked.has(GoldenCase.Rule.WEBSOCKET)
                    ? new WebSocketWatch(URI.create(base), progress).ask(path, headers)
                    : request(asked, path, headers, progress);
        } finally {
            progress.ended();
        }
    }

    private Answer request(GoldenCase asked, String path, Map<String, String> headers, StreamProgress progress)
            throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(DEADLINE)
                .method(
                        asked.method(),
                        asked.body().isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(asked.body()));
        headers.forEach(request::setHeader);
        try {
            HttpResponse<InputStream> response = http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            progress.opened();
            Map<String, String> answered = new LinkedHashMap<>();
            response.headers()
                    .map()
                    .forEach((name, values) ->
                            answered.put(name.toLowerCase(Locale.ROOT), values.get(values.size() - 1)));
            return new Answer(response.statusCode(), answered, read(response.body(), progress));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static String read(InputStream body, StreamProgress progress) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 14];
        String cut = "";
        try (body) {
            for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
                bytes.write(buffer, 0, n);
                progress.addLines(count(buffer, n));
            }
        } catch (IOException e) {
            cut = "\n<<cut: no clean end of the body: " + e.getMessage() + ">>";
        }
        return AnswerText.of(bytes.toByteArray()) + cut;
    }

    private static int count(byte[] bytes, int length) {
        int lines = 0;
        for (int i = 0; i < length; i++) {
            if (bytes[i] == '\n') {
                lines++;
            }
        }
        return lines;
    }
}
