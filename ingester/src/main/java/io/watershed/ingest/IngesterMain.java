package io.watershed.ingest;

import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.watershed.catalogue.ResourceType;
import io.watershed.config.LogConfiguration;
import io.watershed.config.Settings;
import io.watershed.ingest.catalogue.KeyCatalogue;
import io.watershed.ingest.decode.ValueDecoder;
import io.watershed.ingest.etcd.EtcdSettings;
import io.watershed.ingest.etcd.EtcdSource;
import io.watershed.ingest.publish.KafkaLog;
import io.watershed.ingest.publish.KafkaWait;
import io.watershed.ingest.publish.Leadership;
import io.watershed.ingest.publish.ProgressDemand;
import io.watershed.ingest.publish.SourceIdentity;
import io.watershed.ingest.publish.Takeover;
import io.watershed.ingest.status.Barrier;
import io.watershed.ingest.status.IngesterStatus;
import io.watershed.ingest.status.StatusServer;
import io.watershed.log.EtcdKey;
import io.watershed.log.kafka.LogSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ingester as a process. Exit codes: 0 after SIGTERM, 1 when its port is taken, 2 for a mistake in the configuration. */
public final class IngesterMain {
    private static final Logger LOGGER = LoggerFactory.getLogger(IngesterMain.class);

    private IngesterMain() {}

    public static void main(String[] arguments) {
        List<String> given = List.of(arguments);
        if (given.contains("--help") || given.contains("-h")) {
            System.out.println(Settings.help(
                    "Reflects an etcd keyspace into one Kafka topic.",
                    IngesterConfiguration.ALL,
                    List.of(LogConfiguration.PROPERTIES)));
            return;
        }
        try {
            Settings settings = Settings.load(
                    IngesterConfiguration.ALL, List.of(LogConfiguration.PROPERTIES), given, System.getenv());
            run(settings);
        } catch (Settings.Invalid e) {
            System.err.println(e.getMessage());
            System.exit(2);
        } catch (IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private static void run(Settings settings) throws Settings.Invalid, IOException {
        InstantSource clock = InstantSource.system();
        LogSettings log = LogConfiguration.of(settings);
        EtcdSettings etcdSettings = IngesterConfiguration.etcd(settings);
        InetSocketAddress listen = IngesterConfiguration.listen(settings);
        EtcdKey root = IngesterConfiguration.root(settings);
        List<ResourceType> documents = DocumentsConfiguration.of(settings, etcdSettings);
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new JvmMemoryMetrics().bindTo(meters);
        new ProcessorMetrics().bindTo(meters);

        EtcdSource etcd = EtcdSource.connect(etcdSettings, meters);
        KafkaWait kafkaWait = new KafkaWait(clock);
        IngesterStatus status = new IngesterStatus(kafkaWait);
        meters.gauge(
                "watershed_ingester_published_revision", status, s -> s.state().revision());
        meters.gauge("watershed_ingester_leader", status, s -> s.state().ready() ? 1 : 0);
        ProgressDemand demand = new ProgressDemand();
        Barrier barrier = new Barrier(etcd, status, demand, clock);
        StatusServer server = listen(listen, status, barrier, meters);
        SourceIdentity identity = identity(settings, etcdSettings, documents, server);
        KafkaLog kafka = new KafkaLog(log, kafkaWait, meters, clock);
        KeyCatalogue catalogue = new KeyCatalogue(root, documents);
        ValueDecoder decoder = new ValueDecoder(catalogue, meters);
        Takeover takeover = new Takeover(
                etcd, kafka, Leadership.alone(), identity, catalogue, log.window(), clock, new SecureRandom());
        Ingester ingester = new Ingester(etcd, kafka, takeover, decoder, demand, identity, status, meters, clock);
        AtomicInteger exitCode = new AtomicInteger();
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {
            LOGGER.atError()
                    .setCause(error)
                    .addKeyValue("thread", thread.getName())
                    .log("thread died: stopping");
            exitCode.set(1);
            System.exit(1);
        });
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            ingester.close();
                            kafka.close();
                            barrier.close();
                            server.close();
                            etcd.close();
                            LOGGER.atInfo()
                                    .addKeyValue("exitCode", exitCode.get())
                                    .log("stopped");
                            // After SIGTERM the JVM would report 143: an orderly stop is no failure.
                            Runtime.getRuntime().halt(exitCode.get());
                        },
                        "shutdown"));
        LOGGER.atInfo()
                .addKeyValue("etcd", etcdSettings.endpoints())
                .addKeyValue("kafka", log.bootstrapServers())
                .addKeyValue("topic", log.topic())
                .addKeyValue("listen", identity.address())
                .log("ingester starts");
        ingester.start();
    }

    private static StatusServer listen(
            InetSocketAddress listen, IngesterStatus status, Barrier barrier, PrometheusMeterRegistry meters)
            throws IOException {
        String version = IngesterMain.class.getPackage().getImplementationVersion();
        try {
            return StatusServer.start(listen, status, barrier, meters, version == null ? "development" : version);
        } catch (IOException e) {
            throw new IOException(
                    "ingester.listen: can't listen on " + listen + " (" + e.getMessage()
                            + "): choose another port, or stop what uses it",
                    e);
        }
    }

    private static SourceIdentity identity(
            Settings settings, EtcdSettings etcd, List<ResourceType> documents, StatusServer server) {
        String configured = settings.get(IngesterConfiguration.ADDRESS);
        InetSocketAddress bound = server.address();
        String address = configured.isEmpty() ? "http://" + bound.getHostString() + ":" + bound.getPort() : configured;
        return new SourceIdentity(
                etcd.prefixes().stream().map(EtcdKey::toString).toList(),
                IngesterConfiguration.fingerprint(etcd, documents, settings),
                "ingester-" + ProcessHandle.current().pid(),
                address,
                documents,
                settings.get(IngesterConfiguration.ACCEPT_DELETES));
    }
}
