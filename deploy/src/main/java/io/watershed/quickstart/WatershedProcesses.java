package io.watershed.quickstart;

import io.watershed.config.LogConfiguration;
import io.watershed.config.Setting;
import io.watershed.gateway.GatewayConfiguration;
import io.watershed.ingest.IngesterConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The command lines of the ingester and the gateways. */
final class WatershedProcesses {
    private final Installation installation;
    private final DataDirectory data;
    private final Ports ports;
    private final Http http;
    private final PassedSettings passed;

    WatershedProcesses(Installation installation, DataDirectory data, Ports ports, Http http, PassedSettings passed) {
        this.installation = installation;
        this.data = data;
        this.ports = ports;
        this.http = http;
        this.passed = passed;
    }

    static PassedSettings passed(Request request, Map<String, String> variables) throws Refusal {
        String ports = "it follows from --port-base N.";
        Map<String, String> owned = Map.of(
                LogConfiguration.BOOTSTRAP_SERVERS.name(), "use --kafka HOST:PORT.",
                IngesterConfiguration.ENDPOINTS.name(), "use --etcd URL[,URL].",
                IngesterConfiguration.LISTEN.name(), ports,
                IngesterConfiguration.ADDRESS.name(), ports,
                GatewayConfiguration.LISTEN.name(), ports);
        return PassedSettings.of(
                List.of(IngesterConfiguration.ALL, GatewayConfiguration.ALL), owned, request.settings(), variables);
    }

    /** @param ownBroker whether the broker is the quick start's, which is a single one */
    ProcessSpec ingester(List<String> etcd, String kafka, boolean ownBroker) throws Refusal {
        String url = Ports.url(ports.ingester());
        List<String> command = new ArrayList<>(installation.java(
                "512m",
                installation.classPath("ingester"),
                Installation.preparedClasses(data.classes("ingester"), true)));
        command.add("io.watershed.ingest.IngesterMain");
        add(command, LogConfiguration.BOOTSTRAP_SERVERS, kafka);
        add(command, IngesterConfiguration.ENDPOINTS, String.join(",", etcd));
        add(command, IngesterConfiguration.LISTEN, Ports.HOST + ":" + ports.ingester());
        add(command, IngesterConfiguration.ADDRESS, url);
        if (ownBroker) {
            addUnlessGiven(command, LogConfiguration.SINGLE_BROKER, "true");
        }
        return new ProcessSpec(
                "ingester",
                "ingester",
                url,
                command,
                "",
                passed.environmentFor(IngesterConfiguration.ALL),
                List.of(ports.ingester()),
                () -> http.reasonNotReady(url));
    }

    /**
     * @param number from 1
     * @param ownBroker whether the broker is the quick start's, which is a single one
     */
    ProcessSpec gateway(int number, String kafka, boolean ownBroker) throws Refusal {
        String url = Ports.url(ports.gateway(number));
        List<String> command = new ArrayList<>(installation.java(
                "640m",
                installation.classPath("watch-gateway"),
                Installation.preparedClasses(data.classes("gateway"), number == 1)));
        command.add("io.watershed.gateway.GatewayMain");
        add(command, LogConfiguration.BOOTSTRAP_SERVERS, kafka);
        add(command, GatewayConfiguration.LISTEN, Ports.HOST + ":" + ports.gateway(number));
        if (ownBroker) {
            addUnlessGiven(command, LogConfiguration.SINGLE_BROKER, "true");
        }
        // What fits into the heap above; and nobody at a terminal wants to wait for ten seconds after Ctrl-C.
        addUnlessGiven(command, GatewayConfiguration.HISTORY_BYTES, "128MiB");
        addUnlessGiven(command, GatewayConfiguration.DRAIN, "1s");
        return new ProcessSpec(
                "gateway-" + number,
                "gateway " + number,
                url,
                command,
                "",
                passed.environmentFor(GatewayConfiguration.ALL),
                List.of(ports.gateway(number)),
                () -> http.reasonNotReady(url));
    }

    private void addUnlessGiven(List<String> command, Setting<?> setting, String value) {
        if (!passed.isGiven(setting.name())) {
            add(command, setting, value);
        }
    }

    private static void add(List<String> command, Setting<?> setting, String value) {
        command.add(setting.flagName() + "=" + value);
    }
}
