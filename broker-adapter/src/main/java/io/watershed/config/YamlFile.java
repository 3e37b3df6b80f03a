package io.watershed.config;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Reads a YAML file into paths: nested mappings and dotted keys mean the same. Keeps the lines, so that mistakes can name theirs. */
final class YamlFile {
    private final String name;
    private final Map<String, Given> entries = new LinkedHashMap<>();

    private YamlFile(String name) {
        this.name = name;
    }

    static Map<String, Given> read(Path path) throws Settings.Invalid {
        YamlFile file = new YamlFile(path.toString());
        try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
            Node root = new Yaml(new LoaderOptions()).compose(reader);
            // An empty file is a configuration without entries.
            if (root != null && !root.getTag().equals(Tag.NULL)) {
                file.flatten("", root);
            }
        } catch (NoSuchFileException e) {
            throw new Settings.Invalid(path + ": there is no such file; check --config", e);
        } catch (IOException e) {
            throw new Settings.Invalid(path + ": cannot be read: " + e, e);
        } catch (MarkedYAMLException e) {
            String line = e.getProblemMark() == null
                    ? ""
                    : " line " + (e.getProblemMark().getLine() + 1);
            throw new Settings.Invalid(path + line + ": is not YAML: " + e.getProblem(), e);
        } catch (YAMLException e) {
            throw new Settings.Invalid(path + ": is not YAML: " + e.getMessage(), e);
        }
        return file.entries;
    }

    private void flatten(String path, Node node) throws Settings.Invalid {
        if (node instanceof MappingNode mapping) {
            for (NodeTuple tuple : mapping.getValue()) {
                String key = scalar(path, tuple.getKeyNode());
                flatten(path.isEmpty() ? key : path + "." + key, tuple.getValueNode());
            }
        } else if (path.isEmpty()) {
            throw new Settings.Invalid(place(node) + ": must hold keys, as \"kafka:\"");
        } else if (node instanceof SequenceNode sequence && holdsMappings(sequence)) {
            put(path, new Given(List.of(), true, mappings(path, sequence), place(node)), node);
        } else if (node instanceof SequenceNode sequence) {
            List<String> items = new ArrayList<>();
            for (Node item : sequence.getValue()) {
                items.add(scalar(path, item));
            }
            put(path, new Given(items, true, List.of(), place(node)), node);
        } else {
            put(path, Given.text(scalar(path, node), place(node)), node);
        }
    }

    private static boolean holdsMappings(SequenceNode sequence) {
        return sequence.getValue().stream().anyMatch(MappingNode.class::isInstance);
    }

    private List<Mapping> mappings(String path, SequenceNode sequence) throws Settings.Invalid {
        List<Mapping> mappings = new ArrayList<>();
        for (Node item : sequence.getValue()) {
            if (!(item instanceof MappingNode mapping)) {
                throw new Settings.Invalid(place(item) + ": " + path + " must hold mappings only, as its other items");
            }
            Map<String, String> members = new LinkedHashMap<>();
            for (NodeTuple tuple : mapping.getValue()) {
                String member = scalar(path, tuple.getKeyNode());
                String value = scalar(path + "." + member, tuple.getValueNode());
                if (members.put(member, value) != null) {
                    throw new Settings.Invalid(
                            place(tuple.getKeyNode()) + ": " + path + "." + member + " is given twice in one item");
                }
            }
            mappings.add(new Mapping(members, place(item)));
        }
        return mappings;
    }

    /**
     * Reads a list of mappings that was not written into a file, but into a flag or a variable.
     *
     * @param place what to name in mistakes, and in what is returned
     */
    static List<Mapping> mappings(String name, String text, String place) throws Settings.Invalid {
        if (text.isBlank()) {
            return List.of();
        }
        try {
            Node root = new Yaml(new LoaderOptions()).compose(new StringReader(text));
            if (root instanceof SequenceNode sequence && (sequence.getValue().isEmpty() || holdsMappings(sequence))) {
                List<Mapping> mappings = new ArrayList<>();
                for (Mapping mapping : new YamlFile(place).mappings(name, sequence)) {
                    mappings.add(new Mapping(mapping.members(), place));
                }
                return mappings;
            }
        } catch (YAMLException e) {
            throw new Settings.Invalid(
                    place + ": " + name + " is not YAML ("
                            + String.valueOf(e.getMessage()).replaceAll("\\s+", " ")
                            + "); quote what holds braces, as [{prefix: \"/a/{name}\"}]",
                    e);
        }
        throw new Settings.Invalid(place + ": " + name + " must be a list of mappings, as [{prefix: \"/a/{name}\"}]");
    }

    private void put(String path, Given given, Node node) throws Settings.Invalid {
        Given other = entries.putIfAbsent(path, given);
        if (other != null) {
            throw new Settings.Invalid(place(node) + ": " + path + " is given twice; the other is at " + other.place());
        }
    }

    private String scalar(String path, Node node) throws Settings.Invalid {
        String subject = path.isEmpty() ? "" : path + " ";
        if (!(node instanceof ScalarNode scalar)) {
            throw new Settings.Invalid(place(node) + ": " + subject + "must hold plain values here");
        }
        if (scalar.getTag().equals(Tag.NULL)) {
            throw new Settings.Invalid(place(node) + ": " + subject + "has no value; remove the key or write \"\"");
        }
        return scalar.getValue();
    }

    private String place(Node node) {
        return name + " line " + (node.getStartMark().getLine() + 1);
    }
}
