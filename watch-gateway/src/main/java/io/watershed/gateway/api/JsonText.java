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
}
