package io.watershed.gateway.represent;

/**
 * How objects as the log holds them become objects of the version that is asked for. Equal ones are equal objects.
 *
 * <p><em>Threads:</em> any.
 */
public interface Conversion {
    /** The log's version is the one that is asked for. */
    Conversion NONE = new Conversion() {
        @Override
        public boolean keeps(byte[] json) {
            return true;
        }

        @Override
        public byte[] convert(byte[] json) {
            return json;
        }
    };

    /** Whether the object is of that version already, so that its very bytes are shown. */
    default boolean keeps(byte[] json) {
        return false;
    }

    /**
     * One object in the other version. It begins with the log's fixed prefix, as what it is made from does.
     *
     * @param json not to be written to; may be given back
     */
    byte[] convert(byte[] json);
}
