package io.watershed.e2e.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The events of a watch's body. Periodic bookmarks come when they please and are left out; what breaks clients, as a blank line or a
 * bookmark that nobody asked for, becomes an event of its own, so that it shows as a difference.
 */
final class WatchEvents {
    private static final Pattern REVISION = Pattern.compile("\\d+");
    private static final Pattern ASKS_FOR_BOOKMARKS = Pattern.compile("[?&]allowWatchBookmarks=true(&|$)");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private WatchEvents() {}

    /**
     * @param path the request's, which says whether bookmarks were asked for
     * @param live whether the watch was open during writes, so that its initial events end where they happen to
     */
    static ArrayNode of(String body, String path, boolean live, TableMask tables) throws UnreadableAnswerException {
        boolean bookmarks = ASKS_FOR_BOOKMARKS.matcher(path).find();
        ArrayNode events = NODES.arrayNode();
        for (String line : lines(body)) {
            if (line.isBlank()) {
                events.add(odd("a blank line"));
                continue;
            }
            ObjectNode event = ExactJson.parseObject(line);
            if (event.path("type").asText().equals("BOOKMARK")) {
                addBookmark(events, event.path("object"), bookmarks, live);
                continue;
            }
            if (event.get("object") instanceof ObjectNode table && TableMask.isTable(table)) {
                tables.apply(table);
            }
            events.add(event);
        }
        return events;
    }

    private static List<String> lines(String body) {
        List<String> lines = Arrays.asList(body.split("\n", -1));
        return body.isEmpty() || body.endsWith("\n") ? lines.subList(0, lines.size() - 1) : lines;
    }

    private static void addBookmark(ArrayNode events, JsonNode object, boolean asked, boolean live) {
        JsonNode holder =
                TableMask.isTable(object) ? object.path("rows").path(0).path("object") : object;
        JsonNode revision = holder.path("metadata").path("resourceVersion");
        JsonNode end = holder.path("metadata").path("annotations").path("k8s.io/initial-events-end");
        if (!asked) {
            events.add(odd("a bookmark that nobody asked for"));
        } else if (!revision.isTextual()
                || !REVISION.matcher(revision.textValue()).matches()) {
            events.add(odd("a bookmark without resourceVersion"));
        } else if (ExactJson.textOf(object.path("kind")).isEmpty()
                || ExactJson.textOf(holder.path("kind")).isEmpty()) {
            events.add(odd("a bookmark without kind"));
        } else if (end.asText().equals("true")) {
            ObjectNode event = NODES.objectNode().put("type", "BOOKMARK");
            event.putArray("end of the initial events")
                    .add(object.path("kind").asText())
                    .add(object.path("apiVersion").asText())
                    .add(holder.path("kind").asText())
                    .add(live ? "<rv>" : revision.textValue());
            events.add(event);
        }
    }

    private static ObjectNode odd(String what) {
        return NODES.objectNode().put("type", "<<" + what + ">>");
    }
}
