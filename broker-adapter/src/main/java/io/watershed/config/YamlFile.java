package io.watershed.config;

import java.io.IOException;
import java.io.Reader;
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
        } else if (node instanceof SequenceNode sequence) {
            List<String> items = new ArrayList<>();
            for (Node item : sequence.getValue()) {
                items.add(scalar(path, item));
            }
            put(path, new Given(items, true, place(node)), node);
        } else {
            put(path, Given.text(scalar(path, node), place(node)), node);
        }
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
