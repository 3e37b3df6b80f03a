package io.watershed.gateway.select;

import io.watershed.gateway.select.LabelSelectorLexer.Kind;
import io.watershed.gateway.select.LabelSelectorLexer.Token;
import io.watershed.gateway.select.Requirement.Operator;
import java.util.ArrayList;
import java.util.List;

/** Recursive descent over one label selector, with kube-apiserver's messages. Used once. */
final class LabelSelectorParser {
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    LabelSelectorParser(String selector) {
        LabelSelectorLexer lexer = new LabelSelectorLexer(selector);
        Token token = lexer.next();
        for (; token.kind() != Kind.END; token = lexer.next()) {
            tokens.add(token);
        }
        tokens.add(token);
    }

    List<Requirement> parse() throws SelectorSyntax {
        List<Requirement> requirements = new ArrayList<>();
        if (peek() == Kind.END) {
            return requirements;
        }
        if (peek() != Kind.WORD && peek() != Kind.NOT) {
            throw found(take(), "!, identifier, or 'end of string'");
        }
        while (true) {
            requirements.add(requirement());
            Token separator = take();
            if (separator.kind() == Kind.END) {
                return requirements;
            }
            if (separator.kind() != Kind.COMMA) {
                throw found(separator, "',' or 'end of string'");
            }
            if (peek() != Kind.WORD && peek() != Kind.NOT) {
                throw found(take(), "identifier after ','");
            }
        }
    }

    private Requirement requirement() throws SelectorSyntax {
        try {
            boolean absent = peek() == Kind.NOT;
            if (absent) {
                take();
            }
            Token key = take();
            if (key.kind() != Kind.WORD) {
                throw found(key, "identifier");
            }
            LabelSyntax.checkKey(key.text());
            if (absent) {
                return new Requirement(key.text(), Operator.ABSENT, List.of());
            }
            if (peek() == Kind.END || peek() == Kind.COMMA) {
                return new Requirement(key.text(), Operator.EXISTS, List.of());
            }
            return comparison(key.text());
        } catch (SelectorSyntax e) {
            throw new SelectorSyntax("unable to parse requirement: " + e.getMessage());
        }
    }

    private Requirement comparison(String key) throws SelectorSyntax {
        Token token = tokens.get(at++);
        Operator operator = switch (token.kind()) {
            case IN, EQUAL -> Operator.IN;
            case NOT_IN, NOT_EQUAL -> Operator.NOT_IN;
            case ABOVE -> Operator.ABOVE;
            case BELOW -> Operator.BELOW;
            case WORD, NOT, OPEN, CLOSE, COMMA, END -> throw found(token, "in, notin, =, ==, !=, gt, lt");
        };
        boolean set = token.kind() == Kind.IN || token.kind() == Kind.NOT_IN;
        List<String> values = set ? set() : List.of(exactValue());
        for (int i = 0; i < values.size(); i++) {
            if ((operator == Operator.ABOVE || operator == Operator.BELOW)
                    && Requirement.integer(values.get(i)).isEmpty()) {
                throw new SelectorSyntax("values[" + i + "]: Invalid value: " + LabelSyntax.quoted(values.get(i))
                        + ": for 'Gt', 'Lt' operators, the value must be an integer");
            }
            LabelSyntax.checkValue("values[" + i + "][" + key + "]", values.get(i));
        }
        return new Requirement(key, operator, values);
    }

    private String exactValue() throws SelectorSyntax {
        if (peek() == Kind.END || peek() == Kind.COMMA) {
            return "";
        }
        Token token = take();
        if (token.kind() != Kind.WORD) {
            throw found(token, "identifier");
        }
        return token.text();
    }

    /** {@code ()} is the set of the empty value, as is each place where a value is missing between commas. */
    private List<String> set() throws SelectorSyntax {
        Token open = take();
        if (open.kind() != Kind.OPEN) {
            throw new SelectorSyntax("found '" + open.text() + "' expected: '('");
        }
        List<String> values = new ArrayList<>();
        while (true) {
            values.add(peek() == Kind.WORD ? take().text() : "");
            Token token = take();
            if (token.kind() == Kind.CLOSE) {
                return values.stream().sorted().distinct().toList();
            }
            if (token.kind() != Kind.COMMA) {
                throw found(token, "',', or identifier");
            }
        }
    }

    /** {@code in} and {@code notin} are plain words wherever no operator is due. */
    private Kind peek() {
        Kind kind = tokens.get(at).kind();
        return kind == Kind.IN || kind == Kind.NOT_IN ? Kind.WORD : kind;
    }

    private Token take() {
        Token token = new Token(peek(), tokens.get(at).text());
        if (at < tokens.size() - 1) {
            at++;
        }
        return token;
    }

    private static SelectorSyntax found(Token token, String expected) {
        return new SelectorSyntax("found '" + token.text() + "', expected: " + expected);
    }
}
