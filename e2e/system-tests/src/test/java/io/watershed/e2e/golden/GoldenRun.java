package io.watershed.e2e.golden;

import io.watershed.e2e.golden.GoldenCase.Phase;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Asks every case of every server, many at a time, and keeps what differs.
 *
 * <p><em>Threads:</em> a test's; the requests run on threads of its own.
 */
public final class GoldenRun implements AutoCloseable {
    /** Watches mostly wait: this many are open at a time. */
    private static final int REQUESTS_AT_A_TIME = 48;
    /** Recorded live watches last nine seconds; the second act has to begin well before. */
    private static final Duration UNTIL_LIVE_WATCHES_ARE_OPEN = Duration.ofSeconds(4);

    private final List<GoldenCase> cases = GoldenSet.cases();
    private final Clock clock = Clock.systemUTC();
    private final ExecutorService threads = Executors.newFixedThreadPool(REQUESTS_AT_A_TIME, task -> {
        Thread thread = new Thread(task, "golden");
        thread.setDaemon(true);
        return thread;
    });
    /** By case, then by server. */
    private final Map<String, Map<String, List<String>>> differences = new TreeMap<>();

    /** What was asked on one server and waits for its end. */
    private record Asked(GoldenCase golden, String server, StreamProgress progress, Future<List<String>> result) {}

    /** The cases of a phase, except the live ones, on servers that have caught up with it. */
    public void ask(Phase phase, List<String> servers, Map<String, String> tokens) {
        collect(start(phase, servers, tokens));
    }

    /** Opens the live watches on every server, plays the second act once all have begun, and waits for their ends. */
    public void askLive(List<String> servers, Map<String, String> tokens, Runnable secondAct) {
        List<Asked> watches = start(Phase.LIVE, servers, tokens);
        try {
            Awaitility.await("the initial events of the live watches")
                    .atMost(UNTIL_LIVE_WATCHES_ARE_OPEN)
                    .until(() -> watches.stream().allMatch(GoldenRun::hasBegun));
        } catch (ConditionTimeoutException e) {
            // A server that gives fewer initial events differs: its case will say so.
        }
        secondAct.run();
        collect(watches);
    }

    /** What differs, by case and then by server; a case that is the same everywhere has only empty lists. */
    public Map<String, Map<String, List<String>>> differences() {
        return differences;
    }

    private List<Asked> start(Phase phase, List<String> servers, Map<String, String> tokens) {
        List<Asked> asked = new ArrayList<>();
        for (String server : servers) {
            GoldenClient client = new GoldenClient(server, tokens);
            for (GoldenCase golden : cases) {
                if (golden.phase() == phase) {
                    StreamProgress progress = new StreamProgress();
                    asked.add(new Asked(
                            golden,
                            server,
                            progress,
                            threads.submit(() -> CaseRun.differences(client, clock, golden, progress))));
                }
            }
        }
        return asked;
    }

    private void collect(List<Asked> asked) {
        for (Asked one : asked) {
            try {
                differences
                        .computeIfAbsent(one.golden().id(), id -> new LinkedHashMap<>())
                        .put(one.server(), one.result().get());
            } catch (ExecutionException e) {
                throw new IllegalStateException("case " + one.golden().id() + " on " + one.server(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    private static boolean hasBegun(Asked watch) {
        return watch.progress().hasBegun(initialEvents(watch.golden()));
    }

    /** How many of the recorded events are older than the second act. */
    private static int initialEvents(GoldenCase watch) {
        Answer recorded = watch.answers().get(0);
        if (recorded.status() != 200) {
            return 0;
        }
        long before = GoldenSet.revision(Phase.STATE);
        return (int) recorded.body()
                .lines()
                .filter(line -> resourceVersion(line) <= before)
                .count();
    }

    private static long resourceVersion(String event) {
        return GoldenSet.json(event)
                .path("object")
                .path("metadata")
                .path("resourceVersion")
                .asLong(Long.MAX_VALUE);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
