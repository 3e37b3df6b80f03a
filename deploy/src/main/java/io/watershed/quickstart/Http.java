package io.watershed.quickstart;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

/** Short questions to the processes. */
final class Http {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    /** An answer, whatever its code. */
    record Answer(int code, String body) {}

    Answer get(String url) throws IOException {
        return send(HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE).GET());
    }

    Answer post(String url, String json) throws IOException {
        return send(HttpRequest.newBuilder(URI.create(url))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    private Answer send(HttpRequest.Builder request) throws IOException {
        try {
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Asks {@code /readyz}: what is not well, in one line. */
    String reasonNotReady(String url) {
        try {
            Answer answer = get(url + "/readyz?verbose");
            return answer.code() == 200 ? "" : firstComplaint(answer.body());
        } catch (IOException e) {
            return "it does not answer yet";
        }
    }

    /** Kubernetes' form: one line a check, {@code [-]} before those that fail; lines that are indented belong to the one before. */
    static String firstComplaint(String body) {
        List<String> lines = body.lines().toList();
        for (int first = 0; first < lines.size(); first++) {
            if (lines.get(first).startsWith("[-]")) {
                int end = first + 1;
                while (end < lines.size() && lines.get(end).startsWith(" ")) {
                    end++;
                }
                return String.join("\n", lines.subList(first, end)).substring(3);
            }
        }
        return lines.isEmpty() ? "it is not ready" : lines.get(0);
    }

    static String reasonNotListening(String host, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), 1_000);
            return "";
        } catch (IOException e) {
            return "it does not listen yet";
        }
    }
}
