package io.watershed.gateway.represent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.watershed.gateway.represent.JsonPath.Operand;
import io.watershed.gateway.represent.JsonPath.Slice;
import io.watershed.gateway.represent.JsonPath.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the text of a {@link JsonPath}. */
final class JsonPathParser {
    private static final Pattern SLICE = Pattern.compile("(-?\\d*)(:-?\\d*)?(:\\d*)?");
    private static final Pattern COMPARISON = Pattern.compile("([^!<>=]+)([!<>=]+)(.+)", Pattern.DOTALL);

    /** Deeper is no path that anybody writes, and the parser calls itself. */
    private static final int DEEPEST = 50;

    private final String text;
    private final int depth;
    private int at;

    private JsonPathParser(String text, int depth) {
        this.text = text;
        this.depth = depth;
    }

    static @Nullable JsonPath parse(String text) {
        if (!text.startsWith(".")) {
            return null;
        }
        try {
            return new JsonPathParser(text, 0).path();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private JsonPath path() {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("too deep");
        }
        List<Step> steps = new ArrayList<>();
        while (at < text.length()) {
            if (text.startsWith("..", at)) {
                at += 2;
                steps.add(new JsonPath.Recursive());
                if (at < text.length() && text.charAt(at) != '[') {
                    steps.add(field());
                }
            } else if (text.charAt(at) == '.') {
                at++;
                if (at < text.length() && text.charAt(at) == '[') {
                    continue;
                }
                steps.add(field());
            } else if (text.charAt(at) == '[') {
                steps.add(bracket());
            } else {
                throw new IllegalArgumentException("unexpected " + text.charAt(at));
            }
        }
        return new JsonPath(steps);
    }

    private Step field() {
        StringBuilder name = new StringBuilder();
        while (at < text.length() && ".,[]$@{} ".indexOf(text.charAt(at)) < 0) {
            if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                at++;
            }
            name.append(text.charAt(at++));
        }
        return name.toString().equals("*") ? new JsonPath.Wildcard() : new JsonPath.Field(name.toString());
    }

    private Step bracket() {
        boolean filter = text.startsWith("[?(", at);
        int start = at + (filter ? 3 : 1);
        int end = closing(start, filter ? ")]" : "]");
        String inside = text.substring(start, end);
        at = end + (filter ? 2 : 1);
        return filter ? filter(inside) : elements(inside);
    }

    /** Where the bracket ends, quotes not looked into. */
    private int closing(int start, String end) {
        char quote = 0;
        for (int i = start; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == '"' || c == '\'') {
                quote = c;
            } else if (text.startsWith(end, i)) {
                return i;
            }
        }
        throw new IllegalArgumentException("bracket is not closed");
    }

    private Step elements(String inside) {
        List<JsonPath> parts = new ArrayList<>();
        for (String part : inside.split(",", -1)) {
            parts.add(new JsonPath(List.of(element(part))));
        }
        return parts.size() == 1 ? element(inside) : new JsonPath.Union(parts);
    }

    private Step element(String part) {
        if (part.equals("*")) {
            return new Slice(null, null, 1, false);
        }
        if (part.length() > 1 && part.startsWith("'") && part.endsWith("'")) {
            // Kubernetes reads the key as a path of its own.
            return new JsonPath.Union(List.of(new JsonPathParser("." + part.substring(1, part.length() - 1), depth + 1)
                    .path()));
        }
        Matcher slice = SLICE.matcher(part);
        if (!slice.matches()) {
            throw new IllegalArgumentException("no index");
        }
        Integer from = number(slice.group(1));
        String to = slice.group(2);
        if (to == null && from != null) {
            return new Slice(from, from + 1, 1, true);
        }
        String step = slice.group(3);
        Integer width = step == null ? null : number(step.substring(1));
        return new Slice(from, to == null ? null : number(to.substring(1)), width == null ? 1 : width, false);
    }

    private static @Nullable Integer number(String digits) {
        return digits.isEmpty() ? null : Integer.valueOf(digits);
    }

    private Step filter(String inside) {
        Matcher comparison = COMPARISON.matcher(inside);
        return comparison.matches()
                ? new JsonPath.Filter(
                        operand(comparison.group(1).strip()),
                        comparison.group(2),
                        operand(comparison.group(3).strip()))
                : new JsonPath.Filter(operand(inside.strip()), "", null);
    }

    private Operand operand(String side) {
        if (side.startsWith("@")) {
            return new Operand(null, new JsonPathParser(side.substring(1), depth + 1).path());
        }
        if (side.length() > 1
                && (side.startsWith("\"") || side.startsWith("'"))
                && side.charAt(side.length() - 1) == side.charAt(0)) {
            return new Operand(TextNode.valueOf(side.substring(1, side.length() - 1)), null);
        }
        return new Operand(literal(side), null);
    }

    /** A word that is no value stands for nothing: then nothing passes. */
    private static @Nullable JsonNode literal(String word) {
        if (word.matches("[+-]?\\d{1,18}")) {
            return LongNode.valueOf(Long.parseLong(word));
        }
        if (word.matches("[+-]?\\d*\\.?\\d+")) {
            return DoubleNode.valueOf(Double.parseDouble(word));
        }
        return word.equals("true") || word.equals("false") ? BooleanNode.valueOf(word.equals("true")) : null;
    }
}
