package io.watershed.ingest.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ingester's HTTP: /livez /readyz /metrics /version /barrier. Starts before etcd or Kafka are there. */
public final class StatusServer implements AutoCloseable {
    private static final Logger LOGGER = LoggerFactory.getLogger(StatusServer.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int THREADS = 4;
    private static final long BARRIER_SECONDS = 6;

    private final HttpServer server;
    private final ExecutorService threads;

    private StatusServer(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /** Listens at once. Fails when the address is taken. */
    public static StatusServer start(
            InetSocketAddress listen,
            IngesterStatus status,
            Barrier barrier,
            PrometheusMeterRegistry meters,
            String version)
            throws IOException {
        HttpServer server = HttpServer.create(listen, 128);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> new Thread(task, "status"));
        server.setExecutor(threads);
        server.createContext("/", exchange -> text(exchange, 404, "not found"));
        server.createContext("/livez", exchange -> text(exchange, 200, "ok"));
        server.createContext("/readyz", exchange -> readiness(exchange, status.readiness()));
        server.createContext("/metrics", exchange -> text(exchange, 200, meters.scrape()));
        server.createContext(
                "/version",
                exchange -> json(exchange, 200, JSON.createObjectNode().put("version", version)));
        server.createContext("/barrier", exchange -> barrier(exchange, barrier, threads));
        server.start();
        return new StatusServer(server, threads);
    }

    private static void readiness(HttpExchange exchange, IngesterStatus.State state) throws IOException {
        boolean verbose = exchange.getRequestURI().getQuery() != null
                && exchange.getRequestURI().getQuery().contains("verbose");
        if (state.ready() && !verbose) {
            text(exchange, 200, "ok");
            return;
        }
        String check = (state.ready() ? "[+]" : "[-]") + "publishing " + (state.ready() ? "ok" : "failed") + ": "
                + state.text() + "\nresourceVersion " + state.revision() + "\nreadyz check "
                + (state.ready() ? "passed" : "failed") + "\n";
        text(exchange, state.ready() ? 200 : 500, check);
    }

    private static void barrier(HttpExchange exchange, Barrier barrier, Executor threads) throws IOException {
        if (!exchange.getRequestMethod().equals("GET")) {
            text(exchange, 405, "only GET");
            return;
        }
        // No thread waits: health and metrics answer while etcd does not.
        barrier.ask()
                .completeOnTimeout(Barrier.refused("etcd did not answer in time"), BARRIER_SECONDS, TimeUnit.SECONDS)
                .thenAcceptAsync(answer -> answered(exchange, answer), threads)
                .exceptionally(failure -> {
                    LOGGER.atDebug().setCause(failure).log("barrier answer not delivered");
                    exchange.close();
                    return null;
                });
    }

    private static void answered(HttpExchange exchange, Barrier.Answer answer) {
        try {
            answer(exchange, answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // the client has gone
        }
    }

    private static void answer(HttpExchange exchange, Barrier.Answer answer) throws IOException {
        if (answer.refusal() != null) {
            json(exchange, 503, JSON.createObjectNode().put("error", answer.refusal()));
            return;
        }
        json(
                exchange,
                200,
                JSON.createObjectNode()
                        .put("revision", answer.revision())
                        .put("generation", answer.generation())
                        .put("clusterId", answer.clusterId()));
    }

    private static void json(HttpExchange exchange, int code, ObjectNode body) throws IOException {
        send(exchange, code, "application/json", body + "\n");
    }

    private static void text(HttpExchange exchange, int code, String body) throws IOException {
        send(exchange, code, "text/plain; charset=utf-8", body);
    }

    private static void send(HttpExchange exchange, int code, String type, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(code, head ? -1 : bytes.length);
        if (!head) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    public InetSocketAddress address() {
        return server.getAddress();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
