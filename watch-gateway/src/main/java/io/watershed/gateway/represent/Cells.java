package io.watershed.gateway.represent;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Cells that many kinds have, and their parts. Places in objects are JSON pointers.
 *
 * <p><em>Threads:</em> stateless.
 */
final class Cells {
    static final String NONE = "<none>";
    static final String UNSET = "<unset>";
    static final JsonPointer CREATED = JsonPointer.compile("/metadata/creationTimestamp");

    private Cells() {}

    /** The text there, or a number's digits; absent: empty. */
    static Cell text(String pointer) {
        return text(pointer, "");
    }

    /** The same, with what stands for an absent or empty text. */
    static Cell text(String pointer, String absent) {
        JsonPointer at = JsonPointer.compile(pointer);
        return (object, now) -> textOr(object.at(at), absent);
    }

    /** The number there. */
    static Cell number(String pointer) {
        return number(pointer, 0);
    }

    static Cell number(String pointer, long absent) {
        JsonPointer at = JsonPointer.compile(pointer);
        return (object, now) -> object.at(at).asLong(absent);
    }

    /** The number there, or a text where there is none. */
    static Cell numberOr(String pointer, String absent) {
        JsonPointer at = JsonPointer.compile(pointer);
        return (object, now) ->
                object.at(at).isNumber() ? (Object) object.at(at).longValue() : absent;
    }

    static Cell flag(String pointer, boolean absent) {
        JsonPointer at = JsonPointer.compile(pointer);
        return (object, now) -> object.at(at).asBoolean(absent);
    }

    /** How many elements or members there are. */
    static Cell count(String pointer) {
        JsonPointer at = JsonPointer.compile(pointer);
        return (object, now) -> (long) object.at(at).size();
    }

    /** The texts of a list. */
    static Cell joined(String pointer, String separator, String none) {
        JsonPointer at = JsonPointer.compile(pointer);
        return (object, now) -> orElse(join(object.at(at), separator), none);
    }

    static Cell labels(String pointer) {
        JsonPointer at = JsonPointer.compile(pointer);
        return (object, now) -> labels(object.at(at));
    }

    static Cell selector(String pointer) {
        return selector(pointer, NONE, "<error>");
    }

    static Cell selector(String pointer, String nothing, String broken) {
        JsonPointer at = JsonPointer.compile(pointer);
        return (object, now) -> selector(object.at(at), nothing, broken);
    }

    /** Names of the containers of a pod template. */
    static Cell containers(String podSpec) {
        return each(podSpec + "/containers", "name");
    }

    /** Images of the containers of a pod template. */
    static Cell images(String podSpec) {
        return each(podSpec + "/containers", "image");
    }

    private static Cell each(String pointer, String member) {
        JsonPointer at = JsonPointer.compile(pointer);
        return (object, now) -> String.join(",", texts(object.at(at), member));
    }

    /** Addresses of a load balancer's status. */
    static String loadBalancer(JsonNode status) {
        TreeSet<String> addresses = new TreeSet<>();
        for (JsonNode ingress : status.path("loadBalancer").path("ingress")) {
            String ip = text(ingress, "ip");
            addresses.add(ip.isEmpty() ? text(ingress, "hostname") : ip);
        }
        addresses.remove("");
        return String.join(",", addresses);
    }

    /** How long ago the object was made. */
    static Object age(JsonNode object, Instant now) {
        return Age.since(textOr(object.at(CREATED), ""), now);
    }

    /** How long ago the time there is. */
    static Cell since(String pointer, String absent) {
        JsonPointer at = JsonPointer.compile(pointer);
        return (object, now) -> {
            String time = textOr(object.at(at), "");
            return time.isEmpty() ? absent : Age.since(time, now);
        };
    }

    /** A member's text; absent or null: empty. */
    static String text(JsonNode object, String member) {
        return textOr(object.path(member), "");
    }

    static String textOr(JsonNode value, String absent) {
        return value.isMissingNode() || value.isNull() ? absent : orElse(value.asText(), absent);
    }

    static String orElse(String text, String empty) {
        return text.isEmpty() ? empty : text;
    }

    static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(element -> texts.add(element.asText()));
        return texts;
    }

    /** One member of each element. */
    static List<String> texts(JsonNode list, String member) {
        List<String> texts = new ArrayList<>();
        list.forEach(element -> texts.add(text(element, member)));
        return texts;
    }

    static String join(JsonNode list, String separator) {
        return String.join(separator, texts(list));
    }

    /** The first three, and how many others there are. */
    static String firstThree(List<String> texts) {
        return firstOf(texts, 3, ",");
    }

    static String firstOf(List<String> texts, int shown, String separator) {
        if (texts.size() <= shown) {
            return String.join(separator, texts);
        }
        return String.join(separator, texts.subList(0, shown)) + " + " + (texts.size() - shown) + " more...";
    }

    static String labels(JsonNode map) {
        TreeMap<String, String> sorted = new TreeMap<>();
        map.properties()
                .forEach(entry -> sorted.put(
                        entry.getKey(), entry.getKey() + "=" + entry.getValue().asText()));
        return orElse(String.join(",", sorted.values()), NONE);
    }

    /** A LabelSelector in the form that clients write it. */
    static String selector(JsonNode selector, String nothing, String broken) {
        List<Map.Entry<String, String>> terms = new ArrayList<>();
        selector.path("matchLabels")
                .properties()
                .forEach(entry -> terms.add(Map.entry(
                        entry.getKey(), entry.getKey() + "=" + entry.getValue().asText())));
        for (JsonNode expression : selector.path("matchExpressions")) {
            String term = term(expression);
            if (term == null) {
                return broken;
            }
            terms.add(Map.entry(text(expression, "key"), term));
        }
        terms.sort(Map.Entry.comparingByKey());
        return orElse(String.join(",", terms.stream().map(Map.Entry::getValue).toList()), nothing);
    }

    private static @Nullable String term(JsonNode expression) {
        String key = text(expression, "key");
        String values = "(" + String.join(",", new TreeSet<>(texts(expression.path("values")))) + ")";
        return switch (text(expression, "operator")) {
            case "In" -> key + " in " + values;
            case "NotIn" -> key + " notin " + values;
            case "Exists" -> key;
            case "DoesNotExist" -> "!" + key;
            default -> null;
        };
    }

    /** The first condition of a type, or a missing node. */
    static JsonNode condition(JsonNode object, String type) {
        for (JsonNode condition : object.path("status").path("conditions")) {
            if (text(condition, "type").equals(type)) {
                return condition;
            }
        }
        return MissingNode.getInstance();
    }

    /** Whether the first condition of a type is True. */
    static boolean isTrue(JsonNode object, String type) {
        return text(condition(object, type), "status").equals("True");
    }

    static boolean isBeingDeleted(JsonNode object) {
        return object.path("metadata").hasNonNull("deletionTimestamp");
    }

    static String annotation(JsonNode object, String name) {
        return text(object.path("metadata").path("annotations"), name);
    }
}
