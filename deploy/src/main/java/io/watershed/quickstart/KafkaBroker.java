package io.watershed.quickstart;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The broker that the quick start starts: one KRaft node, which is broker and controller, from the Maven jars. */
final class KafkaBroker {
    private static final long FORMAT_SECONDS = 120;

    private final Installation installation;
    private final DataDirectory data;
    private final Ports ports;

    KafkaBroker(Installation installation, DataDirectory data, Ports ports) {
        this.installation = installation;
        this.data = data;
        this.ports = ports;
    }

    String address() {
        return Ports.HOST + ":" + ports.kafka();
    }

    /** @throws Refusal for a directory that Kafka's configuration can't name */
    ProcessSpec spec() throws Refusal {
        String logs = data.kafka().toString();
        if (logs.contains(",")) {
            throw Refusal.failure(
                    "The data directory " + data.path()
                            + " has a comma in its name, which Kafka takes for a list of directories.\nName another with --data DIR.");
        }
        List<String> options = new ArrayList<>(Installation.preparedClasses(data.classes("kafka"), true));
        // The second compiler would take as much CPU as all the rest of the start, for a broker that has little to do.
        options.add("-XX:TieredStopAtLevel=1");
        options.add("-XX:+UseSerialGC");
        options.add("-Dlog4j2.configurationFile=" + installation.brokerLogging());
        List<String> command = new ArrayList<>(installation.java("512m", installation.kafkaClassPath(), options));
        command.add("kafka.Kafka");
        command.add(data.kafkaProperties().toString());
        return new ProcessSpec(
                "kafka",
                "Kafka",
                address(),
                command,
                properties(),
                Map.of(),
                List.of(ports.kafka(), ports.kafkaController()),
                () -> Http.reasonNotListening(Ports.HOST, ports.kafka()));
    }

    /** Writes the broker's configuration, and formats its storage the first time. */
    void prepare() throws IOException, Refusal {
        DataDirectory.replace(data.kafkaProperties(), properties());
        if (!Files.exists(data.kafka().resolve("meta.properties"))) {
            format();
        }
    }

    /** In the form and the encoding that Kafka reads: what is not ASCII, and what would mean something else there, is escaped. */
    String properties() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            configuration().store(bytes, null);
        } catch (IOException e) {
            throw new UncheckedIOException("nothing is written but memory", e);
        }
        // Without the first line, which is the date, and always in the same order.
        return bytes.toString(StandardCharsets.ISO_8859_1)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .sorted()
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private Properties configuration() {
        Properties entries = new Properties();
        entries.setProperty("process.roles", "broker,controller");
        entries.setProperty("node.id", "1");
        entries.setProperty("controller.quorum.voters", "1@" + Ports.HOST + ":" + ports.kafkaController());
        entries.setProperty(
                "listeners", "BROKER://" + address() + ",CONTROLLER://" + Ports.HOST + ":" + ports.kafkaController());
        entries.setProperty("advertised.listeners", "BROKER://" + address());
        entries.setProperty("listener.security.protocol.map", "BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT");
        entries.setProperty("inter.broker.listener.name", "BROKER");
        entries.setProperty("controller.listener.names", "CONTROLLER");
        entries.setProperty("log.dirs", data.kafka().toString());
        // A topic that somebody's client created by mistake would have the wrong settings.
        entries.setProperty("auto.create.topics.enable", "false");
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            entries.setProperty(topic + ".replication.factor", "1");
            entries.setProperty(topic + ".num.partitions", "1");
        }
        entries.setProperty("transaction.state.log.min.isr", "1");
        entries.setProperty("share.coordinator.state.topic.min.isr", "1");
        entries.setProperty("group.initial.rebalance.delay.ms", "0");
        // After a kill -9 the controller takes the broker for another one until the old session ends.
        entries.setProperty("broker.session.timeout.ms", "4000");
        entries.setProperty("broker.heartbeat.interval.ms", "500");
        // A commit waits for this when it comes right after another.
        entries.setProperty("add.partitions.to.txn.retry.backoff.ms", "5");
        // Sized for one small topic: the default takes a quarter of this broker's heap.
        entries.setProperty("log.cleaner.dedupe.buffer.size", String.valueOf(16 << 20));
        return entries;
    }

    private void format() throws IOException, Refusal {
        List<String> command = new ArrayList<>(installation.java(
                "256m",
                installation.kafkaClassPath(),
                List.of(
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dlog4j2.configurationFile=" + installation.brokerLogging())));
        command.addAll(List.of(
                "kafka.tools.StorageTool",
                "format",
                "--cluster-id",
                newClusterId(),
                "--config",
                data.kafkaProperties().toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(FORMAT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw Refusal.failure("Kafka's storage in " + data.kafka() + " cannot be formatted:\n" + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Kafka's form of a random id; it may not begin with a dash, which would look like an option. */
    private static String newClusterId() {
        while (true) {
            UUID uuid = UUID.randomUUID();
            byte[] bytes = ByteBuffer.allocate(16)
                    .putLong(uuid.getMostSignificantBits())
                    .putLong(uuid.getLeastSignificantBits())
                    .array();
            String id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
            if (!id.startsWith("-")) {
                return id;
            }
        }
    }
}
