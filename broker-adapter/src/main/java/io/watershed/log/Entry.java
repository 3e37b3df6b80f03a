package io.watershed.log;

import io.watershed.catalogue.ResourceType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a record says, without its place in the log. Its six types stand in docs/log.md; the letter in the header is in each Javadoc. */
public sealed interface Entry {
    /** The {@code r=} of the header. */
    long revision();

    /**
     * D: a change that etcd made.
     *
     * @param place the event's place in its revision, in byte order of the keys, from 0
     * @param count how many events the revision has over all ranges of the source
     */
    record Change(ObjectRecord object, int place, int count) implements Entry {
        @Override
        public long revision() {
            return object.version().modRevision();
        }

        public boolean lastOfRevision() {
            return place == count - 1;
        }
    }

    /** S: the state of a key as a relist found it; a tombstone carries the revision at which the relist was pinned. */
    record Snapshot(ObjectRecord object) implements Entry {
        @Override
        public long revision() {
            return object.version().modRevision();
        }
    }

    /**
     * M: a leader begins. Its first act; the last one is never compacted.
     *
     * @param revision the watermark
     * @param format number of the record format, see {@code RecordCodec}
     * @param previous the generation before, when this record starts a new one
     * @param clusterId etcd's cluster id, hex
     * @param oldMax the watermark at which the present generation began
     * @param reason why this leader took over
     * @param ranges the configured prefixes
     * @param fingerprint of all configuration that decides what stands in the log (docs/log.md)
     * @param ingester who writes
     * @param address base URL of the barrier, or null
     */
    record Lineage(
            long revision,
            int format,
            @Nullable Generation previous,
            String clusterId,
            long oldMax,
            String reason,
            List<String> ranges,
            String fingerprint,
            String ingester,
            @Nullable String address)
            implements Entry {
        public Lineage {
            ranges = List.copyOf(ranges);
        }
    }

    /** B: a relist is due, or runs. {@code least}: the revision that it must be pinned above. */
    record RelistBegin(long least, String reason) implements Entry {
        @Override
        public long revision() {
            return least;
        }
    }

    /**
     * E: the relist that was pinned at {@code revision} is complete.
     *
     * @param hash {@link ListHash} over the list
     * @param documents the resources that the configuration makes of prefixes of etcd
     */
    record RelistEnd(long revision, long count, long hash, String fingerprint, List<ResourceType> documents)
            implements Entry {
        public RelistEnd {
            documents = List.copyOf(documents);
        }

        /** Without configured documents. */
        public RelistEnd(long revision, long count, long hash, String fingerprint) {
            this(revision, count, hash, fingerprint, List.of());
        }
    }

    /**
     * P: everything up to {@code revision} stands before this record.
     *
     * @param head a linearizable revision of etcd
     * @param timestampMillis the ingester's clock before that read
     * @param address base URL of the barrier, or null
     */
    record Progress(
            long revision,
            long head,
            long timestampMillis,
            @Nullable String address) implements Entry {}
}
