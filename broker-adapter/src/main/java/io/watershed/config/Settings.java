package io.watershed.config;

import java.util.List;
import java.util.Map;

/** Skeleton: the effective configuration of a process. */
public final class Settings {
    /** A mistake in the configuration: the message names the place and the remedy. */
    public static final class Invalid extends Exception {
        private static final long serialVersionUID = 1L;

        public Invalid(String message) {
            super(message);
        }
    }

    /**
     * @param known every setting that the process knows; anything else is an error that names the nearest known one
     * @param openMaps prefixes under which any key is accepted, as {@code kafka.properties}
     */
    public static Settings load(
            List<Setting<?>> known, List<String> openMaps, List<String> arguments, Map<String, String> environment)
            throws Invalid {
        throw new UnsupportedOperationException();
    }

    public <T> T get(Setting<T> setting) {
        throw new UnsupportedOperationException();
    }

    /** The entries under an open map, dots kept. */
    public Map<String, String> map(String openMap) {
        throw new UnsupportedOperationException();
    }
}
