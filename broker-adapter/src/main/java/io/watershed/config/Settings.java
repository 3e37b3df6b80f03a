package io.watershed.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The effective configuration of a process. A flag is stronger than an environment variable, that than the YAML file of {@code --config},
 * that than the default.
 *
 * <p><i>Threads:</i> immutable.
 */
public final class Settings {
    private static final String MASK = "********";
    private static final String DEFAULT = "default";

    private final Map<Setting<?>, Effective> values;
    private final Map<String, Map<String, Given>> openMaps;

    /** A mistake in the configuration: the message names the place and the remedy. */
    public static final class Invalid extends Exception {
        private static final long serialVersionUID = 1L;

        public Invalid(String message) {
            super(message);
        }

        Invalid(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private record Effective(Object value, String place) {}

    private Settings(Map<Setting<?>, Effective> values, Map<String, Map<String, Given>> openMaps) {
        this.values = values;
        this.openMaps = openMaps;
    }

    /**
     * @param known every setting that the process knows; anything else is an error that names the nearest known one
     * @param openMaps prefixes under which any key is accepted, as {@code kafka.properties}
     * @param environment only its {@code WATERSHED_…} variables are looked at
     */
    public static Settings load(
            List<Setting<?>> known, List<String> openMaps, List<String> arguments, Map<String, String> environment)
            throws Invalid {
        SettingSources sources = new SettingSources(known, openMaps);
        Map<String, Given> given = new LinkedHashMap<>();
        Map<String, Given> flags = sources.flags(arguments);
        Map<String, Given> variables = sources.environment(environment);
        Given file = flags.getOrDefault(SettingSources.CONFIG, variables.get(SettingSources.CONFIG));
        if (file != null) {
            given.putAll(sources.yaml(Path.of(file.text())));
        }
        given.putAll(variables);
        given.putAll(flags);
        given.remove(SettingSources.CONFIG);

        Map<Setting<?>, Effective> values = new LinkedHashMap<>();
        for (Setting<?> setting : known) {
            Given entry = given.get(setting.name());
            values.put(
                    setting,
                    entry == null
                            ? new Effective(setting.defaultValue(), DEFAULT)
                            : new Effective(parse(setting, entry), entry.place()));
        }
        return new Settings(values, open(openMaps, given));
    }

    /**
     * What {@code --help} prints.
     *
     * @param summary what the program does
     */
    public static String help(String summary, List<Setting<?>> known, List<String> openMaps) {
        StringBuilder text = new StringBuilder(summary)
                .append("\n\nEvery setting is a flag (--name VALUE or --name=VALUE), an environment variable (")
                .append(SettingNames.ENVIRONMENT_PREFIX)
                .append("NAME, or NAME_FILE\nwhich names a file that holds the value), or a key of the YAML file. ")
                .append("The first that is given wins, in this order.\n\n  --config FILE\n      The YAML file.\n");
        for (Setting<?> setting : known) {
            text.append("\n  ").append(setting.flagName()).append("  (").append(setting.type());
            if (!setting.isSecret() && !setting.defaultText().isEmpty()) {
                text.append("; default ").append(setting.defaultText());
            }
            text.append(")\n      ").append(setting.doc()).append('\n');
        }
        for (String openMap : openMaps) {
            text.append("\n  ")
                    .append(SettingNames.flag(openMap))
                    .append("-ANY-KEY\n      Any key under ")
                    .append(openMap)
                    .append("; its dashes are dots.\n");
        }
        return text.toString();
    }

    /**
     * The environment variable of a setting that somebody names by its YAML path, also under an open map.
     *
     * @throws Invalid when there is no such setting; the message names the nearest
     */
    public static String environmentName(List<Setting<?>> known, List<String> openMaps, String name) throws Invalid {
        return new SettingSources(known, openMaps).environmentName(name);
    }

    /** The effective value; a setting that the process did not list is a mistake of the program. */
    @SuppressWarnings("unchecked") // load() keeps what the setting's own parser returned.
    public <T> T get(Setting<T> setting) {
        return (T) effective(setting).value();
    }

    /** The entries under an open map, dots kept. */
    public Map<String, String> map(String openMap) {
        Map<String, String> map = new TreeMap<>();
        entries(openMap).forEach((key, given) -> map.put(key, given.text()));
        return map;
    }

    /** Where the value comes from: {@code default}, {@code flag --x}, {@code environment variable X} or {@code FILE line 3}. */
    public String place(Setting<?> setting) {
        return effective(setting).place();
    }

    /**
     * A mistake that only the process can see.
     *
     * @param problem a predicate about the value: {@code must be HOST:PORT}
     */
    public Invalid invalid(Setting<?> setting, String problem) {
        return new Invalid(message(setting, place(setting), setting.write(get(setting)), problem));
    }

    /** One line a key, {@code name = value (place)}; secrets are masked. */
    public String print() {
        StringBuilder text = new StringBuilder();
        values.forEach((setting, effective) -> line(
                text, setting.name(), setting.isSecret() ? MASK : setting.write(effective.value()), effective.place()));
        openMaps.forEach((openMap, entries) -> entries.forEach((key, given) ->
                line(text, openMap + "." + key, mayBePrinted(key) ? given.text() : MASK, given.place())));
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String value, String place) {
        text.append(name).append(" = ").append(value).append(" (").append(place).append(")\n");
    }

    private Effective effective(Setting<?> setting) {
        Effective effective = values.get(setting);
        if (effective == null) {
            throw new IllegalArgumentException(setting.name() + " is not among the settings that were loaded");
        }
        return effective;
    }

    private Map<String, Given> entries(String openMap) {
        Map<String, Given> entries = openMaps.get(openMap);
        if (entries == null) {
            throw new IllegalArgumentException(openMap + " is not among the open maps that were loaded");
        }
        return entries;
    }

    private static Map<String, Map<String, Given>> open(List<String> openMaps, Map<String, Given> given)
            throws Invalid {
        Map<String, Map<String, Given>> open = new LinkedHashMap<>();
        for (String openMap : openMaps) {
            Map<String, Given> entries = new TreeMap<>();
            for (Map.Entry<String, Given> entry : given.entrySet()) {
                if (entry.getKey().startsWith(openMap + ".")) {
                    entries.put(entry.getKey().substring(openMap.length() + 1), openValue(entry));
                }
            }
            open.put(openMap, entries);
        }
        return open;
    }

    private static Given openValue(Map.Entry<String, Given> entry) throws Invalid {
        Given given = entry.getValue();
        if (given.isList()) {
            throw new Invalid(given.place() + ": " + entry.getKey() + " must be a text, not a list");
        }
        return given;
    }

    private static Object parse(Setting<?> setting, Given given) throws Invalid {
        if (!setting.members().isEmpty()) {
            return mappings(setting, given);
        }
        if (!given.mappings().isEmpty()) {
            throw new Invalid(given.place() + ": " + setting.name() + " must hold plain values, not mappings");
        }
        try {
            if (given.isList()) {
                if (!setting.isList()) {
                    throw new IllegalArgumentException("must be one value, not a list");
                }
                return new ArrayList<>(given.items());
            }
            return setting.parse(given.text());
        } catch (IllegalArgumentException e) {
            throw new Invalid(
                    message(setting, given.place(), String.join(",", given.items()), String.valueOf(e.getMessage())),
                    e);
        }
    }

    private static List<Mapping> mappings(Setting<?> setting, Given given) throws Invalid {
        if (given.isList() && !given.items().isEmpty()) {
            throw new Invalid(given.place() + ": " + setting.name() + " must be a " + setting.type());
        }
        List<Mapping> mappings =
                given.isList() ? given.mappings() : YamlFile.mappings(setting.name(), given.text(), given.place());
        for (Mapping mapping : mappings) {
            for (String member : mapping.members().keySet()) {
                if (!setting.members().contains(member)) {
                    throw new Invalid(mapping.place() + ": " + setting.name() + " has no member " + member
                            + NearestName.hint(member, setting.members()));
                }
            }
            for (String member : setting.members()) {
                if (!mapping.members().containsKey(member)) {
                    throw new Invalid(mapping.place() + ": an item of " + setting.name() + " lacks " + member
                            + "; it needs " + String.join(", ", setting.members()));
                }
            }
        }
        return List.copyOf(mappings);
    }

    private static String message(Setting<?> setting, String place, String value, String problem) {
        String shown = setting.isSecret() ? "" : " is \"" + value + "\" and";
        return place + ": " + setting.name() + shown + " " + problem;
    }

    /** Names of Kafka's own settings: whatever may hold a credential is masked. */
    private static boolean mayBePrinted(String key) {
        return List.of("password", "jaas", "secret", "token", "credential", "private", "keystore.key", "key.password")
                .stream()
                .noneMatch(key::contains);
    }
}
