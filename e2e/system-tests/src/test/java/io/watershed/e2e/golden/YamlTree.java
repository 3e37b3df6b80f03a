package io.watershed.e2e.golden;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.StringReader;
import java.util.Locale;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** A YAML 1.1 document as a tree that can be compared: what a plain scalar means counts, and a number's digits; quotes and indents don't. */
final class YamlTree {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /** A scalar that is neither text nor null, as {@code !!int 17}. */
    private record Plain(Tag tag, @JsonValue @JsonRawValue String text) {}

    private YamlTree() {}

    static JsonNode parse(String text) throws UnreadableAnswerException {
        try {
            LoaderOptions options = new LoaderOptions();
            return tree(new Yaml(new SafeConstructor(options)).compose(new StringReader(text)));
        } catch (YAMLException e) {
            throw new UnreadableAnswerException("no YAML: " + e.getMessage());
        }
    }

    private static JsonNode tree(Node node) throws UnreadableAnswerException {
        if (node instanceof MappingNode mapping) {
            ObjectNode object = NODES.objectNode();
            for (NodeTuple member : mapping.getValue()) {
                object.set(key(member.getKeyNode()), tree(member.getValueNode()));
            }
            return object;
        } else if (node instanceof SequenceNode sequence) {
            ArrayNode array = NODES.arrayNode();
            for (Node item : sequence.getValue()) {
                array.add(tree(item));
            }
            return array;
        } else if (node instanceof ScalarNode scalar) {
            return scalar(scalar);
        }
        throw new UnreadableAnswerException("an empty document");
    }

    private static JsonNode scalar(ScalarNode scalar) {
        Tag tag = scalar.getTag();
        if (tag.equals(Tag.STR)) {
            return NODES.textNode(scalar.getValue());
        } else if (tag.equals(Tag.NULL)) {
            return NODES.nullNode();
        } else if (tag.equals(Tag.BOOL)) {
            return NODES.pojoNode(new Plain(tag, scalar.getValue().toLowerCase(Locale.ROOT)));
        }
        return NODES.pojoNode(new Plain(tag, scalar.getValue()));
    }

    /** A key that is no text, as a bare {@code yes}, must not pass for one. */
    private static String key(Node key) throws UnreadableAnswerException {
        if (key instanceof ScalarNode scalar) {
            return scalar.getTag().equals(Tag.STR) ? scalar.getValue() : scalar.getTag() + " " + scalar.getValue();
        }
        throw new UnreadableAnswerException("a key that is no scalar");
    }
}
