package io.watershed.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The etcd that the quick start starts: its command line, and writing to it through its JSON gateway, which needs no etcdctl. */
final class EtcdServer {
    /** Below every prefix that is ingested by default: it moves etcd's head and nothing else. */
    private static final String NUDGE_KEY = "/watershed/quickstart";

    private static final Pattern VERSION = Pattern.compile("etcd Version: (([0-9]+)\\.([0-9]+)\\.[0-9]+\\S*)");

    private final String url;
    private final Http http;

    EtcdServer(String url, Http http) {
        this.url = url;
        this.http = http;
    }

    static ProcessSpec spec(DataDirectory data, Ports ports, Http http) throws Refusal {
        String url = Ports.url(ports.etcd());
        String peers = Ports.url(ports.etcdPeers());
        Matcher version = version();
        // The flag lost its prefix in 3.6.
        boolean renamed = Integer.parseInt(version.group(2)) > 3 || Integer.parseInt(version.group(3)) >= 6;
        String progress = (renamed ? "" : "experimental-") + "watch-progress-notify-interval";
        List<String> command = List.of(
                "etcd",
                "--name=quickstart",
                "--data-dir=" + data.etcd(),
                "--listen-client-urls=" + url,
                "--advertise-client-urls=" + url,
                "--listen-peer-urls=" + peers,
                "--initial-advertise-peer-urls=" + peers,
                "--initial-cluster=quickstart=" + peers,
                // What a quiet watch knows of the head is never older than this.
                "--" + progress + "=100ms",
                "--logger=zap",
                "--log-outputs=stderr");
        return new ProcessSpec(
                "etcd",
                "etcd " + version.group(1),
                url,
                command,
                "",
                Map.of(),
                List.of(ports.etcd(), ports.etcdPeers()),
                () -> reasonNotReady(url, http));
    }

    private static String reasonNotReady(String url, Http http) {
        try {
            Http.Answer answer = http.get(url + "/health");
            return answer.code() == 200 && answer.body().contains("true")
                    ? ""
                    : "it says " + answer.body().strip();
        } catch (IOException e) {
            return "it does not answer yet";
        }
    }

    private static Matcher version() throws Refusal {
        String output;
        try {
            Process process = new ProcessBuilder("etcd", "--version")
                    .redirectErrorStream(true)
                    .start();
            output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw Refusal.failure("There is no etcd on the PATH: " + e.getMessage()
                    + "\nInstall it (Debian and Ubuntu: apt-get install etcd-server), or use yours with --etcd URL.");
        }
        Matcher matcher = VERSION.matcher(output);
        if (!matcher.find()) {
            throw Refusal.failure("\"etcd --version\" does not say which version it is: " + output.strip()
                    + "\nInstall etcd 3.4 or newer, or use yours with --etcd URL.");
        }
        return matcher;
    }

    /** Writes the key unless it is there. */
    void putIfAbsent(String key, String value) throws IOException {
        String encoded = base64(key);
        call(
                "/v3/kv/txn",
                "{\"compare\":[{\"key\":\"" + encoded + "\",\"target\":\"CREATE\",\"createRevision\":\"0\"}],"
                        + "\"success\":[{\"requestPut\":{\"key\":\"" + encoded + "\",\"value\":\"" + base64(value)
                        + "\"}}]}");
    }

    /** Moves etcd's head by one: what an ingester waits for that lists again, and nobody else might write. */
    void nudge() throws IOException {
        call("/v3/kv/put", "{\"key\":\"" + base64(NUDGE_KEY) + "\",\"value\":\"\"}");
    }

    private void call(String path, String body) throws IOException {
        Http.Answer answer = http.post(url + path, body);
        if (answer.code() != 200) {
            throw new IOException("etcd at " + url + " answered " + answer.code() + ": "
                    + answer.body().strip());
        }
        JsonNode header = new JsonMapper().readTree(answer.body()).path("header");
        if (header.isMissingNode()) {
            throw new IOException("etcd at " + url + " answered without a header: "
                    + answer.body().strip());
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
