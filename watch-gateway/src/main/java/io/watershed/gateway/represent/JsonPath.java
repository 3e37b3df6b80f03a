package io.watershed.gateway.represent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path of Kubernetes' JSONPath, as far as printer columns may use it.
 *
 * <p><em>Threads:</em> immutable.
 */
final class JsonPath {
    /** Of a path that means nothing for this object, where kube-apiserver shows nothing: an index beyond a list, for example. */
    static final class Mismatch extends Exception {
        private static final long serialVersionUID = 1L;

        Mismatch(String message) {
            super(message, null, false, false);
        }
    }

    /** From some values to those that a part of the path leads to. */
    sealed interface Step permits Field, Wildcard, Recursive, Slice, Union, Filter {
        void apply(JsonNode value, List<JsonNode> out) throws Mismatch;
    }

    record Field(String name) implements Step {
        @Override
        public void apply(JsonNode value, List<JsonNode> out) {
            JsonNode member = value.isObject() ? value.get(name) : null;
            if (member != null) {
                out.add(member);
            }
        }
    }

    record Wildcard() implements Step {
        @Override
        public void apply(JsonNode value, List<JsonNode> out) {
            value.forEach(out::add);
        }
    }

    /** Everything below that has something below it. */
    record Recursive() implements Step {
        @Override
        public void apply(JsonNode value, List<JsonNode> out) {
            if (!value.isEmpty()) {
                out.add(value);
                value.forEach(below -> apply(below, out));
            }
        }
    }

    /**
     * Elements of a list; counts from its end where negative.
     *
     * @param single whether {@code to} is the element after {@code from}
     */
    record Slice(@Nullable Integer from, @Nullable Integer to, int step, boolean single) implements Step {
        @Override
        public void apply(JsonNode value, List<JsonNode> out) throws Mismatch {
            if (value.isNull()) {
                return;
            }
            if (!value.isArray()) {
                throw new Mismatch("no list");
            }
            int size = value.size();
            int first = from == null ? 0 : from < 0 ? from + size : from;
            int end = to == null ? size : to < 0 || (to == 0 && single) ? to + size : to;
            if (first == end) {
                return;
            }
            if (first < 0 || first >= size || end < 0 || end > size || first > end || step < 1) {
                throw new Mismatch("out of bounds");
            }
            for (int i = first; i < end; i += step) {
                out.add(value.get(i));
            }
        }
    }

    /** What several paths lead to, one after the other. */
    record Union(List<JsonPath> paths) implements Step {
        @Override
        public void apply(JsonNode value, List<JsonNode> out) throws Mismatch {
            for (JsonPath path : paths) {
                out.addAll(path.find(value));
            }
        }
    }

    /**
     * Elements of a list that compare so.
     *
     * @param operator empty: the left side exists
     */
    record Filter(Operand left, String operator, @Nullable Operand right) implements Step {
        @Override
        public void apply(JsonNode value, List<JsonNode> out) throws Mismatch {
            if (!value.isArray()) {
                throw new Mismatch("no list");
            }
            for (JsonNode element : value) {
                if (passes(element)) {
                    out.add(element);
                }
            }
        }

        private boolean passes(JsonNode element) throws Mismatch {
            List<JsonNode> lefts = left.of(element);
            if (right == null) {
                return !lefts.isEmpty();
            }
            List<JsonNode> rights = right.of(element);
            if (lefts.size() > 1 || rights.size() > 1) {
                throw new Mismatch("more than one value to compare");
            }
            return !lefts.isEmpty() && !rights.isEmpty() && Comparison.holds(lefts.get(0), operator, rights.get(0));
        }
    }

    /** One side of a comparison: a value, or where it is. */
    record Operand(@Nullable JsonNode value, @Nullable JsonPath path) {
        List<JsonNode> of(JsonNode element) throws Mismatch {
            if (path != null) {
                return path.find(element);
            }
            return value == null ? List.of() : List.of(value);
        }
    }

    private final List<Step> steps;

    JsonPath(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    /**
     * Reads a path.
     *
     * @return null if it is none
     */
    static @Nullable JsonPath parse(String text) {
        return JsonPathParser.parse(text);
    }

    /** All that the path leads to. */
    List<JsonNode> find(JsonNode object) throws Mismatch {
        List<JsonNode> values = List.of(object);
        for (Step step : steps) {
            List<JsonNode> next = new ArrayList<>();
            for (JsonNode value : values) {
                step.apply(value, next);
            }
            values = next;
        }
        return values;
    }

    /** The first value that the path leads to; null if there is none. */
    @Nullable
    JsonNode first(JsonNode object) {
        try {
            List<JsonNode> found = find(object);
            return found.isEmpty() ? null : found.get(0);
        } catch (Mismatch e) {
            return null;
        }
    }
}
