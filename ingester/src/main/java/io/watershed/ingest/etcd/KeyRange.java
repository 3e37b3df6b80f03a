package io.watershed.ingest.etcd;

import io.watershed.log.EtcdKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A half-open range of keys as etcd takes it. An {@code end} of one zero byte means: to the end of the keyspace. */
record KeyRange(EtcdKey start, EtcdKey end) {
    private static final EtcdKey OPEN_END = EtcdKey.of(new byte[] {0});

    static KeyRange ofPrefix(EtcdKey prefix) {
        if (prefix.length() == 0) {
            return new KeyRange(EtcdKey.of(new byte[] {0}), OPEN_END);
        }
        byte[] end = prefix.bytes().clone();
        for (int i = end.length - 1; i >= 0; i--) {
            if (end[i] != (byte) 0xff) {
                end[i]++;
                return new KeyRange(prefix, EtcdKey.of(Arrays.copyOf(end, i + 1)));
            }
        }
        return new KeyRange(prefix, OPEN_END);
    }

    /** Ranges of the prefixes in order, without those that another one covers. */
    static List<KeyRange> ofPrefixes(List<EtcdKey> prefixes) {
        List<EtcdKey> outer = new ArrayList<>();
        for (EtcdKey prefix : prefixes.stream().sorted().distinct().toList()) {
            if (outer.isEmpty() || !prefix.startsWith(outer.get(outer.size() - 1))) {
                outer.add(prefix);
            }
        }
        return outer.stream().map(KeyRange::ofPrefix).toList();
    }

    /** The smallest range that covers all of these, which are in order and not empty. */
    static KeyRange covering(List<KeyRange> ranges) {
        return new KeyRange(ranges.get(0).start(), ranges.get(ranges.size() - 1).end());
    }

    /** For messages. */
    @Override
    public String toString() {
        return "[" + start + ", " + (end.equals(OPEN_END) ? "the end" : end) + ")";
    }
}
