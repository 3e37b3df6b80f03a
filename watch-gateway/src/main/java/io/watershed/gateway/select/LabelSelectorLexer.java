package io.watershed.gateway.select;

/** Cuts a label selector into tokens. Words end at white space or at a character of an operator. */
final class LabelSelectorLexer {
    /** What a token is. {@code in} and {@code notin} are operators only where an operator may stand; the parser decides. */
    enum Kind {
        WORD,
        EQUAL,
        NOT_EQUAL,
        NOT,
        ABOVE,
        BELOW,
        IN,
        NOT_IN,
        OPEN,
        CLOSE,
        COMMA,
        END
    }

    /** A token and its text, which is empty at the end. */
    record Token(Kind kind, String text) {}

    private final String selector;
    private int at;

    LabelSelectorLexer(String selector) {
        this.selector = selector;
    }

    Token next() {
        while (at < selector.length() && isSpace(selector.charAt(at))) {
            at++;
        }
        if (at == selector.length()) {
            return new Token(Kind.END, "");
        }
        return isSymbol(selector.charAt(at)) ? symbol() : word();
    }

    private Token symbol() {
        int start = at++;
        return switch (selector.charAt(start)) {
            case '(' -> new Token(Kind.OPEN, "(");
            case ')' -> new Token(Kind.CLOSE, ")");
            case ',' -> new Token(Kind.COMMA, ",");
            case '>' -> new Token(Kind.ABOVE, ">");
            case '<' -> new Token(Kind.BELOW, "<");
            case '!' -> eatsEqual() ? new Token(Kind.NOT_EQUAL, "!=") : new Token(Kind.NOT, "!");
            default -> eatsEqual() ? new Token(Kind.EQUAL, "==") : new Token(Kind.EQUAL, "=");
        };
    }

    private boolean eatsEqual() {
        if (at < selector.length() && selector.charAt(at) == '=') {
            at++;
            return true;
        }
        return false;
    }

    private Token word() {
        int start = at;
        while (at < selector.length() && !isSpace(selector.charAt(at)) && !isSymbol(selector.charAt(at))) {
            at++;
        }
        String word = selector.substring(start, at);
        return switch (word) {
            case "in" -> new Token(Kind.IN, word);
            case "notin" -> new Token(Kind.NOT_IN, word);
            default -> new Token(Kind.WORD, word);
        };
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    private static boolean isSymbol(char c) {
        return "=!(),<>".indexOf(c) >= 0;
    }
}
