package io.watershed.testkit;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A real etcd of one member, reporting progress often. A restart goes on with the same data on the same ports. */
public final class EtcdProcess implements AutoCloseable {
    private static final Pattern VERSION = Pattern.compile("etcd Version: (\\d+)\\.(\\d+)\\.(\\d+)");

    private final String binary;
    private final String version;
    private final boolean renamedFlags;
    private final TemporaryDirectory directory = TemporaryDirectory.create("etcd");
    private final int port = FreePorts.next();
    private final int peerPort = FreePorts.next();
    private @Nullable ChildProcess process;

    private EtcdProcess(String binary) {
        this.binary = binary;
        Matcher matcher = VERSION.matcher(ChildProcess.run(List.of(binary, "--version"), Map.of()));
        if (!matcher.find()) {
            throw new IllegalStateException(binary + " does not tell its version");
        }
        this.version = matcher.group(1) + "." + matcher.group(2) + "." + matcher.group(3);
        this.renamedFlags = Integer.parseInt(matcher.group(2)) >= 6;
    }

    /** The etcd of the system's path. */
    public static EtcdProcess start() {
        return start("etcd");
    }

    public static EtcdProcess start(String binary) {
        EtcdProcess etcd = create(binary);
        etcd.run();
        return etcd;
    }

    /** With its ports chosen, and not running. */
    public static EtcdProcess create(String binary) {
        return new EtcdProcess(binary);
    }

    /** Path of an etcd 3.7, where the environment names one. */
    public static Optional<String> newestBinary() {
        return Optional.ofNullable(System.getenv("WATERSHED_ETCD37")).filter(path -> !path.isEmpty());
    }

    /** The newest there is: the one that the environment names, else the system's. */
    public static EtcdProcess startNewest() {
        return start(newestBinary().orElse("etcd"));
    }

    public String version() {
        return version;
    }

    public String endpoint() {
        return "http://127.0.0.1:" + port;
    }

    public void run() {
        String peer = "http://127.0.0.1:" + peerPort;
        Path data = directory.path().resolve("data");
        ChildProcess started = ChildProcess.start(
                "etcd",
                List.of(
                        binary,
                        "--data-dir=" + data,
                        "--listen-client-urls=" + endpoint(),
                        "--advertise-client-urls=" + endpoint(),
                        "--listen-peer-urls=" + peer,
                        "--initial-advertise-peer-urls=" + peer,
                        "--initial-cluster=default=" + peer,
                        "--log-level=warn",
                        "--max-txn-ops=10000",
                        "--max-request-bytes=8000000",
                        (renamedFlags
                                        ? "--watch-progress-notify-interval"
                                        : "--experimental-watch-progress-notify-interval")
                                + "=100ms"),
                Map.of("ETCD_UNSUPPORTED_ARCH", ""),
                directory.path().resolve("output"));
        process = started;
        started.await("health", this::isHealthy);
    }

    private boolean isHealthy() throws java.io.IOException, InterruptedException {
        HttpResponse<String> health = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(endpoint() + "/health"))
                                .timeout(Duration.ofSeconds(5))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        return health.body().contains("true");
    }

    public ChildProcess process() {
        return Objects.requireNonNull(process, "etcd was not started");
    }

    public void kill() {
        process().kill();
    }

    @Override
    public void close() {
        ChildProcess running = process;
        if (running != null && running.isAlive()) {
            running.kill();
        }
        directory.close();
    }
}
