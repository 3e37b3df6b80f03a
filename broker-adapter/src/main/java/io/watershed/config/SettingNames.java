package io.watershed.config;

import java.util.Locale;

/** The mechanical rule between the three names of a setting: {@code a.bC} is {@code WATERSHED_A_B_C} and {@code --a-b-c}. */
final class SettingNames {
    static final String ENVIRONMENT_PREFIX = "WATERSHED_";
    static final String FLAG_PREFIX = "--";

    private SettingNames() {}

    static String environment(String name) {
        return ENVIRONMENT_PREFIX + words(name, '_').toUpperCase(Locale.ROOT);
    }

    static String flag(String name) {
        return FLAG_PREFIX + words(name, '-');
    }

    /** {@code sasl-jaas-config} is {@code sasl.jaas.config}: keys of an open map have no capitals, so the way back is unique. */
    static String openKey(String words, char separator) {
        return words.toLowerCase(Locale.ROOT).replace(separator, '.');
    }

    private static String words(String name, char separator) {
        StringBuilder words = new StringBuilder(name.length() + 8);
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '.') {
                words.append(separator);
            } else if (Character.isUpperCase(c)) {
                words.append(separator).append(Character.toLowerCase(c));
            } else {
                words.append(c);
            }
        }
        return words.toString();
    }
}
