package io.watershed.gateway.represent;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.watershed.log.codec.ObjectJson;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.emitter.Emitter;
import org.yaml.snakeyaml.events.DocumentEndEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.ImplicitTuple;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.events.StreamEndEvent;
import org.yaml.snakeyaml.events.StreamStartEvent;

/**
 * One YAML document, written as it comes, in the form that Kubernetes gives it: members sorted, texts quoted where they could be taken
 * for something else, digits of numbers as they are.
 *
 * <p><em>Threads:</em> confined to one.
 */
final class YamlWriter {
    /** Texts that a reader of YAML 1.1 takes for a truth value, nothing, or a merge. */
    private static final Pattern WORDS = Pattern.compile(
            "|~|<<|=|null|Null|NULL|[yY]|[nN]|yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF");

    /** … for a number, in all its forms, or a date. */
    private static final Pattern NUMBERS =
            Pattern.compile("[-+]?0[xX][0-9a-fA-F_]+|[-+]?0[bB][01_]+|[-+]?0[oO][0-7_]+|[-+]?[0-9][0-9_]*"
                    + "|[-+]?(\\.[0-9_]+|[0-9][0-9_]*(\\.[0-9_]*)?)([eE][-+]?[0-9]+)?|[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)"
                    + "|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\\.[0-9_]*)?"
                    + "|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(([Tt]|[ \\t]+)[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}.*)?");

    /** Characters that readers take for the end of a line, and some make blanks of. */
    private static final Pattern LINE_BREAKS = Pattern.compile("[\\r\\u0085\\u2028\\u2029]");

    /** JSON can escape halves of characters, UTF-8 has none; Go's decoder makes the same of them. */
    private static final Pattern LONE_SURROGATES = Pattern.compile("[\\ud800-\\udfff]");

    private static final ImplicitTuple PLAIN = new ImplicitTuple(true, true);

    /** A number, a truth value or nothing: the text as it stands. */
    private record Literal(String text) {}

    private final StringWriter text = new StringWriter();
    private final Emitter emitter;

    YamlWriter() {
        DumperOptions options = new DumperOptions();
        options.setLineBreak(DumperOptions.LineBreak.UNIX);
        options.setAllowUnicode(true);
        this.emitter = new Emitter(text, options);
    }

    void begin() {
        emit(new StreamStartEvent(null, null));
        emit(new DocumentStartEvent(null, null, false, null, Map.of()));
    }

    void end() {
        emit(new DocumentEndEvent(null, null, false));
        emit(new StreamEndEvent(null, null));
    }

    void beginMap() {
        emit(new MappingStartEvent(null, null, true, null, null, FlowStyle.BLOCK));
    }

    void endMap() {
        emit(new MappingEndEvent(null, null));
    }

    void beginList() {
        emit(new SequenceStartEvent(null, null, true, null, null, FlowStyle.BLOCK));
    }

    void endList() {
        emit(new SequenceEndEvent(null, null));
    }

    /** A text, also the name of a member. */
    void text(String written) {
        String value = LONE_SURROGATES.matcher(written).replaceAll("\uFFFD");
        boolean ambiguous = WORDS.matcher(value).matches()
                || NUMBERS.matcher(value).matches()
                || LINE_BREAKS.matcher(value).find();
        ScalarStyle style = ambiguous
                ? ScalarStyle.DOUBLE_QUOTED
                : value.indexOf('\n') >= 0 ? ScalarStyle.LITERAL : ScalarStyle.PLAIN;
        emit(new ScalarEvent(null, null, PLAIN, value, null, null, style));
    }

    /** Any JSON. */
    void value(byte[] json) {
        try (JsonParser parser = JsonTree.FACTORY.createParser(json)) {
            parser.nextToken();
            write(read(parser, 0));
        } catch (IOException e) {
            throw new UncheckedIOException("no JSON: " + e.getMessage(), e);
        }
    }

    /** What was written since the last call. */
    String take() {
        String taken = text.toString();
        text.getBuffer().setLength(0);
        return taken;
    }

    private static Object read(JsonParser parser, int depth) throws IOException {
        if (depth > ObjectJson.DEEPEST) {
            throw new IllegalArgumentException("nested more than " + ObjectJson.DEEPEST
                    + " levels deep, which is not written as YAML; ask for JSON");
        }
        JsonToken token = parser.currentToken();
        switch (token) {
            case START_OBJECT -> {
                Map<String, Object> members = new TreeMap<>(YamlKeys.ORDER);
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    parser.nextToken();
                    members.put(name, read(parser, depth + 1));
                }
                return members;
            }
            case START_ARRAY -> {
                List<Object> elements = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    elements.add(read(parser, depth + 1));
                }
                return elements;
            }
            case VALUE_STRING -> {
                return parser.getText();
            }
            default -> {
                return new Literal(parser.getText());
            }
        }
    }

    private void write(Object value) {
        if (value instanceof Map<?, ?> members) {
            beginMap();
            members.forEach((name, member) -> {
                text((String) name);
                write(member);
            });
            endMap();
        } else if (value instanceof List<?> elements) {
            beginList();
            elements.forEach(this::write);
            endList();
        } else if (value instanceof Literal literal) {
            emit(new ScalarEvent(null, null, PLAIN, literal.text(), null, null, ScalarStyle.PLAIN));
        } else {
            text((String) value);
        }
    }

    private void emit(Event event) {
        try {
            emitter.emit(event);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
