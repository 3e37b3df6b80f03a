package io.watershed.gateway.represent;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a kind, and the cells of an object of it.
 *
 * <p>Printers of custom resources are equal if their columns are; others are equal to themselves only.
 *
 * <p><em>Threads:</em> immutable.
 */
public final class Printer {
    /** What the rows of a list have to do with each other. */
    enum PageRule {
        NONE,
        /** By matchingPrecedence, then name. */
        BY_PRECEDENCE,
        /** One storage class of the page is the default one. */
        ONE_DEFAULT
    }

    private final List<Column> columns;
    private final List<Cell> cells;
    private final PageRule pageRule;
    private final @Nullable Function<JsonNode, @Nullable String> completion;
    private final Object identity;

    private Printer(Builder builder) {
        this.identity = builder.identity;
        this.columns = List.copyOf(builder.columns);
        this.cells = List.copyOf(builder.cells);
        this.pageRule = builder.pageRule;
        this.completion = builder.completion;
    }

    List<Column> columns() {
        return columns;
    }

    /** Not always as many as there are columns. */
    List<Cell> cells() {
        return cells;
    }

    PageRule pageRule() {
        return pageRule;
    }

    /** JSON of the row's conditions, or null for none. */
    @Nullable
    String conditions(JsonNode object) {
        return completion == null ? null : completion.apply(object);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Printer printer && printer.identity.equals(identity);
    }

    @Override
    public int hashCode() {
        return identity.hashCode();
    }

    /** One whose first column is the object's name. */
    static Builder named() {
        return new Builder().column("Name", "string", "name", Cells.text("/metadata/name"));
    }

    static Builder empty() {
        return new Builder();
    }

    /** Columns in order. */
    static final class Builder {
        private final List<Column> columns = new ArrayList<>();
        private final List<Cell> cells = new ArrayList<>();
        private int priority;
        private Object identity = new Object();
        private PageRule pageRule = PageRule.NONE;
        private @Nullable Function<JsonNode, @Nullable String> completion;

        Builder column(String name, String type, String format, Cell cell) {
            return column(new Column(name, type, format, "", priority), cell);
        }

        Builder column(Column column, Cell cell) {
            columns.add(column);
            cells.add(cell);
            return this;
        }

        Builder text(String name, Cell cell) {
            return column(name, "string", "", cell);
        }

        Builder integer(String name, Cell cell) {
            return column(name, "integer", "", cell);
        }

        Builder flag(String name, Cell cell) {
            return column(name, "boolean", "", cell);
        }

        Builder age() {
            return text("Age", Cells::age);
        }

        /** When the object was made, as a time. */
        Builder createdAt() {
            return column("Created At", "date", "", Cells.text("/metadata/creationTimestamp", "0001-01-01T00:00:00Z"));
        }

        /** Names and images of a pod template's containers. */
        Builder containers(String podSpec) {
            return text("Containers", Cells.containers(podSpec)).text("Images", Cells.images(podSpec));
        }

        /** What follows is shown with {@code -o wide} only. */
        Builder wide() {
            priority = 1;
            return this;
        }

        /** What follows is always shown. */
        Builder narrow() {
            priority = 0;
            return this;
        }

        /** A cell behind the last column. */
        Builder cellWithoutColumn(Cell cell) {
            cells.add(cell);
            return this;
        }

        /** What makes two printers equal. */
        Builder identity(Object value) {
            identity = value;
            return this;
        }

        Builder page(PageRule rule) {
            pageRule = rule;
            return this;
        }

        Builder conditions(Function<JsonNode, @Nullable String> json) {
            completion = json;
            return this;
        }

        Printer build() {
            return new Printer(this);
        }
    }
}
