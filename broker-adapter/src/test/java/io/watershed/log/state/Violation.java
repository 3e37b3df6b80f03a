package io.watershed.log.state;

/** What the model promises does not hold. */
final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
        super(message);
    }

    /** The parts are only put together when the condition fails. */
    static void unless(boolean condition, Object... parts) {
        if (!condition) {
            StringBuilder message = new StringBuilder();
            for (Object part : parts) {
                message.append(message.isEmpty() ? "" : " ").append(part);
            }
            throw new Violation(message.toString());
        }
    }
}
