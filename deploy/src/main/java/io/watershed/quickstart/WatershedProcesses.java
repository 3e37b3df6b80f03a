package io.watershed.quickstart;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The command lines of the ingester and the gateways. */
final class WatershedProcesses {
    private final Installation installation;
    private final Ports ports;
    private final Http http;
    private final PassedSettings passed;

    WatershedProcesses(Installation installation, Ports ports, Http http, PassedSettings passed) {
        this.installation = installation;
        this.ports = ports;
        this.http = http;
        this.passed = passed;
    }

    static PassedSettings passed(Request request, Map<String, String> variables) throws Refusal {
        String ports = "it follows from --port-base N.";
        Map<String, String> owned = Map.of(
                "kafka.bootstrapServers", "use --kafka HOST:PORT.",
                "etcd.endpoints", "use --etcd URL[,URL].",
                "ingester.listen", ports,
                "ingester.address", ports,
                "gateway.listen", ports);
        return PassedSettings.of(
                List.of(KnownSettings.INGESTER, KnownSettings.GATEWAY), owned, request.settings(), variables);
    }

    /** @param ownBroker whether the broker is the quick start's, which is a single one */
    ProcessSpec ingester(List<String> etcd, String kafka, boolean ownBroker) throws Refusal {
        String url = Ports.url(ports.ingester());
        List<String> command =
                new ArrayList<>(installation.java("512m", installation.classPath("ingester"), List.of()));
        command.add("io.watershed.ingest.IngesterMain");
        add(command, "kafka-bootstrap-servers", kafka);
        add(command, "etcd-endpoints", String.join(",", etcd));
        add(command, "ingester-listen", Ports.HOST + ":" + ports.ingester());
        add(command, "ingester-address", url);
        if (ownBroker) {
            addUnlessGiven(command, "kafka.topic.singleBroker", "kafka-topic-single-broker", "true");
        }
        return new ProcessSpec(
                "ingester",
                "ingester",
                url,
                command,
                passed.environmentFor(KnownSettings.INGESTER),
                List.of(ports.ingester()),
                () -> http.reasonNotReady(url));
    }

    /** @param number from 1 */
    ProcessSpec gateway(int number, String kafka) throws Refusal {
        String url = Ports.url(ports.gateway(number));
        List<String> command =
                new ArrayList<>(installation.java("640m", installation.classPath("watch-gateway"), List.of()));
        command.add("io.watershed.gateway.GatewayMain");
        add(command, "kafka-bootstrap-servers", kafka);
        add(command, "gateway-listen", Ports.HOST + ":" + ports.gateway(number));
        // What fits into the heap above; and nobody at a terminal wants to wait for ten seconds after Ctrl-C.
        addUnlessGiven(command, "gateway.history.bytes", "gateway-history-bytes", "128MiB");
        addUnlessGiven(command, "gateway.drain", "gateway-drain", "1s");
        return new ProcessSpec(
                "gateway-" + number,
                "gateway " + number,
                url,
                command,
                passed.environmentFor(KnownSettings.GATEWAY),
                List.of(ports.gateway(number)),
                () -> http.reasonNotReady(url));
    }

    private void addUnlessGiven(List<String> command, String name, String flag, String value) {
        if (!passed.isGiven(name)) {
            add(command, flag, value);
        }
    }

    private static void add(List<String> command, String flag, String value) {
        command.add("--" + flag + "=" + value);
    }
}
