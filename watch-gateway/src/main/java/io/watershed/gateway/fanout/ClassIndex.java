package io.watershed.gateway.fanout;

import io.watershed.gateway.cache.HistoryEvent;
import io.watershed.gateway.cache.ObjectEntry;
import io.watershed.gateway.select.FieldLabels;
import io.watershed.gateway.select.FieldSelector;
import io.watershed.gateway.select.Requirement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The classes of one resource, by what an object must have so that they can match it. A class is posted in one place only: under its
 * name, else a field that must have a value, else a label that must have one (once for each value of a set), else a label that must
 * be there, else its namespace, else with the rest. An event then visits the postings of what its old and its new object have.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
final class ClassIndex {
    private static final String ANY = "";

    private final Set<WatchClass> all = new LinkedHashSet<>();
    private final List<WatchClass> rest = new ArrayList<>();
    private final Map<String, List<WatchClass>> byName = new HashMap<>();
    private final Map<String, List<WatchClass>> byNamespace = new HashMap<>();
    private final Map<String, Map<String, List<WatchClass>>> byField = new HashMap<>();
    private final Map<String, Map<String, List<WatchClass>>> byLabel = new HashMap<>();
    private final Map<String, List<WatchClass>> byLabelThere = new HashMap<>();
    private long visit;

    void add(WatchClass added) {
        all.add(added);
        post(added, true);
    }

    void remove(WatchClass removed) {
        all.remove(removed);
        post(removed, false);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** All of the resource: for an object of which nothing is known but its key. */
    Set<WatchClass> all() {
        return all;
    }

    /**
     * Adds to a list the classes that the event can concern, each once.
     *
     * @param number of this visit: another one each time, over all indexes that share classes
     */
    void visit(HistoryEvent event, long number, List<WatchClass> out) {
        visit = number;
        ObjectEntry object = event.object();
        ObjectEntry previous = event.previous();
        ObjectEntry either = object != null ? object : previous;
        if (either == null) {
            return;
        }
        take(rest, out);
        take(byName.get(either.name().name()), out);
        String namespace = either.name().namespace();
        if (namespace != null) {
            take(byNamespace.get(namespace), out);
        }
        if (object != null) {
            visitValues(object, out);
        }
        if (previous != null) {
            visitValues(previous, out);
        }
    }

    private void visitValues(ObjectEntry object, List<WatchClass> out) {
        for (Map.Entry<String, Map<String, List<WatchClass>>> field : byField.entrySet()) {
            String value = object.field(field.getKey());
            take(field.getValue().get(value == null ? ANY : value), out);
        }
        for (Map.Entry<String, Map<String, List<WatchClass>>> label : byLabel.entrySet()) {
            String value = object.label(label.getKey());
            if (value != null) {
                take(label.getValue().get(value), out);
            }
        }
        for (Map.Entry<String, List<WatchClass>> label : byLabelThere.entrySet()) {
            if (object.label(label.getKey()) != null) {
                take(label.getValue(), out);
            }
        }
    }

    private void take(@Nullable List<WatchClass> posted, List<WatchClass> out) {
        if (posted == null) {
            return;
        }
        for (int i = 0; i < posted.size(); i++) {
            WatchClass found = posted.get(i);
            if (found.visited != visit) {
                found.visited = visit;
                out.add(found);
            }
        }
    }

    private void post(WatchClass posted, boolean add) {
        WatchTarget target = posted.target;
        String name = target.name() != null ? target.name() : target.fields().exact(FieldLabels.NAME);
        if (name != null) {
            change(byName, name, posted, add);
            return;
        }
        FieldSelector.Term field = equalField(target.fields());
        if (field != null) {
            change(byField, field.key(), List.of(field.value()), posted, add);
            return;
        }
        Requirement label = requirement(target, Requirement.Operator.IN);
        if (label != null) {
            change(byLabel, label.key(), label.values(), posted, add);
            return;
        }
        Requirement there = thereLabel(target);
        if (there != null) {
            change(byLabelThere, there.key(), posted, add);
        } else if (target.namespace() != null) {
            change(byNamespace, target.namespace(), posted, add);
        } else if (add) {
            rest.add(posted);
        } else {
            rest.remove(posted);
        }
    }

    private static FieldSelector.@Nullable Term equalField(FieldSelector fields) {
        for (FieldSelector.Term term : fields.terms()) {
            if (term.equal()) {
                return term;
            }
        }
        return null;
    }

    private static @Nullable Requirement thereLabel(WatchTarget target) {
        Requirement exists = requirement(target, Requirement.Operator.EXISTS);
        Requirement above = exists != null ? exists : requirement(target, Requirement.Operator.ABOVE);
        return above != null ? above : requirement(target, Requirement.Operator.BELOW);
    }

    private static @Nullable Requirement requirement(WatchTarget target, Requirement.Operator operator) {
        for (Requirement requirement : target.labels().requirements()) {
            if (requirement.operator() == operator) {
                return requirement;
            }
        }
        return null;
    }

    private static void change(
            Map<String, Map<String, List<WatchClass>>> postings,
            String key,
            List<String> values,
            WatchClass posted,
            boolean add) {
        Map<String, List<WatchClass>> ofKey = postings.computeIfAbsent(key, absent -> new HashMap<>());
        for (String value : values) {
            change(ofKey, value, posted, add);
        }
        if (ofKey.isEmpty()) {
            postings.remove(key);
        }
    }

    private static void change(Map<String, List<WatchClass>> postings, String value, WatchClass posted, boolean add) {
        List<WatchClass> classes = postings.computeIfAbsent(value, absent -> new ArrayList<>(1));
        if (add) {
            classes.add(posted);
        } else {
            classes.remove(posted);
        }
        if (classes.isEmpty()) {
            postings.remove(value);
        }
    }
}
