package io.watershed.ingest.etcd;

/** Why etcd did not answer as asked. The message names the place and the remedy. */
public abstract sealed class EtcdFailure extends Exception {
    private static final long serialVersionUID = 1L;

    EtcdFailure(String message, Throwable cause) {
        super(message, cause);
    }

    EtcdFailure(String message) {
        super(message);
    }

    /** Not reachable, too slow, or the stream ended: try again, at the next endpoint. */
    public static final class Unavailable extends EtcdFailure {
        private static final long serialVersionUID = 1L;

        public Unavailable(String message, Throwable cause) {
            super(message, cause);
        }

        public Unavailable(String message) {
            super(message);
        }
    }

    /** What was asked for has been compacted. Never to be answered by going on at the compacted revision: that skips events. */
    public static final class Compacted extends EtcdFailure {
        private static final long serialVersionUID = 1L;
        private final long compactRevision;

        public Compacted(long compactRevision, String message) {
            super(message);
            this.compactRevision = compactRevision;
        }

        /** The lowest readable revision, or 0 when etcd did not tell. */
        public long compactRevision() {
            return compactRevision;
        }
    }

    /** etcd refuses, or can't do what is needed, until somebody changes something: rights, or a flag. */
    public static final class Refused extends EtcdFailure {
        private static final long serialVersionUID = 1L;

        public Refused(String message, Throwable cause) {
            super(message, cause);
        }

        public Refused(String message) {
            super(message);
        }
    }
}
