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

    /** The sum over the lines of which one label is {@code name="value"}; 0 where there is none. */
    double sum(String name, String label) {
        return new Metrics(lines.stream().filter(line -> line.contains(label)).toList()).sum(name);
    }

    boolean has(String name) {
        return lines.stream().anyMatch(line -> line.startsWith(name + "{") || line.startsWith(name + " "));
    }
}
