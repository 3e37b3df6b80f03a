package io.watershed.gateway.select;

import java.util.Comparator;
import java.util.List;

/**
 * A label selector: all of its requirements must hold. Selectors that ask the same in another order or spelling are equal.
 *
 * <p><em>Threads:</em> immutable. <em>Source:</em> the grammar of Kubernetes' label selectors; a missing label satisfies {@code !=},
 * {@code notin} and {@code !key}.
 */
public final class LabelSelector {
    /** Selects everything. */
    public static final LabelSelector ALL = new LabelSelector(List.of());

    private final List<Requirement> requirements;

    private LabelSelector(List<Requirement> requirements) {
        this.requirements = requirements;
    }

    /** Parses the value of {@code labelSelector}, already URL-decoded; empty selects everything. */
    public static LabelSelector parse(String selector) throws SelectorSyntax {
        return of(new LabelSelectorParser(selector).parse());
    }

    /** Of requirements that must all hold. */
    public static LabelSelector of(List<Requirement> requirements) {
        return requirements.isEmpty()
                ? ALL
                : new LabelSelector(requirements.stream()
                        .distinct()
                        .sorted(Comparator.comparing(Requirement::key).thenComparing(Requirement::toString))
                        .toList());
    }

    public boolean matches(Selectable object) {
        for (int i = 0; i < requirements.size(); i++) {
            if (!requirements.get(i).matches(object)) {
                return false;
            }
        }
        return true;
    }

    /** Normalised: sorted by key, each once. */
    public List<Requirement> requirements() {
        return requirements;
    }

    /** Whether it selects everything. */
    public boolean isEmpty() {
        return requirements.isEmpty();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LabelSelector that && requirements.equals(that.requirements);
    }

    @Override
    public int hashCode() {
        return requirements.hashCode();
    }

    @Override
    public String toString() {
        return String.join(",", requirements.stream().map(Requirement::toString).toList());
    }
}
