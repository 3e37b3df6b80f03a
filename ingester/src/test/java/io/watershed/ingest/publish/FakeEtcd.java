package io.watershed.ingest.publish;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.ingest.etcd.EtcdEvent;
import io.watershed.ingest.etcd.EtcdFailure;
import io.watershed.ingest.etcd.EtcdSource;
import io.watershed.ingest.etcd.EtcdValue;
import io.watershed.ingest.etcd.Head;
import io.watershed.ingest.etcd.Released;
import io.watershed.ingest.etcd.RevisionEvents;
import io.watershed.ingest.etcd.RevisionStream;
import io.watershed.log.EtcdKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** etcd's history in memory: transactions, compaction, and a source that reads it. */
final class FakeEtcd implements EtcdSource {
    private final List<TreeMap<EtcdKey, EtcdValue>> states = new ArrayList<>(List.of(new TreeMap<>(), new TreeMap<>()));
    private final List<List<EtcdEvent>> events = new ArrayList<>(List.of(List.of(), List.of()));
    private long compacted = 1;
    private String clusterId = "c1";
    private int pageSize = 1000;
    private Runnable beforePage = () -> {};
    private boolean down;
    private @Nullable EtcdKey lost;
    private int lists;

    long put(String key, String value) {
        return transaction(Map.of(key, value));
    }

    long delete(String key) {
        Map<String, @Nullable String> operations = new LinkedHashMap<>();
        operations.put(key, null);
        return transaction(operations);
    }

    /** A null value deletes. */
    long transaction(Map<String, @Nullable String> operations) {
        long revision = head().revision() + 1;
        TreeMap<EtcdKey, EtcdValue> state = new TreeMap<>(states.get(states.size() - 1));
        TreeMap<EtcdKey, EtcdEvent> made = new TreeMap<>();
        operations.forEach((name, value) -> {
            EtcdKey key = EtcdKey.utf8(name);
            EtcdValue old = state.get(key);
            if (value != null) {
                EtcdValue put = new EtcdValue(
                        key,
                        value.getBytes(UTF_8),
                        old == null ? revision : old.createRevision(),
                        revision,
                        old == null ? 1 : old.version() + 1,
                        0);
                state.put(key, put);
                made.put(key, new EtcdEvent.Put(put));
            } else if (old != null) {
                state.remove(key);
                made.put(key, new EtcdEvent.Delete(key, revision));
            }
        });
        states.add(state);
        events.add(List.copyOf(made.values()));
        return revision;
    }

    void compact() {
        compact(head().revision());
    }

    void compact(long revision) {
        compacted = Math.max(compacted, revision);
    }

    /** Another etcd at the same address. */
    void become(String otherClusterId) {
        clusterId = otherClusterId;
    }

    void down(boolean isDown) {
        down = isDown;
    }

    /** The stream leaves out the next event of this key. */
    void lose(String key) {
        lost = EtcdKey.utf8(key);
    }

    void pages(int size, Runnable before) {
        pageSize = size;
        beforePage = before;
    }

    int lists() {
        return lists;
    }

    Map<EtcdKey, EtcdValue> state() {
        return states.get(states.size() - 1);
    }

    @Override
    public Head head() {
        return new Head(clusterId, states.size() - 1L);
    }

    private void requireUp() throws EtcdFailure {
        if (down) {
            throw new EtcdFailure.Unavailable("etcd is down");
        }
    }

    @Override
    public long list(long atRevision, Consumer<List<EtcdValue>> page) throws EtcdFailure {
        lists++;
        List<EtcdValue> all = List.copyOf(states.get((int) atRevision).values());
        for (int from = 0; from < all.size(); from += pageSize) {
            beforePage.run();
            requireUp();
            if (atRevision < compacted) {
                throw new EtcdFailure.Compacted(compacted, "revision " + atRevision + " is compacted");
            }
            page.accept(all.subList(from, Math.min(all.size(), from + pageSize)));
        }
        return atRevision;
    }

    @Override
    public RevisionStream stream(long fromRevision) throws EtcdFailure {
        requireUp();
        return new Stream(fromRevision);
    }

    @Override
    public void close() {
        // nothing is open
    }

    private final class Stream implements RevisionStream {
        private long next;

        Stream(long from) {
            next = from;
        }

        @Override
        public @Nullable Released next(Duration atMost) throws EtcdFailure {
            requireUp();
            if (next < compacted) {
                throw new EtcdFailure.Compacted(compacted, "revision " + next + " is compacted");
            }
            long head = head().revision();
            if (next > head) {
                return null;
            }
            List<RevisionEvents> revisions = new ArrayList<>();
            for (; next <= head; next++) {
                List<EtcdEvent> left = new ArrayList<>(events.get((int) next));
                if (left.removeIf(event -> Objects.equals(event.key(), lost))) {
                    lost = null;
                }
                if (!left.isEmpty()) {
                    revisions.add(new RevisionEvents(next, left));
                }
            }
            return new Released(revisions, head);
        }

        @Override
        public void requestProgress() {
            // every answer tells how far it is
        }

        @Override
        public void close() {
            // nothing is open
        }
    }
}
