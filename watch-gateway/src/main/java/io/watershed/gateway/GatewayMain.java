package io.watershed.gateway;

import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.watershed.config.LogConfiguration;
import io.watershed.config.Settings;
import io.watershed.gateway.cache.CacheSettings;
import io.watershed.gateway.fanout.FanoutSettings;
import io.watershed.gateway.http.ServerSettings;
import io.watershed.log.kafka.LogSettings;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The gateway as a process. Exit codes: 0 after SIGTERM, 1 when its port is taken, 2 for a mistake in the configuration. */
public final class GatewayMain {
    private static final Logger LOGGER = LoggerFactory.getLogger(GatewayMain.class);

    private GatewayMain() {}

    public static void main(String[] arguments) {
        List<String> given = List.of(arguments);
        if (given.contains("--help") || given.contains("-h")) {
            System.out.println(Settings.help(
                    "Serves a log as LIST and WATCH over HTTP.",
                    GatewayConfiguration.ALL,
                    List.of(LogConfiguration.PROPERTIES)));
            return;
        }
        try {
            run(Settings.load(GatewayConfiguration.ALL, List.of(LogConfiguration.PROPERTIES), given, System.getenv()));
        } catch (Settings.Invalid e) {
            System.err.println(e.getMessage());
            System.exit(2);
        } catch (IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    private static void run(Settings settings) throws Settings.Invalid, IOException {
        LogSettings log = LogConfiguration.of(settings);
        ServerSettings server = GatewayConfiguration.server(settings);
        CacheSettings cache = new CacheSettings(
                settings.get(GatewayConfiguration.HISTORY_BYTES),
                settings.get(GatewayConfiguration.IMAGE_WINDOW),
                settings.get(GatewayConfiguration.STALENESS_LIMIT));
        FanoutSettings fanout = new FanoutSettings(
                settings.get(GatewayConfiguration.BOOKMARK_INTERVAL), settings.get(GatewayConfiguration.UNDECODABLE));
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new JvmMemoryMetrics().bindTo(meters);
        new ProcessorMetrics().bindTo(meters);
        if (settings.get(GatewayConfiguration.OPEN_TO_ALL)) {
            LOGGER.atWarn()
                    .addKeyValue("listen", server.host())
                    .log("gateway.openToAll is set: everyone who reaches this address can read everything");
        }
        String version = GatewayMain.class.getPackage().getImplementationVersion();
        Gateway gateway = Gateway.start(
                log,
                cache,
                fanout,
                server,
                GatewayConfiguration.loops(settings),
                settings.get(GatewayConfiguration.DRAIN),
                meters,
                version == null ? "development" : version);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            gateway.close();
                            LOGGER.atInfo().log("stopped");
                            // A JVM that a signal ends would say 143, although nothing went wrong.
                            Runtime.getRuntime().halt(0);
                        },
                        "shutdown"));
        LOGGER.atInfo()
                .addKeyValue("listen", server.host() + ":" + gateway.port())
                .addKeyValue("kafka", log.bootstrapServers())
                .addKeyValue("topic", log.topic())
                .log("gateway starts");
    }
}
