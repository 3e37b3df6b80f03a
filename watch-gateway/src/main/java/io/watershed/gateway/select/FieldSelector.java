package io.watershed.gateway.select;

import io.watershed.catalogue.ResourceType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A field selector: all of its terms must hold. Equal selectors are equal objects, however they were spelled.
 *
 * <p><em>Threads:</em> immutable. <em>Source:</em> the grammar of Kubernetes' field selectors: {@code =}, {@code ==} and {@code !=} only;
 * backslash escapes itself, comma and equals sign; empty terms are skipped.
 */
public final class FieldSelector {
    /** Selects everything. */
    public static final FieldSelector ALL = new FieldSelector(List.of());

    /**
     * One term.
     *
     * @param key the field, as {@link Selectable#field(String)} knows it
     * @param equal whether the field must have the value, or must not
     */
    public record Term(String key, boolean equal, String value) {
        boolean matches(Selectable object) {
            String field = object.field(key);
            return value.equals(field == null ? "" : field) == equal;
        }

        @Override
        public String toString() {
            return key
                    + (equal ? "=" : "!=")
                    + value.replace("\\", "\\\\").replace(",", "\\,").replace("=", "\\=");
        }
    }

    private final List<Term> terms;

    private FieldSelector(List<Term> terms) {
        this.terms = terms;
    }

    /**
     * Parses the value of {@code fieldSelector}, already URL-decoded; empty selects everything.
     *
     * @param resource plural[.group], which decides about the labels (see {@link FieldLabels#of(String)})
     */
    public static FieldSelector parse(String resource, String selector) throws SelectorSyntax {
        return parse(FieldLabels.of(resource), selector);
    }

    /** As {@link #parse(String, String)}, for a resource whose scope is known. */
    public static FieldSelector parse(ResourceType resource, String selector) throws SelectorSyntax {
        return parse(FieldLabels.of(resource), selector);
    }

    /** As {@link #parse(String, String)}, with the labels that the selector may name. */
    public static FieldSelector parse(FieldLabels labels, String selector) throws SelectorSyntax {
        List<Term> terms = new ArrayList<>();
        List<String> parts = parts(selector);
        parts.sort(Comparator.naturalOrder());
        for (String part : parts) {
            if (!part.isEmpty()) {
                terms.add(term(labels, selector, part));
            }
        }
        return of(terms);
    }

    /** Of terms that must all hold. */
    public static FieldSelector of(List<Term> terms) {
        return terms.isEmpty()
                ? ALL
                : new FieldSelector(terms.stream()
                        .distinct()
                        .sorted(Comparator.comparing(Term::toString))
                        .toList());
    }

    public boolean matches(Selectable object) {
        for (int i = 0; i < terms.size(); i++) {
            if (!terms.get(i).matches(object)) {
                return false;
            }
        }
        return true;
    }

    /** Normalised: sorted, each once. */
    public List<Term> terms() {
        return terms;
    }

    /** Whether it selects everything. */
    public boolean isEmpty() {
        return terms.isEmpty();
    }

    /** The value that a field must have, if a term says so; of contradicting terms any, as nothing can match anyway. */
    public @Nullable String exact(String key) {
        for (Term term : terms) {
            if (term.equal() && term.key().equals(key)) {
                return term.value();
            }
        }
        return null;
    }

    /** At every comma that no backslash precedes. */
    private static List<String> parts(String selector) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        boolean escaped = false;
        for (int i = 0; i < selector.length(); i++) {
            char c = selector.charAt(i);
            if (escaped) {
                escaped = false;
            } else if (c == '\\') {
                escaped = true;
            } else if (c == ',') {
                parts.add(selector.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(selector.substring(start));
        return parts;
    }

    private static Term term(FieldLabels labels, String selector, String part) throws SelectorSyntax {
        for (int i = 0; i < part.length(); i++) {
            String operator = operatorAt(part, i);
            if (operator != null) {
                String label = part.substring(0, i);
                String value = unescaped(part.substring(i + operator.length()));
                FieldLabels.Field field = labels.field(label);
                if (field == null) {
                    throw new SelectorSyntax(labels.notSupported(label));
                }
                return new Term(field.key(), !operator.equals("!="), value);
            }
        }
        throw new SelectorSyntax("invalid selector: '" + selector + "'; can't understand '" + part + "'");
    }

    private static @Nullable String operatorAt(String part, int at) {
        if (part.startsWith("!=", at)) {
            return "!=";
        }
        if (part.startsWith("==", at)) {
            return "==";
        }
        return part.charAt(at) == '=' ? "=" : null;
    }

    private static String unescaped(String value) throws SelectorSyntax {
        StringBuilder text = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\') {
                i++;
                String escaped =
                        i < value.length() ? value.substring(i, i + Character.charCount(value.codePointAt(i))) : "";
                if (escaped.isEmpty() || "\\,=".indexOf(escaped) < 0) {
                    throw new SelectorSyntax("invalid field selector: invalid escape sequence: \\" + escaped);
                }
                text.append(escaped);
            } else if (c == '=') {
                throw new SelectorSyntax("invalid field selector: unescaped character in value: " + (int) c);
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FieldSelector that && terms.equals(that.terms);
    }

    @Override
    public int hashCode() {
        return Objects.hash(terms);
    }

    @Override
    public String toString() {
        return String.join(",", terms.stream().map(Term::toString).toList());
    }
}
