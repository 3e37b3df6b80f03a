package io.watershed.config;

import java.time.Duration;
import java.util.List;

/** Skeleton: one configuration key: its YAML path, type, default and one line for docs/configuration.md. */
public final class Setting<T> {
    private final String name;
    private final T defaultValue;
    private final String doc;

    private Setting(String name, T defaultValue, String doc) {
        this.name = name;
        this.defaultValue = defaultValue;
        this.doc = doc;
    }

    public static Setting<String> text(String name, String defaultValue, String doc) {
        return new Setting<>(name, defaultValue, doc);
    }

    public static Setting<List<String>> list(String name, List<String> defaultValue, String doc) {
        return new Setting<>(name, defaultValue, doc);
    }

    public static Setting<Boolean> flag(String name, boolean defaultValue, String doc) {
        return new Setting<>(name, defaultValue, doc);
    }

    public static Setting<Long> number(String name, long defaultValue, long least, long most, String doc) {
        return new Setting<>(name, defaultValue, doc);
    }

    public static Setting<Duration> duration(String name, Duration defaultValue, Duration least, String doc) {
        return new Setting<>(name, defaultValue, doc);
    }

    /** Bytes; written {@code 64MiB}. */
    public static Setting<Long> size(String name, long defaultValue, long least, String doc) {
        return new Setting<>(name, defaultValue, doc);
    }

    public static <E extends Enum<E>> Setting<E> oneOf(String name, E defaultValue, String doc) {
        return new Setting<>(name, defaultValue, doc);
    }

    public String name() {
        return name;
    }

    public T defaultValue() {
        return defaultValue;
    }

    public String doc() {
        return doc;
    }
}
