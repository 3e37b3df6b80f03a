package io.watershed.e2e.golden;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.watershed.e2e.golden.GoldenCase.Rule;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One case asked of one server: the request, the pages behind it, and the request again with its ETag. */
final class CaseRun {
    private static final Set<String> NOT_ON_FURTHER_PAGES =
            Set.of("resourceVersion", "resourceVersionMatch", "continue");

    private final GoldenClient client;
    private final Clock clock;
    private final GoldenCase asked;
    private final StreamProgress progress;
    private final List<String> found = new ArrayList<>();

    private CaseRun(GoldenClient client, Clock clock, GoldenCase asked, StreamProgress progress) {
        this.client = client;
        this.clock = clock;
        this.asked = asked;
        this.progress = progress;
    }

    /** What differs; nothing: the same. */
    static List<String> differences(GoldenClient client, Clock clock, GoldenCase asked, StreamProgress progress) {
        CaseRun run = new CaseRun(client, clock, asked, progress);
        try {
            run.ask();
        } catch (IOException e) {
            run.found.add("no answer: " + e);
        } catch (UnreadableAnswerException e) {
            run.found.add("unreadable answer: " + e.getMessage());
        }
        return run.found;
    }

    private void ask() throws IOException, UnreadableAnswerException {
        String path = asked.path();
        int pages = asked.answers().size();
        for (int page = 1; page <= pages; page++) {
            Instant start = clock.instant();
            Answer got = client.ask(asked, path, Map.of(), progress);
            List<String> differences =
                    AnswerComparison.differences(asked, asked.answers().get(page - 1), got, start, clock.instant());
            String place = asked.has(Rule.FOLLOW) ? "page " + page + ": " : "";
            differences.forEach(difference -> found.add(place + difference));
            if (asked.has(Rule.ETAG)) {
                askAgain(path, got.header("etag"));
            }
            if (!found.isEmpty() || !asked.has(Rule.FOLLOW)) {
                return;
            }
            String token = ExactJson.textOf(
                    ExactJson.parse(got.body()).path("metadata").path("continue"));
            if (token.isEmpty()) {
                if (page < pages) {
                    found.add(page + " pages, kube-apiserver gave " + pages);
                }
                return;
            }
            path = nextPage(asked.path(), token);
        }
    }

    private void askAgain(String path, String etag) throws IOException {
        Answer again = client.ask(asked, path, Map.of("If-None-Match", etag), progress);
        if (etag.isEmpty() || again.status() != 304) {
            found.add("ETag '" + etag + "', then " + again.status());
        }
    }

    /** As client-go asks: the token in place of what the first page was chosen by. */
    static String nextPage(String path, String token) {
        List<String> parameters = new ArrayList<>();
        for (String parameter : URI.create(path).getRawQuery().split("&", -1)) {
            String name = URLDecoder.decode(parameter.split("=", 2)[0], UTF_8);
            if (!NOT_ON_FURTHER_PAGES.contains(name)) {
                parameters.add(parameter);
            }
        }
        parameters.add("continue=" + URLEncoder.encode(token, UTF_8));
        return path.substring(0, path.indexOf('?')) + "?" + String.join("&", parameters);
    }
}
