package io.watershed.quickstart;

import io.watershed.config.LogConfiguration;
import io.watershed.config.Setting;
import io.watershed.config.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Configuration that somebody gave for the processes: {@code --set KEY=VALUE} and {@code WATERSHED_…} variables. Each process gets what it
 * knows, as environment, where other users of the machine do not see it.
 */
final class PassedSettings {
    private static final List<String> OPEN_MAPS = List.of(LogConfiguration.PROPERTIES);

    private final List<Setting<?>> all;
    private final Map<String, String> environment;
    private final Settings settings;

    private PassedSettings(List<Setting<?>> all, Map<String, String> environment, Settings settings) {
        this.all = all;
        this.environment = environment;
        this.settings = settings;
    }

    /**
     * @param lists what each process knows
     * @param owned settings that follow from the quick start's own options, with the remedy for each
     */
    static PassedSettings of(
            List<List<Setting<?>>> lists, Map<String, String> owned, List<String> sets, Map<String, String> variables)
            throws Refusal {
        Set<Setting<?>> union = new LinkedHashSet<>();
        lists.forEach(union::addAll);
        List<Setting<?>> all = List.copyOf(union);
        Map<String, String> environment = new TreeMap<>();
        variables.forEach((key, value) -> {
            if (key.startsWith("WATERSHED_")) {
                environment.put(key, value);
            }
        });
        try {
            for (String set : sets) {
                int equals = set.indexOf('=');
                String variable = variable(all, set, equals);
                environment.remove(variable + "_FILE");
                environment.put(variable, set.substring(equals + 1));
            }
            Settings settings = Settings.load(all, OPEN_MAPS, List.of(), environment);
            PassedSettings passed = new PassedSettings(all, environment, settings);
            for (String name : new TreeSet<>(owned.keySet())) {
                if (passed.isGiven(name)) {
                    throw Refusal.usage(name + " cannot be passed on: " + owned.get(name));
                }
            }
            return passed;
        } catch (Settings.Invalid e) {
            throw Refusal.usage(e.getMessage() == null ? "" : e.getMessage());
        }
    }

    private static String variable(List<Setting<?>> all, String set, int equals) throws Refusal {
        String name = set.substring(0, equals);
        try {
            String variable = Settings.environmentName(all, OPEN_MAPS, name);
            // Read alone, so that the message is about this one.
            Settings.load(all, OPEN_MAPS, List.of(), Map.of(variable, set.substring(equals + 1)));
            return variable;
        } catch (Settings.Invalid e) {
            throw Refusal.usage("--set " + name + ": " + e.getMessage());
        }
    }

    <T> T get(Setting<T> setting) {
        return settings.get(setting);
    }

    boolean isGiven(String name) {
        return all.stream()
                .filter(setting -> setting.name().equals(name))
                .anyMatch(setting -> !settings.place(setting).equals("default"));
    }

    /** What of it a process knows. */
    Map<String, String> environmentFor(List<Setting<?>> known) {
        List<String> others = new ArrayList<>();
        for (Setting<?> setting : all) {
            if (!known.contains(setting)) {
                others.add(setting.environmentName());
                others.add(setting.environmentName() + "_FILE");
            }
        }
        Map<String, String> mine = new HashMap<>(environment);
        mine.keySet().removeAll(others);
        return mine;
    }
}
