package io.watershed.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds, in each of the three sources, what is meant for which setting; anything that is meant for none is an error. */
final class SettingSources {
    /** The path of the YAML file: a flag and an environment variable, but no key of the file. */
    static final String CONFIG = "config";

    private static final String FILE_SUFFIX = "_FILE";

    /** What the test command tells the tests; processes that they start inherit it. */
    private static final Set<String> BUILD_VARIABLES =
            Set.of("WATERSHED_ETCD37", "WATERSHED_KUBECTL", "WATERSHED_KUBE_APISERVER");

    /** Kubernetes sets these in every pod of a namespace that has a service named watershed-something. */
    private static final Pattern SERVICE_LINK =
            Pattern.compile(".*_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_.*)?)");

    private final Map<String, Setting<?>> byName = new LinkedHashMap<>();
    private final Map<String, String> flagNames = new LinkedHashMap<>();
    private final Map<String, String> environmentNames = new LinkedHashMap<>();
    private final List<String> openMaps;

    SettingSources(List<Setting<?>> known, List<String> openMaps) {
        this.openMaps = List.copyOf(openMaps);
        for (Setting<?> setting : known) {
            byName.put(setting.name(), setting);
            names(setting.name());
        }
        names(CONFIG);
    }

    /** @return by path */
    Map<String, Given> flags(List<String> arguments) throws Settings.Invalid {
        Map<String, Given> given = new LinkedHashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (!argument.startsWith(SettingNames.FLAG_PREFIX)) {
                throw new Settings.Invalid(
                        "argument \"" + argument + "\": only flags are understood, as --name VALUE; see --help");
            }
            int equals = argument.indexOf('=');
            String flag = equals < 0 ? argument : argument.substring(0, equals);
            String name = flagTarget(flag);
            String value;
            if (equals >= 0) {
                value = argument.substring(equals + 1);
            } else if (i + 1 < arguments.size() && !arguments.get(i + 1).startsWith(SettingNames.FLAG_PREFIX)) {
                value = arguments.get(++i);
            } else if (isFlag(name)) {
                value = "true";
            } else {
                throw new Settings.Invalid("flag " + flag + ": has no value; write " + flag + "=VALUE");
            }
            if (given.put(name, Given.text(value, "flag " + flag)) != null) {
                throw new Settings.Invalid("flag " + flag + ": is given twice; remove one");
            }
        }
        return given;
    }

    /** @return by path */
    Map<String, Given> environment(Map<String, String> environment) throws Settings.Invalid {
        Map<String, Given> given = new LinkedHashMap<>();
        Map<String, String> from = new HashMap<>();
        // Sorted, so that the message for two mistakes is the same on every run.
        for (Map.Entry<String, String> variable : new TreeMap<>(environment).entrySet()) {
            String key = variable.getKey();
            if (!key.startsWith(SettingNames.ENVIRONMENT_PREFIX) || isNotOurs(key, variable.getValue())) {
                continue;
            }
            String place = "environment variable " + key;
            String name = environmentTarget(key);
            boolean namesFile = name == null && key.endsWith(FILE_SUFFIX);
            if (namesFile) {
                name = environmentTarget(key.substring(0, key.length() - FILE_SUFFIX.length()));
            }
            if (name == null) {
                throw new Settings.Invalid(
                        place + ": no such setting" + NearestName.hint(key, environmentNames.keySet()));
            }
            String other = from.put(name, key);
            if (other != null) {
                throw new Settings.Invalid(place + ": is given together with " + other + "; remove one");
            }
            String value = namesFile ? content(place, variable.getValue()) : variable.getValue();
            given.put(name, Given.text(value, place));
        }
        return given;
    }

    /** @return by path */
    Map<String, Given> yaml(Path path) throws Settings.Invalid {
        Map<String, Given> given = YamlFile.read(path);
        for (Map.Entry<String, Given> entry : given.entrySet()) {
            if (!isKnown(entry.getKey())) {
                throw new Settings.Invalid(entry.getValue().place() + ": " + unknown(entry.getKey()));
            }
        }
        return given;
    }

    String environmentName(String name) throws Settings.Invalid {
        if (!isKnown(name)) {
            throw new Settings.Invalid(unknown(name));
        }
        return SettingNames.environment(name);
    }

    private boolean isKnown(String name) {
        return byName.containsKey(name) || openMaps.stream().anyMatch(map -> name.startsWith(map + "."));
    }

    private String unknown(String name) {
        return "there is no key " + name + NearestName.hint(name, byName.keySet());
    }

    private void names(String name) {
        String clash = flagNames.put(SettingNames.flag(name), name);
        if (clash != null) {
            throw new IllegalArgumentException(name + " and " + clash + " have the same flag");
        }
        environmentNames.put(SettingNames.environment(name), name);
    }

    private String flagTarget(String flag) throws Settings.Invalid {
        String name = flagNames.get(flag);
        if (name != null) {
            return name;
        }
        for (String openMap : openMaps) {
            String prefix = SettingNames.flag(openMap) + "-";
            if (flag.length() > prefix.length() && flag.startsWith(prefix)) {
                return openMap + "." + SettingNames.openKey(flag.substring(prefix.length()), '-');
            }
        }
        throw new Settings.Invalid(
                "flag " + flag + ": no such flag" + NearestName.hint(flag, flagNames.keySet()) + " (see --help)");
    }

    private @Nullable String environmentTarget(String variable) {
        String name = environmentNames.get(variable);
        if (name != null) {
            return name;
        }
        for (String openMap : openMaps) {
            String prefix = SettingNames.environment(openMap) + "_";
            // With the suffix it names a file: no Kafka client has a setting that ends in ".file".
            if (variable.length() > prefix.length() && variable.startsWith(prefix) && !variable.endsWith(FILE_SUFFIX)) {
                return openMap + "." + SettingNames.openKey(variable.substring(prefix.length()), '_');
            }
        }
        return null;
    }

    private boolean isFlag(String name) {
        Setting<?> setting = byName.get(name);
        return setting != null && setting.isFlag();
    }

    private boolean isNotOurs(String variable, String value) {
        return BUILD_VARIABLES.contains(variable)
                || (environmentTarget(variable) == null
                        && (SERVICE_LINK.matcher(variable).matches()
                                || (variable.endsWith("_PORT") && value.contains("://"))));
    }

    private static String content(String place, String file) throws Settings.Invalid {
        try {
            String text = Files.readString(Path.of(file));
            // Editors end a file with a newline that nobody means as part of a password.
            return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        } catch (IOException e) {
            throw new Settings.Invalid(place + ": the file " + file + " cannot be read: " + e, e);
        }
    }
}
