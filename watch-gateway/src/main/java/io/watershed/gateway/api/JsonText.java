package io.watershed.gateway.api;

import java.util.List;

/**
 * Writes the few JSON texts of the gateway's own: ASCII only, with Go's escapes for HTML, as kube-apiserver's encoder does.
 *
 * <p><em>Threads:</em> stateless.
 */
final class JsonText {
    private static final String HEX = "0123456789abcdef";

    private JsonText() {}

    static StringBuilder quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                default -> character(out, c);
            }
        }
        return out.append('"');
    }

    private static void character(StringBuilder out, char c) {
        if (c >= 0x20 && c < 0x7f && c != '<' && c != '>' && c != '&') {
            out.append(c);
        } else {
            out.append("\\u");
            for (int shift = 12; shift >= 0; shift -= 4) {
                out.append(HEX.charAt(c >> shift & 0xf));
            }
        }
    }

    /** A name and its text, with a comma behind. */
    static void member(StringBuilder out, String name, String text) {
        quote(out, name).append(':');
        quote(out, text).append(',');
    }

    static StringBuilder array(StringBuilder out, List<String> texts) {
        out.append('[');
        for (int i = 0; i < texts.size(); i++) {
            quote(out, texts.get(i)).append(i + 1 < texts.size() ? "," : "");
        }
        return out.append(']');
    }

    /** Closes an object or array whose last element may have a comma behind it. */
    static StringBuilder close(StringBuilder out, char bracket) {
        int last = out.length() - 1;
        if (out.charAt(last) == ',') {
            out.setLength(last);
        }
        return out.append(bracket);
    }

    /** The same JSON, indented by two spaces a level, without a final line feed. */
    static String indent(String compact) {
        StringBuilder out = new StringBuilder(compact.length() * 2);
        int depth = 0;
        boolean inText = false;
        for (int i = 0; i < compact.length(); i++) {
            char c = compact.charAt(i);
            if (inText) {
                out.append(c);
                if (c == '\\') {
                    out.append(compact.charAt(++i));
                } else if (c == '"') {
                    inText = false;
                }
                continue;
            }
            switch (c) {
                case '"' -> {
                    inText = true;
                    out.append(c);
                }
                case '{', '[' -> {
                    out.append(c);
                    char next = compact.charAt(i + 1);
                    if (next == '}' || next == ']') {
                        out.append(compact.charAt(++i));
                    } else {
                        line(out, ++depth);
                    }
                }
                case '}', ']' -> line(out, --depth).append(c);
                case ',' -> line(out.append(c), depth);
                case ':' -> out.append(": ");
                default -> out.append(c);
            }
        }
        return out.toString();
    }

    private static StringBuilder line(StringBuilder out, int depth) {
        return out.append('\n').append("  ".repeat(depth));
    }
}
