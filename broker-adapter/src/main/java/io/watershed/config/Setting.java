package io.watershed.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One configuration key: its YAML path, type, default, and one line that says what it is for. The names in the environment and among
 * the flags follow from the path.
 *
 * <p><i>Threads:</i> immutable.
 *
 * @param <T> the type of its value
 */
public final class Setting<T> {
    private final String name;
    private final String type;
    private final T defaultValue;
    private final String doc;
    private final Function<String, T> parser;
    private final Function<T, String> writer;
    private final boolean secret;
    private final List<String> members;

    private Setting(
            String name,
            String type,
            T defaultValue,
            String doc,
            Function<String, T> parser,
            Function<T, String> writer,
            boolean secret) {
        this(name, type, defaultValue, doc, parser, writer, secret, List.of());
    }

    private Setting(
            String name,
            String type,
            T defaultValue,
            String doc,
            Function<String, T> parser,
            Function<T, String> writer,
            boolean secret,
            List<String> members) {
        this.name = Objects.requireNonNull(name, "name");
        this.type = type;
        this.defaultValue = Objects.requireNonNull(defaultValue, "defaultValue");
        this.doc = Objects.requireNonNull(doc, "doc");
        this.parser = parser;
        this.writer = writer;
        this.secret = secret;
        this.members = List.copyOf(members);
    }

    public static Setting<String> text(String name, String defaultValue, String doc) {
        return new Setting<>(
                name, "text", defaultValue, doc, Function.identity(), Function.identity(), name.endsWith("password"));
    }

    /** A text that is never printed. A name that ends in {@code password} is one without being told. */
    public static Setting<String> secret(String name, String defaultValue, String doc) {
        return new Setting<>(name, "secret text", defaultValue, doc, Function.identity(), Function.identity(), true);
    }

    /** A YAML list, or items with commas between them; an empty text is the empty list. */
    public static Setting<List<String>> list(String name, List<String> defaultValue, String doc) {
        return new Setting<>(
                name, "list", List.copyOf(defaultValue), doc, Setting::items, items -> String.join(",", items), false);
    }

    /** A YAML list of mappings, each with exactly these members; as a flag or variable the same in one line. Empty by default. */
    public static Setting<List<Mapping>> mappings(String name, List<String> members, String doc) {
        return new Setting<>(
                name,
                "list of mappings with " + String.join(", ", members),
                List.of(),
                doc,
                text -> {
                    throw new IllegalStateException("read by Settings");
                },
                mappings -> mappings.isEmpty()
                        ? ""
                        : mappings.stream().map(Mapping::text).collect(Collectors.joining(", ", "[", "]")),
                false,
                members);
    }

    public static Setting<Boolean> flag(String name, boolean defaultValue, String doc) {
        return new Setting<>(name, "boolean", defaultValue, doc, Setting::bool, String::valueOf, false);
    }

    public static Setting<Long> number(String name, long defaultValue, long least, long most, String doc) {
        String range = most == Long.MAX_VALUE ? "at least " + least : least + " to " + most;
        return new Setting<>(
                name,
                "number, " + range,
                defaultValue,
                doc,
                text -> inRange(wholeNumber(text), least, most, range),
                String::valueOf,
                false);
    }

    public static Setting<Duration> duration(String name, Duration defaultValue, Duration least, String doc) {
        String range = "at least " + Units.text(least);
        return new Setting<>(
                name,
                "duration, " + range,
                defaultValue,
                doc,
                text -> {
                    Duration value = Units.duration(text);
                    inRange(value.toMillis(), least.toMillis(), Long.MAX_VALUE, range);
                    return value;
                },
                Units::text,
                false);
    }

    /** Bytes; written {@code 64MiB}. */
    public static Setting<Long> size(String name, long defaultValue, long least, String doc) {
        String range = "at least " + Units.text(least);
        return new Setting<>(
                name,
                "size, " + range,
                defaultValue,
                doc,
                text -> inRange(Units.size(text), least, Long.MAX_VALUE, range),
                Units::text,
                false);
    }

    /** One of the enum's constants, in lower case, with {@code -} for {@code _}. */
    public static <E extends Enum<E>> Setting<E> oneOf(String name, E defaultValue, String doc) {
        return oneOf(name, defaultValue, doc, Map.of());
    }

    /** As {@link #oneOf(String, Enum, String)}. {@code refused}: words that people may expect, and what to say to them. */
    public static <E extends Enum<E>> Setting<E> oneOf(
            String name, E defaultValue, String doc, Map<String, String> refused) {
        List<E> constants = List.of(defaultValue.getDeclaringClass().getEnumConstants());
        String choices = constants.stream().map(Setting::word).collect(Collectors.joining(" or "));
        return new Setting<>(
                name,
                choices,
                defaultValue,
                doc,
                text -> constants.stream()
                        .filter(constant -> word(constant).equals(text))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "must be " + choices + (refused.containsKey(text) ? "; " + refused.get(text) : ""))),
                Setting::word,
                false);
    }

    /** The path in the YAML file. */
    public String name() {
        return name;
    }

    public T defaultValue() {
        return defaultValue;
    }

    public String doc() {
        return doc;
    }

    /** What may be written, for people: {@code duration, at least 1s}. */
    public String type() {
        return type;
    }

    public String flagName() {
        return SettingNames.flag(name);
    }

    public String environmentName() {
        return SettingNames.environment(name);
    }

    /** The default as one would write it. */
    public String defaultText() {
        return writer.apply(defaultValue);
    }

    /** Whether its value is never printed. */
    public boolean isSecret() {
        return secret;
    }

    boolean isFlag() {
        return defaultValue instanceof Boolean;
    }

    boolean isList() {
        return defaultValue instanceof List;
    }

    /** What each mapping of it has; empty where it holds no mappings. */
    List<String> members() {
        return members;
    }

    /** @throws IllegalArgumentException with a predicate about the value: {@code must be …} */
    T parse(String text) {
        return parser.apply(text);
    }

    /** A value that {@link #parse} returned, as one would write it. */
    @SuppressWarnings("unchecked") // Settings keeps, for each setting, only what that setting parsed.
    String write(Object value) {
        return writer.apply((T) value);
    }

    private static List<String> items(String text) {
        if (text.isBlank()) {
            return List.of();
        }
        List<String> items =
                Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        if (items.contains("")) {
            throw new IllegalArgumentException("has an empty item between its commas");
        }
        return items;
    }

    private static boolean bool(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("must be true or false");
        };
    }

    private static long wholeNumber(String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("must be a whole number", e);
        }
    }

    private static long inRange(long value, long least, long most, String range) {
        if (value < least || value > most) {
            throw new IllegalArgumentException("must be " + range);
        }
        return value;
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
