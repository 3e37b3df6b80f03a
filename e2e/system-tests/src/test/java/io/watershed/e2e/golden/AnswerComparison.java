package io.watershed.e2e.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.watershed.e2e.golden.GoldenCase.Phase;
import io.watershed.e2e.golden.GoldenCase.Rule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Whether an answer is the recorded one: status, the headers that clients read, and the body by the rules of its case. */
final class AnswerComparison {
    private static final List<String> HEADERS =
            List.of("content-type", "cache-control", "www-authenticate", "retry-after", "warning", "allow");

    private final GoldenCase rules;
    private final Answer want;
    private final Answer got;
    private final Instant asked;
    private final Instant now;

    private AnswerComparison(GoldenCase rules, Answer want, Answer got, Instant asked, Instant now) {
        this.rules = rules;
        this.want = want;
        this.got = got;
        this.asked = asked;
        this.now = now;
    }

    /**
     * The differences as {@code what: recorded / answered}; none: the same.
     *
     * @param asked when the request was sent
     * @param now when the answer was complete: between the two, an age is right
     */
    static List<String> differences(GoldenCase rules, Answer want, Answer got, Instant asked, Instant now) {
        return new AnswerComparison(rules, want, got, asked, now).differences();
    }

    private List<String> differences() {
        if (got.status() == rules.otherStatus()) {
            return List.of();
        }
        if (want.status() != got.status()) {
            return List.of("status: " + want.status() + " / " + got.status() + " " + JsonDifference.quote(got.body()));
        }
        List<String> found = new ArrayList<>();
        for (String header : HEADERS) {
            String a = want.header(header);
            String b = got.header(header);
            if (!a.replace(" ", "").equals(b.replace(" ", ""))) {
                found.add("header " + header + ": '" + a + "' / '" + b + "'");
            }
        }
        if (rules.method().equals("HEAD")) {
            return found;
        }
        try {
            found.addAll(bodies());
        } catch (UnreadableAnswerException e) {
            found.add("unreadable answer: " + e.getMessage() + " " + JsonDifference.quote(got.body()));
        }
        return found;
    }

    private List<String> bodies() throws UnreadableAnswerException {
        if (want.header("content-type").contains("yaml")) {
            return JsonDifference.of("", YamlTree.parse(want.body()), YamlTree.parse(got.body()));
        }
        return switch (rules.subset()) {
            case VERSION -> versions();
            case DISCOVERY ->
                DiscoveryComparison.differences(ExactJson.parseObject(want.body()), ExactJson.parseObject(got.body()));
            case OPENAPI_INDEX -> OpenApiComparison.ofIndexes(ExactJson.parseObject(got.body()));
            case OPENAPI_SCHEMAS ->
                OpenApiComparison.ofDocuments(ExactJson.parseObject(want.body()), ExactJson.parseObject(got.body()));
            case WHOLE -> wholeBodies();
        };
    }

    private List<String> wholeBodies() throws UnreadableAnswerException {
        if (!rules.check().isEmpty()) {
            return members();
        }
        // A WebSocket's answer has no type, and its messages are the same JSON as a watch's lines.
        boolean json = want.header("content-type").contains("json") || want.status() == 101;
        if (rules.has(Rule.RAW) || !json) {
            return want.body().equals(got.body())
                    ? List.of()
                    : List.of("body: " + JsonDifference.quote(want.body()) + " / " + JsonDifference.quote(got.body()));
        }
        if (rules.has(Rule.STREAM) && (want.status() == 200 || want.status() == 101)) {
            boolean live = rules.phase() == Phase.LIVE;
            return JsonDifference.of(
                    "events",
                    WatchEvents.of(want.body(), rules.path(), live, TableMask.ofRecorded()),
                    WatchEvents.of(got.body(), rules.path(), live, TableMask.ofAnswer(asked, now)));
        }
        return documents();
    }

    private List<String> versions() throws UnreadableAnswerException {
        ObjectNode version = ExactJson.parseObject(got.body());
        List<String> found = new ArrayList<>();
        for (String name : List.of("major", "minor", "gitVersion", "platform")) {
            if (ExactJson.textOf(version.path(name)).isEmpty()) {
                found.add(name + ": missing");
            }
        }
        return found;
    }

    /** Only the members that the case names. */
    private List<String> members() throws UnreadableAnswerException {
        ObjectNode a = ExactJson.parseObject(want.body());
        ObjectNode b = ExactJson.parseObject(got.body());
        List<String> found = new ArrayList<>();
        for (String path : rules.check()) {
            JsonNode wanted = a;
            JsonNode answered = b;
            for (String name : path.split("\\.", -1)) {
                wanted = wanted.path(name);
                answered = answered.path(name);
            }
            if (!wanted.equals(answered)) {
                found.add(path + ": " + JsonDifference.brief(wanted) + " / " + JsonDifference.brief(answered));
            }
        }
        return found;
    }

    /** One JSON document each: an object, a list, a Table, a Status. */
    private List<String> documents() throws UnreadableAnswerException {
        ObjectNode a = ExactJson.parseObject(want.body());
        ObjectNode b = ExactJson.parseObject(got.body());
        mask(a, TableMask.ofRecorded());
        mask(b, TableMask.ofAnswer(asked, now));
        if (rules.has(Rule.LOOSE_REVISION)
                && !ExactJson.textOf(a.path("metadata").path("resourceVersion")).isEmpty()
                && !ExactJson.textOf(b.path("metadata").path("resourceVersion")).isEmpty()) {
            metadata(b).set("resourceVersion", metadata(a).get("resourceVersion"));
        }
        return JsonDifference.of("", a, b);
    }

    private void mask(ObjectNode document, TableMask tables) throws UnreadableAnswerException {
        if (TableMask.isTable(document)) {
            tables.apply(document);
        }
        if (!ExactJson.textOf(document.path("metadata").path("continue")).isEmpty()) {
            metadata(document).put("continue", "<token>");
        }
        if (rules.has(Rule.LOOSE_TEXT)) {
            document.remove("message");
            for (JsonNode cause : document.path("details").path("causes")) {
                ExactJson.object(cause, "a cause").remove("message");
            }
        }
        if (rules.section().equals("reviews") && document.has("metadata")) {
            // Nothing is stored: who made it, and when, says nothing.
            metadata(document).remove(List.of("creationTimestamp", "managedFields"));
        }
    }

    private static ObjectNode metadata(ObjectNode document) throws UnreadableAnswerException {
        return ExactJson.object(document.get("metadata"), "metadata");
    }
}
