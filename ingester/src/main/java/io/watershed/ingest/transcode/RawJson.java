package io.watershed.ingest.transcode;

/** JSON inside a value, checked and copied without its blanks. Digits, escapes and members stay; bytes that are no UTF-8 become U+FFFD. */
final class RawJson {
    private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
    private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};
    private static final byte[] REPLACEMENT = {(byte) 0xef, (byte) 0xbf, (byte) 0xbd};
    private static final int END = -1;

    private final byte[] text;
    private final int to;
    private final JsonBuffer out;
    private int at;
    /** Where what is checked and not yet copied begins. */
    private int pending;

    private int depthLeft;
    private boolean inName;

    private RawJson(byte[] text, int from, int to, JsonBuffer out, int depthLeft) {
        this.text = text;
        this.at = from;
        this.pending = from;
        this.to = to;
        this.out = out;
        this.depthLeft = depthLeft;
    }

    static void put(byte[] text, int from, int to, JsonBuffer out, int depthLeft) throws Undecodable {
        RawJson json = new RawJson(text, from, to, out, depthLeft);
        json.blanks();
        json.value();
        json.blanks();
        if (json.at < to) {
            throw json.broken();
        }
        json.flush();
    }

    private int peek() {
        return at < to ? text[at] : END;
    }

    private void flush() {
        out.put(text, pending, at);
        pending = at;
    }

    /** Leaves out blanks. */
    private void blanks() {
        int c = peek();
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
            flush();
            do {
                at++;
                c = peek();
            } while (c == ' ' || c == '\n' || c == '\t' || c == '\r');
            pending = at;
        }
    }

    private void value() throws Undecodable {
        switch (peek()) {
            case '{' -> container('}', true);
            case '[' -> container(']', false);
            case '"' -> string();
            case 't' -> literal(TRUE);
            case 'f' -> literal(FALSE);
            case 'n' -> literal(NULL);
            default -> number();
        }
    }

    private void container(int close, boolean members) throws Undecodable {
        if (depthLeft-- <= 0) {
            throw new Undecodable("value holds JSON that is nested too deeply");
        }
        at++;
        blanks();
        if (peek() != close) {
            element(members);
            while (peek() == ',') {
                at++;
                blanks();
                element(members);
            }
        }
        expect(close);
        depthLeft++;
    }

    private void element(boolean member) throws Undecodable {
        if (member) {
            inName = true;
            string();
            inName = false;
            blanks();
            expect(':');
            blanks();
        }
        value();
        blanks();
    }

    private void string() throws Undecodable {
        expect('"');
        while (true) {
            at = JsonBuffer.plainEnd(text, at, to);
            int c = peek();
            if (c == '"') {
                at++;
                return;
            }
            if (c == '\\') {
                escape();
            } else if (at < to && text[at] < 0) {
                unicode();
            } else {
                throw broken();
            }
        }
    }

    private void escape() throws Undecodable {
        at++;
        switch (peek()) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at++;
            case 'u' -> {
                int start = at - 1;
                char unit = unit();
                if (inName && Character.isSurrogate(unit) && !isPair(unit)) {
                    replace(start);
                }
            }
            default -> throw broken();
        }
    }

    /** Of an escape, from its {@code u} on. */
    private char unit() throws Undecodable {
        at++;
        int unit = 0;
        for (int digit = 0; digit < 4; digit++) {
            int value = Character.digit(peek(), 16);
            if (value < 0) {
                throw broken();
            }
            unit = unit << 4 | value;
            at++;
        }
        return (char) unit;
    }

    /** Whether the other half is escaped behind this one, which is then passed too. */
    private boolean isPair(char half) throws Undecodable {
        if (!Character.isHighSurrogate(half) || at + 1 >= to || text[at] != '\\' || text[at + 1] != 'u') {
            return false;
        }
        int before = at;
        at++;
        if (Character.isLowSurrogate(unit())) {
            return true;
        }
        at = before;
        return false;
    }

    /** Half a character in a member's name, which JSON's readers refuse, as Go reads it. */
    private void replace(int start) {
        int end = at;
        at = start;
        flush();
        out.put(REPLACEMENT);
        at = end;
        pending = end;
    }

    private void unicode() {
        int length = Utf8Length.at(text, at, to);
        if (length > 0) {
            at += length;
        } else {
            flush();
            out.put(REPLACEMENT);
            at++;
            pending = at;
        }
    }

    private void literal(byte[] word) throws Undecodable {
        for (byte letter : word) {
            expect(letter);
        }
    }

    private void number() throws Undecodable {
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else {
            digits();
        }
        if (peek() == '.') {
            at++;
            digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits();
        }
    }

    private void digits() throws Undecodable {
        if (peek() < '0' || peek() > '9') {
            throw broken();
        }
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
    }

    private void expect(int c) throws Undecodable {
        if (peek() != c) {
            throw broken();
        }
        at++;
    }

    private Undecodable broken() {
        return new Undecodable("value holds JSON that is broken, at byte " + at);
    }
}
