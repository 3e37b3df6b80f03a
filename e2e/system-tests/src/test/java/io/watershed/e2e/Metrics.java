package io.watershed.e2e;

import java.util.List;

/** What a process tells at /metrics at one moment. */
record Metrics(List<String> lines) {
    static Metrics of(String url) {
        return new Metrics(Cluster.get(url, "/metrics").body().lines().toList());
    }

    /** The sum over all labels; 0 where there is none. */
    double sum(String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    boolean has(String name) {
        return lines.stream().anyMatch(line -> line.startsWith(name + "{") || line.startsWith(name + " "));
    }
}
