package io.watershed.e2e.golden;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.watershed.e2e.golden.GoldenCase.Phase;
import io.watershed.e2e.golden.GoldenCase.Rule;
import io.watershed.e2e.golden.GoldenCase.Subset;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/** The recording among the test resources. */
public final class GoldenSet {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ADMINISTRATOR = "admin-token";
    private static final Map<Rule, String> FLAGS = new EnumMap<>(Map.of(
            Rule.STREAM, "stream",
            Rule.WEBSOCKET, "websocket",
            Rule.RAW, "raw",
            Rule.LOOSE_TEXT, "loose_text",
            Rule.LOOSE_REVISION, "loose_rv",
            Rule.FOLLOW, "follow",
            Rule.ETAG, "etag",
            Rule.OPTIONAL, "optional"));

    private GoldenSet() {}

    /** Every case, by section and id. */
    public static List<GoldenCase> cases() {
        return lines("cases.jsonl.gz").stream().map(GoldenSet::parse).toList();
    }

    /** The revision at which a phase's cases are asked; what {@link GoldenHistory} loads up to. */
    public static long revision(Phase phase) {
        String name = switch (phase) {
            case STATE, COMPACTED -> "state_revision";
            case LIVE -> "end_revision";
            case OLD -> "old_revision";
        };
        try (InputStream in = open("set.json")) {
            return JSON.readTree(in).get(name).longValue();
        } catch (IOException e) {
            throw new UncheckedIOException("golden/set.json", e);
        }
    }

    /** The lines of a resource beside this set, gzipped if its name says so. */
    static List<String> lines(String name) {
        try (InputStream raw = open(name);
                InputStream in = name.endsWith(".gz") ? new GZIPInputStream(raw) : raw;
                BufferedReader reader = new BufferedReader(new InputStreamReader(in, UTF_8))) {
            return reader.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("golden/" + name, e);
        }
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(text.substring(0, Math.min(100, text.length())), e);
        }
    }

    private static InputStream open(String name) throws FileNotFoundException {
        InputStream in = GoldenSet.class.getResourceAsStream("/golden/" + name);
        if (in == null) {
            throw new FileNotFoundException("no test resource golden/" + name);
        }
        return in;
    }

    private static GoldenCase parse(String line) {
        JsonNode json = json(line);
        List<Answer> answers = new ArrayList<>();
        for (JsonNode answer : json.get("answers")) {
            answers.add(new Answer(
                    answer.get("status").intValue(),
                    texts(answer.get("headers")),
                    answer.get("body").textValue()));
        }
        List<String> check = new ArrayList<>();
        json.path("check").forEach(path -> check.add(path.textValue()));
        return new GoldenCase(
                json.get("id").textValue(),
                json.get("section").textValue(),
                Phase.valueOf(json.path("phase").asText("state").toUpperCase(Locale.ROOT)),
                json.path("method").asText("GET"),
                json.get("path").textValue(),
                texts(json.has("ask") ? json.get("ask") : json.get("headers")),
                json.path("token").asText(ADMINISTRATOR),
                new String(Base64.getDecoder().decode(json.path("body_b64").asText()), UTF_8),
                Subset.valueOf(
                        json.path("subset").asText("whole").replace('-', '_').toUpperCase(Locale.ROOT)),
                rules(json),
                List.copyOf(check),
                json.path("or_status").asInt(),
                List.copyOf(answers));
    }

    private static Set<Rule> rules(JsonNode json) {
        Set<Rule> rules = EnumSet.noneOf(Rule.class);
        FLAGS.forEach((rule, name) -> {
            if (json.has(name)) {
                rules.add(rule);
            }
        });
        if (json.path("needs").asText().equals("auth")
                || json.get("section").textValue().equals("auth")
                || !json.path("token").asText(ADMINISTRATOR).equals(ADMINISTRATOR)) {
            rules.add(Rule.NEEDS_AUTHORISATION);
        }
        return rules;
    }

    private static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new LinkedHashMap<>();
        object.properties()
                .forEach(field -> texts.put(field.getKey(), field.getValue().textValue()));
        return texts;
    }
}
