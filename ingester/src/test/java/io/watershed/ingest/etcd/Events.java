package io.watershed.ingest.etcd;

import io.watershed.log.EtcdKey;
import java.util.List;

/** Short names for what tests make and compare. */
final class Events {
    private Events() {}

    static EtcdEvent put(String key, long revision) {
        return new EtcdEvent.Put(new EtcdValue(EtcdKey.utf8(key), new byte[] {1}, revision, revision, 1, 0));
    }

    static EtcdEvent delete(String key, long revision) {
        return new EtcdEvent.Delete(EtcdKey.utf8(key), revision);
    }

    static KeyFilter everything() {
        return new KeyFilter(List.of(EtcdKey.utf8("")), List.of());
    }

    /** For example {@code 7: put /a, delete /b}. */
    static String text(RevisionEvents revision) {
        List<String> events = revision.events().stream()
                .map(event -> (event instanceof EtcdEvent.Put ? "put " : "delete ") + event.key())
                .toList();
        return revision.revision() + ": " + String.join(", ", events);
    }

    static List<String> text(List<RevisionEvents> revisions) {
        return revisions.stream().map(Events::text).toList();
    }
}
