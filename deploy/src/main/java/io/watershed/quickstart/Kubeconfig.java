package io.watershed.quickstart;

import java.util.List;

/** A configuration for kubectl with one context a gateway; {@code ~/.kube/config} is left alone. */
final class Kubeconfig {
    private Kubeconfig() {}

    static String text(List<String> gateways) {
        StringBuilder clusters = new StringBuilder();
        StringBuilder contexts = new StringBuilder();
        for (int i = 0; i < gateways.size(); i++) {
            String name = "gateway-" + (i + 1);
            // Some clients refuse http:// without the second line.
            clusters.append("  - name: ")
                    .append(name)
                    .append("\n    cluster:\n      server: ")
                    .append(gateways.get(i));
            clusters.append("\n      insecure-skip-tls-verify: true\n");
            contexts.append("  - name: ")
                    .append(name)
                    .append("\n    context: {cluster: ")
                    .append(name);
            contexts.append(", user: anyone, namespace: default}\n");
        }
        return "apiVersion: v1\nkind: Config\ncurrent-context: gateway-1\nclusters:\n" + clusters + "contexts:\n"
                + contexts + "users:\n  - name: anyone\n    user: {}\n";
    }
}
