package io.watershed.gateway.select;

/** A selector that can't be parsed, or names a field that its resource can't be selected by. The message is fit for a 400 Status. */
public final class SelectorSyntax extends Exception {
    private static final long serialVersionUID = 1L;

    SelectorSyntax(String message) {
        super(message);
    }
}
