package io.watershed.ingest.publish;

import io.watershed.ingest.etcd.Head;

/** Whether this etcd is the one that the log reflects: at each connect and takeover. */
public final class Lineage {
    private Lineage() {}

    /** Another cluster id, or a head below what the log has: a restore, or a wrong or empty etcd. */
    public static void verify(Head head, String clusterId, long watermark) throws Halted {
        boolean otherCluster = !head.clusterId().equals(clusterId);
        if (otherCluster || head.revision() < watermark) {
            throw new Halted("this etcd is not the history that the log reflects: the log is of cluster " + clusterId
                    + " up to revision " + watermark + ", etcd is cluster " + head.clusterId() + " at revision "
                    + head.revision()
                    + ". Nothing is written. Check etcd.endpoints; to reflect another etcd use another"
                    + " topic (kafka.topic.name)");
        }
    }
}
