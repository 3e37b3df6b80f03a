package io.watershed.log.state;

import io.watershed.log.EtcdKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** etcd: every revision's state and events, and how far they are compacted. Revision 1 is the empty store. */
final class EtcdModel {
    /** In a transaction: the key is deleted. */
    static final char DELETE = 0;

    private final List<Map<EtcdKey, Obj>> states = new ArrayList<>();
    private final List<List<Obj.Event>> events = new ArrayList<>();
    private long unique;
    /** The lowest revision that can be read. */
    long compacted = 1;

    EtcdModel() {
        for (int revision = 0; revision < 2; revision++) {
            states.add(Map.of());
            events.add(List.of());
        }
    }

    /** A restore of a snapshot at {@code revision}, its revisions raised by {@code bump}. */
    static EtcdModel restored(EtcdModel from, long revision, int bump) {
        EtcdModel etcd = new EtcdModel();
        etcd.states.clear();
        etcd.events.clear();
        etcd.states.addAll(from.states.subList(0, (int) revision + 1));
        etcd.events.addAll(from.events.subList(0, (int) revision + 1));
        for (int i = 0; i < bump; i++) {
            etcd.states.add(from.at(revision));
            etcd.events.add(List.of());
        }
        etcd.compacted = bump > 0 ? etcd.head() : Math.min(from.compacted, etcd.head());
        etcd.unique = from.unique + 1000;
        return etcd;
    }

    long head() {
        return states.size() - 1L;
    }

    Map<EtcdKey, Obj> at(long revision) {
        return states.get((int) revision);
    }

    List<Obj.Event> eventsOf(long revision) {
        return events.get((int) revision);
    }

    /** Writes the keys' new values, in one revision; without operations it is a write that no range of ours covers. */
    void transaction(SortedMap<EtcdKey, Character> operations) {
        long revision = head() + 1;
        Map<EtcdKey, Obj> state = new HashMap<>(at(head()));
        List<Obj.Event> changes = new ArrayList<>();
        operations.forEach((key, app) -> {
            Obj before = state.get(key);
            if (app != DELETE) {
                unique++;
                Obj after = before == null
                        ? new Obj(revision, revision, 1, app, unique)
                        : new Obj(before.created(), revision, before.version() + 1, app, unique);
                state.put(key, after);
                changes.add(new Obj.Event(revision, key, before, after));
            } else if (before != null) {
                state.remove(key);
                changes.add(new Obj.Event(revision, key, before, null));
            }
        });
        states.add(state);
        events.add(changes);
    }
}
