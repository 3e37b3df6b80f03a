package io.watershed.gateway.represent;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.watershed.gateway.api.JsonIndenter;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One list on its way out: {@link #begin}, then {@link #item} for each object in order, then {@link #end}. Objects are written as they
 * come, but for the two kinds whose rows depend on each other.
 *
 * <p><em>Threads:</em> confined to one.
 */
public final class ListWriter {
    private static final List<String> DEFAULT_CLASS =
            List.of("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class");

    /** Writes the frame of a list and what is in it. */
    private interface Frame {
        void begin(Sink out);

        void item(Consumer<Sink> item, Sink out);

        void end(Sink out);
    }

    private final Transform transform;
    private final Frame frame;
    private final Printer.PageRule rule;

    private final List<Held> held = new ArrayList<>();

    ListWriter(Transform transform, Syntax syntax, ListMeta meta) {
        this.transform = transform;
        this.rule = transform instanceof TableTransform table ? table.printer().pageRule() : Printer.PageRule.NONE;
        this.frame = switch (syntax) {
            case JSON -> new JsonFrame(transform.listForm(), meta);
            case INDENTED_JSON -> new IndentedFrame(new JsonFrame(transform.listForm(), meta));
            case YAML -> new YamlFrame(transform.listForm(), meta);
        };
    }

    /** Writes what stands before the items. */
    public void begin(Sink out) {
        frame.begin(out);
    }

    /** Writes one object, or keeps it until the end. */
    public void item(byte[] json, Sink out) {
        if (rule == Printer.PageRule.NONE) {
            frame.item(sink -> transform.item(json, sink), out);
        } else {
            held.add(new Held(json));
        }
    }

    /** Writes the rest. */
    public void end(Sink out) {
        if (transform instanceof TableTransform table) {
            rows(table, out);
        }
        frame.end(out);
    }

    private void rows(TableTransform table, Sink out) {
        if (rule == Printer.PageRule.BY_PRECEDENCE) {
            held.sort(Comparator.comparingLong(Held::precedence).thenComparing(Held::name));
        }
        int standard = rule == Printer.PageRule.ONE_DEFAULT ? defaultClass() : -1;
        for (int i = 0; i < held.size(); i++) {
            byte[] row = table.row(held.get(i).json, i == standard ? " (default)" : "");
            frame.item(sink -> sink.write(row), out);
        }
        held.clear();
    }

    /** Place of the youngest of those that want to be it, the first of several; −1 for none. */
    private int defaultClass() {
        int found = -1;
        for (int i = 0; i < held.size(); i++) {
            Held candidate = held.get(i);
            if (candidate.wantsToBeDefault()
                    && (found < 0 || candidate.created().isAfter(held.get(found).created()))) {
                found = i;
            }
        }
        return found;
    }

    /** An object whose row is written at the end. */
    private static final class Held {
        private final byte[] json;
        private final JsonNode tree;

        Held(byte[] json) {
            this.json = json;
            this.tree = JsonTree.of(json);
        }

        long precedence() {
            return tree.path("spec").path("matchingPrecedence").asLong();
        }

        String name() {
            return Cells.text(tree.path("metadata"), "name");
        }

        Instant created() {
            return Objects.requireNonNullElse(Age.parse(Cells.textOr(tree.at(Cells.CREATED), "")), Instant.EPOCH);
        }

        boolean wantsToBeDefault() {
            return DEFAULT_CLASS.stream()
                    .anyMatch(name -> Cells.annotation(tree, name).equals("true"));
        }
    }

    /** An object's members but the items; not closed. */
    private static String head(Transform.ListForm form, ListMeta meta) {
        return "{\"kind\":" + GoJson.quoted(form.kind()) + ",\"apiVersion\":" + GoJson.quoted(form.apiVersion())
                + ",\"metadata\":" + meta.json(form.emptyToken()) + form.members();
    }

    private static final class JsonFrame implements Frame {
        private final String head;
        private boolean first = true;

        JsonFrame(Transform.ListForm form, ListMeta meta) {
            this.head = head(form, meta) + ",\"" + form.items() + "\":[";
        }

        @Override
        public void begin(Sink out) {
            out.write(head.getBytes(UTF_8));
        }

        @Override
        public void item(Consumer<Sink> item, Sink out) {
            if (!first) {
                out.write(new byte[] {','});
            }
            first = false;
            item.accept(out);
        }

        @Override
        public void end(Sink out) {
            out.write("]}\n".getBytes(UTF_8));
        }
    }

    /** Indents what another frame writes. */
    private static final class IndentedFrame implements Frame {
        private final Frame compact;
        private final JsonIndenter indenter = new JsonIndenter();

        IndentedFrame(Frame compact) {
            this.compact = compact;
        }

        @Override
        public void begin(Sink out) {
            indented(compact::begin, out);
        }

        @Override
        public void item(Consumer<Sink> item, Sink out) {
            indented(sink -> compact.item(item, sink), out);
        }

        @Override
        public void end(Sink out) {
            indented(compact::end, out);
        }

        private void indented(Consumer<Sink> part, Sink out) {
            ByteArrayOutputStream buffer = new ByteArrayOutputStream();
            part.accept((bytes, start, length) -> indenter.write(bytes, start, length, buffer));
            out.write(buffer.toByteArray());
        }
    }

    /** Members stand in order, so some of them behind the items. */
    private static final class YamlFrame implements Frame {
        private final YamlWriter yaml = new YamlWriter();
        private final TreeMap<String, String> members = new TreeMap<>();
        private final String items;

        YamlFrame(Transform.ListForm form, ListMeta meta) {
            this.items = form.items();
            JsonTree.of((head(form, meta) + "}").getBytes(UTF_8))
                    .properties()
                    .forEach(member ->
                            members.put(member.getKey(), member.getValue().toString()));
        }

        @Override
        public void begin(Sink out) {
            yaml.begin();
            yaml.beginMap();
            write(members.headMap(items));
            yaml.text(items);
            yaml.beginList();
            flush(out);
        }

        @Override
        public void item(Consumer<Sink> item, Sink out) {
            ByteArrayOutputStream json = new ByteArrayOutputStream();
            item.accept(json::write);
            yaml.value(json.toByteArray());
            flush(out);
        }

        @Override
        public void end(Sink out) {
            yaml.endList();
            write(members.tailMap(items));
            yaml.endMap();
            yaml.end();
            flush(out);
        }

        private void write(Map<String, String> some) {
            some.forEach((name, json) -> {
                yaml.text(name);
                yaml.value(json.getBytes(UTF_8));
            });
        }

        private void flush(Sink out) {
            out.write(yaml.take().getBytes(UTF_8));
        }
    }
}
