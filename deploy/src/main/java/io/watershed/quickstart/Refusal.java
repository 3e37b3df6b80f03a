package io.watershed.quickstart;

/** Ends the program: the message is for the person at the terminal and names place and remedy. */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;
    /** The command line was wrong. */
    static final int USAGE = 2;

    static final int FAILURE = 1;

    private final int exitCode;

    private Refusal(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    static Refusal usage(String message) {
        return new Refusal(USAGE, message);
    }

    static Refusal failure(String message) {
        return new Refusal(FAILURE, message);
    }

    int exitCode() {
        return exitCode;
    }
}
