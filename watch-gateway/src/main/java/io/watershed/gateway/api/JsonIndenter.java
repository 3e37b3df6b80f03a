package io.watershed.gateway.api;

import java.io.ByteArrayOutputStream;

/**
 * Indents compact JSON by two spaces a level, as it comes.
 *
 * <p><em>Threads:</em> confined to one.
 */
public final class JsonIndenter {
    /** Deeper levels are indented like this one: what is nested a thousandfold would become a thousand times as large. */
    private static final int DEEPEST = 100;

    private int depth;
    private boolean quoted;
    private boolean escaped;

    /** Whether a bracket was opened, and nothing has come since. */
    private boolean opened;

    /** A whole document, without a line feed behind it. */
    public static byte[] indented(byte[] json) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(2 * json.length);
        new JsonIndenter().write(json, 0, json.length, out);
        return out.toByteArray();
    }

    /** Takes the next piece of a document. Line feeds behind it are left out. */
    public void write(byte[] json, int start, int length, ByteArrayOutputStream out) {
        for (int i = start; i < start + length; i++) {
            if (quoted) {
                out.write(json[i]);
                inText(json[i]);
            } else if (json[i] != '\n') {
                structure(json[i], out);
            }
        }
    }

    private void inText(byte b) {
        if (escaped) {
            escaped = false;
        } else if (b == '\\') {
            escaped = true;
        } else if (b == '"') {
            quoted = false;
        }
    }

    private void structure(byte b, ByteArrayOutputStream out) {
        boolean closes = b == '}' || b == ']';
        if (opened) {
            opened = false;
            if (closes) {
                out.write(b);
                return;
            }
            depth++;
            line(out);
        }
        if (closes) {
            depth--;
            line(out);
        }
        out.write(b);
        switch (b) {
            case '"' -> quoted = true;
            case '{', '[' -> opened = true;
            case ',' -> line(out);
            case ':' -> out.write(' ');
            default -> {}
        }
    }

    private void line(ByteArrayOutputStream out) {
        out.write('\n');
        for (int i = Math.min(depth, DEEPEST); i > 0; i--) {
            out.write(' ');
            out.write(' ');
        }
    }
}
