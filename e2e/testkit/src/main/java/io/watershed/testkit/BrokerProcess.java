package io.watershed.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A real Kafka broker, KRaft on one node, from the jars that the build collects. Topics are not created by themselves. A restart goes on
 * with the same data on the same port.
 */
public final class BrokerProcess implements AutoCloseable {
    private static final String CLUSTER_ID = "d2F0ZXJzaGVkLXRlc3QAAA";

    private final TemporaryDirectory directory = TemporaryDirectory.create("kafka");
    private final int port = FreePorts.next();
    private final int controllerPort = FreePorts.next();
    private final Map<String, String> overrides;
    private @Nullable ChildProcess process;

    private BrokerProcess(Map<String, String> overrides) {
        this.overrides = overrides;
    }

    public static BrokerProcess start() {
        return start(Map.of());
    }

    /** {@code overrides}: broker settings on top of the ones here. */
    public static BrokerProcess start(Map<String, String> overrides) {
        BrokerProcess broker = create(overrides);
        broker.run();
        return broker;
    }

    /** Formatted, with its ports chosen, and not running. */
    public static BrokerProcess create(Map<String, String> overrides) {
        BrokerProcess broker = new BrokerProcess(overrides);
        broker.format();
        return broker;
    }

    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    /** Where the broker keeps its partitions, a directory each. */
    public Path data() {
        return directory.path().resolve("data");
    }

    /** Starts, or starts again, and waits until the broker answers. */
    public void run() {
        List<String> command = new ArrayList<>(java());
        command.addAll(List.of("kafka.Kafka", properties().toString()));
        ChildProcess started =
                ChildProcess.start("kafka", command, Map.of(), directory.path().resolve("output"));
        process = started;
        started.await("an open port", this::isListening);
    }

    private boolean isListening() throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        }
    }

    private void format() {
        List<String> lines = new ArrayList<>(List.of(
                "process.roles=broker,controller",
                "node.id=1",
                "controller.quorum.voters=1@127.0.0.1:" + controllerPort,
                "controller.listener.names=CONTROLLER",
                "listeners=PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort,
                "advertised.listeners=PLAINTEXT://127.0.0.1:" + port,
                "log.dirs=" + data(),
                "auto.create.topics.enable=false",
                "offsets.topic.replication.factor=1",
                "offsets.topic.num.partitions=1",
                "transaction.state.log.replication.factor=1",
                "transaction.state.log.min.isr=1",
                "transaction.state.log.num.partitions=1",
                "share.coordinator.state.topic.replication.factor=1",
                "share.coordinator.state.topic.min.isr=1",
                "add.partitions.to.txn.retry.backoff.ms=5",
                "group.initial.rebalance.delay.ms=0",
                // After a kill the controller takes the broker for another one until the old session is over.
                "broker.session.timeout.ms=4000",
                "broker.heartbeat.interval.ms=500",
                "log.cleaner.backoff.ms=200",
                "log.cleaner.dedupe.buffer.size=16777216",
                "log.segment.delete.delay.ms=100"));
        overrides.forEach((key, value) -> lines.add(key + "=" + value));
        try {
            Files.write(properties(), lines, UTF_8);
            Files.writeString(directory.path().resolve("log4j2.xml"), """
                    <Configuration status="WARN"><Appenders><Console name="stdout"><PatternLayout pattern="%d %p %c %m%n"/></Console></Appenders>
                    <Loggers><Root level="WARN"><AppenderRef ref="stdout"/></Root></Loggers></Configuration>
                    """, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> command = new ArrayList<>(java());
        command.addAll(List.of(
                "kafka.tools.StorageTool",
                "format",
                "-t",
                CLUSTER_ID,
                "-c",
                properties().toString()));
        ChildProcess.run(command, Map.of());
    }

    private Path properties() {
        return directory.path().resolve("server.properties");
    }

    private List<String> java() {
        Path jars = Path.of(Objects.requireNonNull(System.getProperty("watershed.root"), "watershed.root is not set"))
                .resolve("deploy/kafka/target/lib");
        if (!Files.isDirectory(jars)) {
            throw new IllegalStateException(jars + " is not there: build the module deploy/kafka first");
        }
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx400m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlog4j2.configurationFile=" + directory.path().resolve("log4j2.xml"),
                "-cp",
                jars + "/*");
    }

    public ChildProcess process() {
        return Objects.requireNonNull(process, "the broker was not started");
    }

    public void kill() {
        process().kill();
    }

    /** SIGTERM: an orderly end. */
    public void stop() {
        process().terminate();
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
