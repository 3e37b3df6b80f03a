package io.watershed.log;

/**
 * Why the log can't go on being written or read. The message names the place and the remedy.
 *
 * <p>One sealed root for the module; what to do about it is the caller's choice by type.
 */
public abstract sealed class LogFailure extends Exception {
    private static final long serialVersionUID = 1L;

    LogFailure(String message, Throwable cause) {
        super(message, cause);
    }

    LogFailure(String message) {
        super(message);
    }

    /** The broker can't be reached, or did not answer in time. Worth another try. */
    public static final class Unavailable extends LogFailure {
        private static final long serialVersionUID = 1L;

        public Unavailable(String message, Throwable cause) {
            super(message, cause);
        }

        public Unavailable(String message) {
            super(message);
        }
    }

    /** Another producer has taken the log over. This one stops leading. */
    public static final class Fenced extends LogFailure {
        private static final long serialVersionUID = 1L;

        public Fenced(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** Whether the last commit happened is not known, or the log was cut behind it: take over again (docs/log.md, takeover). */
    public static final class InDoubt extends LogFailure {
        private static final long serialVersionUID = 1L;

        public InDoubt(String message, Throwable cause) {
            super(message, cause);
        }

        public InDoubt(String message) {
            super(message);
        }
    }

    /** The topic is not what it must be: the message holds the command that repairs it. */
    public static final class ContractBroken extends LogFailure {
        private static final long serialVersionUID = 1L;

        public ContractBroken(String message) {
            super(message);
        }
    }

    /** The log under this reader is not the one it read before: truncated, recreated, or its position is gone. */
    public static final class Discontinuity extends LogFailure {
        private static final long serialVersionUID = 1L;

        public Discontinuity(String message, Throwable cause) {
            super(message, cause);
        }

        public Discontinuity(String message) {
            super(message);
        }
    }

    /** A record that can't be read: not of this format, or of a newer one. Never skipped. */
    public static final class Undecodable extends LogFailure {
        private static final long serialVersionUID = 1L;

        public Undecodable(String message, Throwable cause) {
            super(message, cause);
        }

        public Undecodable(String message) {
            super(message);
        }
    }
}
