package io.watershed.quickstart;

/** What to try, ready to be copied. */
final class Instructions {
    /** Where bin/kafka looks when nobody tells it, unless a quick start in .watershed wrote down another. */
    private static final String DEFAULT_KAFKA = "127.0.0.1:8110";

    private Instructions() {}

    static String text(RunState state, DataDirectory data, boolean ownEtcd) {
        String first = state.gateways().get(0);
        String last = state.gateways().get(state.gateways().size() - 1);
        String kubeconfig = data.typed(data.kubeconfig());
        StringBuilder text = new StringBuilder();
        text.append("\nTry, each in a terminal of its own:\n\n")
                .append("  # watch ConfigMaps through one gateway\n")
                .append("  curl -N '")
                .append(first)
                .append("/api/v1/namespaces/default/configmaps?watch=true'\n\n")
                .append(
                        last.equals(first)
                                ? "  # watch them with kubectl\n"
                                : "  # watch them with kubectl through the other\n")
                .append("  kubectl --kubeconfig ")
                .append(kubeconfig);
        if (!last.equals(first)) {
            text.append(" --context gateway-").append(state.gateways().size());
        }
        text.append(" get configmaps -w\n\n");
        if (ownEtcd) {
            text.append("  # write one into etcd\n")
                    .append("  etcdctl --endpoints ")
                    .append(String.join(",", state.etcd()))
                    .append(" put /registry/configmaps/default/hello '{\"data\":{\"colour\":\"blue\"}}'\n\n");
        }
        text.append("  # the topic between them\n")
                .append("  bin/kafka console-consumer --topic ")
                .append(state.topic())
                .append(DEFAULT_KAFKA.equals(state.kafka()) ? "" : " --bootstrap-server " + state.kafka())
                .append(" --from-beginning --isolation-level read_committed \\\n")
                .append("    --formatter-property print.headers=true --formatter-property print.key=true\n");
        return text.toString();
    }
}
