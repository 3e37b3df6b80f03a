package io.watershed.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.watershed.testkit.ChildProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** {@code bin/quickstart} on a directory and on free ports of its own; stops what it started. */
final class QuickstartRun implements AutoCloseable {
    static final Path ROOT = Path.of(System.getProperty("watershed.root"));
    /** What is tested is what this build made, so it may not build again. */
    private static final Map<String, String> ENVIRONMENT = Map.of("QUICKSTART_BUILD", "no");

    private static final int SPAN = 32;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path data;
    private final int portBase = freePortBase();
    private final HttpClient http = HttpClient.newHttpClient();

    QuickstartRun(Path data) {
        this.data = data;
    }

    int portBase() {
        return portBase;
    }

    Path data() {
        return data;
    }

    /** Runs it to its end; fails when it fails. */
    String run(String... arguments) {
        return ChildProcess.run(command(arguments), ENVIRONMENT);
    }

    /** Starts it as from a terminal; it stays. A build in the background ignores Ctrl-C, and its children would inherit that. */
    ChildProcess start(Path output, String... arguments) {
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
        command.addAll(command(arguments));
        return ChildProcess.start("quickstart", command, ENVIRONMENT, output);
    }

    String startDetached(String... arguments) {
        List<String> all = new ArrayList<>(List.of("start", "--detach", "--port-base", String.valueOf(portBase)));
        all.addAll(List.of(arguments));
        return run(all.toArray(String[]::new));
    }

    JsonNode status() throws IOException {
        return JSON.readTree(run("status", "--json"));
    }

    List<Long> pids() throws IOException {
        List<Long> pids = new ArrayList<>();
        status().get("pids").forEach(pid -> pids.add(pid.asLong()));
        return pids;
    }

    /** Of the first gateway. */
    JsonNode get(int gateway, String path) throws IOException, InterruptedException {
        String url = status().get("gateways").get(gateway).asText();
        HttpResponse<String> response =
                http.send(HttpRequest.newBuilder(URI.create(url + path)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    boolean allPortsAreFree() {
        return areFree(portBase);
    }

    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private List<String> command(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(ROOT.resolve("bin/quickstart").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--data", data.toString()));
        return command;
    }

    private static boolean areFree(int base) {
        return IntStream.range(base, base + SPAN).allMatch(QuickstartRun::isFree);
    }

    /** Below the ports that the system gives to clients. */
    private static int freePortBase() {
        while (true) {
            int base = ThreadLocalRandom.current().nextInt(12_000, 32_000);
            if (areFree(base)) {
                return base;
            }
        }
    }

    @Override
    public void close() {
        run("stop");
    }
}
