package io.watershed.gateway.http;

import io.watershed.gateway.api.ApiFailure;
import io.watershed.gateway.cache.CacheHealth;
import io.watershed.gateway.cache.WatchCache;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** /livez, /readyz and /healthz in kube-apiserver's form, each check also by itself. */
final class HealthHandler {
    /** One check. {@code why}: for people, shown where the answer is verbose. */
    private record Check(String name, boolean ok, String why) {}

    private final WatchCache cache;
    private final Drain drain;

    HealthHandler(WatchCache cache, Drain drain) {
        this.cache = cache;
        this.drain = drain;
    }

    private List<Check> checks(boolean readiness, CacheHealth health) {
        List<Check> checks = new ArrayList<>(List.of(new Check("ping", true, "")));
        if (readiness) {
            String stale = health.staleness() == null
                    ? "no head of etcd reached yet"
                    : "staleness " + health.staleness().toMillis() / 1000.0 + " s";
            checks.add(new Check(
                    "topic-caught-up",
                    health.caughtUp() && health.ready(),
                    health.ready() ? stale : String.join("; ", health.reasons())));
            checks.add(new Check(
                    "kafka-connectivity",
                    health.logReachable(),
                    health.logReachable() ? "" : "no answer from the broker"));
            checks.add(new Check("shutdown", !drain.isDraining(), drain.isDraining() ? "draining" : ""));
        }
        return checks;
    }

    /** {@code path}: /livez, /readyz or /healthz, or one of them with a check's name behind. */
    void handle(Exchange exchange, String path) throws ApiFailure {
        String endpoint = path.substring(1, path.indexOf('/', 1) < 0 ? path.length() : path.indexOf('/', 1));
        boolean readiness = !endpoint.equals("livez");
        CacheHealth health = cache.health();
        List<Check> checks = checks(readiness, health);
        if (path.length() > endpoint.length() + 1) {
            single(exchange, checks, path.substring(endpoint.length() + 2));
            return;
        }
        String query =
                exchange.request().query() == null ? "" : exchange.request().query();
        Set<String> excluded = new HashSet<>();
        boolean verbose = false;
        for (String pair : query.split("&", -1)) {
            if (pair.startsWith("exclude=")) {
                excluded.add(pair.substring("exclude=".length()));
            }
            verbose |= pair.equals("verbose") || pair.startsWith("verbose=");
        }
        boolean ok = checks.stream().allMatch(check -> check.ok() || excluded.contains(check.name()));
        if (ok && !verbose) {
            exchange.text(200, "ok");
            return;
        }
        StringBuilder out = new StringBuilder();
        for (Check check : checks) {
            boolean skipped = excluded.remove(check.name());
            out.append(check.ok() || skipped ? "[+]" : "[-]").append(check.name());
            out.append(skipped ? " excluded: ok" : check.ok() ? " ok" : " failed");
            out.append(check.why().isEmpty() ? "" : ": " + check.why()).append('\n');
        }
        if (readiness) {
            health.conditions()
                    .forEach(condition -> out.append("warn: ").append(condition).append('\n'));
        }
        excluded.forEach(name -> out.append("warn: some health checks cannot be excluded: no matches for \"")
                .append(name)
                .append("\"\n"));
        out.append(endpoint).append(ok ? " check passed\n" : " check failed\n");
        exchange.text(ok ? 200 : 500, out.toString());
    }

    private static void single(Exchange exchange, List<Check> checks, String name) {
        for (Check check : checks) {
            if (check.name().equals(name)) {
                exchange.text(check.ok() ? 200 : 500, check.ok() ? "ok" : "internal server error: " + check.why());
                return;
            }
        }
        exchange.text(404, "404 page not found\n");
    }
}
