package io.watershed.gateway.http;

import static io.watershed.gateway.cache.ObjectLog.Write.delete;
import static io.watershed.gateway.cache.ObjectLog.Write.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.gateway.cache.ObjectLog;
import io.watershed.gateway.cache.ObjectLog.Write;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Server-sent events; with cases B04, of a client that is cut inside a revision, and B55, of ids that say nothing here. */
class EventStreamIT {
    private static final String WATCH = "/api/v1/namespaces/default/configmaps?watch=true";
    private static final String ACCEPT = "Accept: text/event-stream";
    private static final String ID = "id: " + ObjectLog.GENERATION + ":";
    private final GatewayFixture gateway = new GatewayFixture();

    @AfterEach
    void close() {
        gateway.close();
    }

    @Test
    void sendsNamedEventsWithAnIdWhereARevisionEnds() throws IOException {
        gateway.serving(10);
        gateway.log.put("configmaps", "default", "a", "}}");
        gateway.reached(11);
        try (RawConnection watch = gateway.connect()) {
            assertThat(watch.get(WATCH, ACCEPT).head())
                    .startsWith("HTTP/1.1 200 OK\n")
                    .containsIgnoringCase("content-type: text/event-stream\n")
                    .containsIgnoringCase("cache-control: no-store\n")
                    .containsIgnoringCase("x-accel-buffering: no\n");
            assertThat(watch.block()).isEqualTo("retry: 3000\n: open\n");
            assertThat(watch.block()).isEqualTo(block("ADDED", 11, "a"));
            assertThat(watch.block()).isEqualTo(ID + "11\n");

            gateway.log.write(
                    delete("configmaps", "default", "a"),
                    put("configmaps", "default", "b", "}}"),
                    put("configmaps", "other", "c", "}}"));
            assertThat(watch.block()).isEqualTo(block("DELETED", 12, "a"));
            assertThat(watch.block()).isEqualTo(block("ADDED", 12, "b") + ID + "12\n");
        }
    }

    @Test
    void aClientThatIsCutInsideARevisionSeesAllOfItAgain() throws IOException {
        int leases = 2000;
        Write[] puts = new Write[leases];
        Write[] deletes = new Write[leases];
        for (int i = 0; i < leases; i++) {
            String name = String.format("i%04d", i);
            puts[i] = put("configmaps", "default", name, "}}");
            deletes[i] = delete("configmaps", "default", name);
        }
        gateway.serving(10);
        gateway.log.write(puts);
        gateway.reached(11);
        String last = "";
        try (RawConnection watch = gateway.connect()) {
            watch.get(WATCH, ACCEPT, "Last-Event-ID: " + ObjectLog.GENERATION + ":11")
                    .head();
            last = id(watch.block(), last);
            gateway.log.write(deletes);
            for (int i = 0; i < 10; i++) {
                String block = watch.block();
                assertThat(block).startsWith("event: DELETED\n");
                last = id(block, last);
            }
        }
        assertThat(last).isEqualTo(ObjectLog.GENERATION + ":11");
        Set<String> names = new LinkedHashSet<>();
        try (RawConnection watch = gateway.connect()) {
            watch.get(WATCH, ACCEPT, "Last-Event-ID: " + last).head();
            watch.block();
            for (int i = 0; i < leases; i++) {
                String block = watch.block();
                assertThat(names.add(block.replaceAll("(?s).*\"name\":\"(i\\d+)\".*", "$1")))
                        .as("twice in one watch: " + block)
                        .isTrue();
                last = id(block, last);
            }
        }
        assertThat(new ArrayList<>(names)).hasSize(leases).isSorted();
        assertThat(last).isEqualTo(ObjectLog.GENERATION + ":12");
    }

    @Test
    void goesOnFromTheHeaderBeforeTheParameterBeforeTheRevision() throws IOException {
        gateway.serving(10);
        gateway.log.put("configmaps", "default", "a", "}}");
        gateway.log.put("configmaps", "default", "b", "}}");
        gateway.log.put("configmaps", "default", "c", "}}");
        gateway.reached(13);
        String parameter = "&lastEventId=" + ObjectLog.GENERATION + ":11";
        try (RawConnection byParameter = gateway.connect();
                RawConnection byHeader = gateway.connect()) {
            byParameter.get(WATCH + "&resourceVersion=10" + parameter, ACCEPT).head();
            assertThat(byParameter.block()).endsWith(ID + "11\n");
            assertThat(byParameter.block()).isEqualTo(block("ADDED", 12, "b") + ID + "12\n");
            byHeader.get(WATCH + parameter, ACCEPT, "Last-Event-ID: " + ObjectLog.GENERATION + ":12")
                    .head();
            assertThat(byHeader.block()).endsWith(ID + "12\n");
            assertThat(byHeader.block()).isEqualTo(block("ADDED", 13, "c") + ID + "13\n");
        }
    }

    @Test
    void aClientThatIsCutBeforeItsFirstEventGoesOnFromTheIdThatItWasGiven() throws IOException {
        gateway.serving(10);
        String last;
        try (RawConnection watch = gateway.connect()) {
            watch.get(WATCH, ACCEPT).head();
            assertThat(watch.block()).isEqualTo("retry: 3000\n: open\n");
            last = id(watch.block(), "");
        }
        assertThat(last).isEqualTo(ObjectLog.GENERATION + ":10");
        gateway.log.put("configmaps", "default", "a", "}}");
        gateway.reached(11);
        try (RawConnection watch = gateway.connect()) {
            watch.get(WATCH, ACCEPT, "Last-Event-ID: " + last).head();
            assertThat(watch.block()).endsWith(ID + "10\n");
            assertThat(watch.block()).isEqualTo(block("ADDED", 11, "a") + ID + "11\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "0", "1-abcdef00:10", "%s:5", "%s:0", "%s:x", ":10", "%s:99999999999999999999"})
    void tellsAPlaceThatIsGoneAndForgetsIt(String given) throws IOException {
        String id = String.format(given, ObjectLog.GENERATION);
        gateway.serving(10);
        gateway.log.put("configmaps", "default", "a", "}}");
        gateway.reached(11);
        try (RawConnection ending = gateway.connect();
                RawConnection anew = gateway.connect()) {
            assertThat(ending.get(WATCH, ACCEPT, "Last-Event-ID: " + id).head()).startsWith("HTTP/1.1 200 OK\n");
            assertThat(ending.block()).isEqualTo("retry: 3000\n");
            assertThat(ending.block()).startsWith("event: ERROR\nid:\ndata: {").contains("\"code\":410");
            assertThat(ending.block()).as("the end").isEmpty();

            anew.get(WATCH + "&onGone=snapshot", ACCEPT, "Last-Event-ID: " + id).head();
            assertThat(anew.block()).isEqualTo("retry: 3000\n: open\n");
            assertThat(anew.block()).startsWith("event: ERROR\nid:\ndata: {").contains("\"code\":410");
            assertThat(anew.block()).isEqualTo(block("ADDED", 11, "a"));
            assertThat(anew.block()).isEqualTo(ID + "11\n");
        }
    }

    @Test
    void keepsAPlaceThatNobodyCanJudgeNow() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect()) {
            assertThat(watch.get(WATCH, ACCEPT, "Last-Event-ID: " + ObjectLog.GENERATION + ":12")
                            .head())
                    .startsWith("HTTP/1.1 200 OK\n");
            assertThat(watch.block()).isEqualTo("retry: 3000\n");
            assertThat(watch.block()).startsWith("event: ERROR\ndata: {").contains("\"code\":429");
            assertThat(watch.block()).as("the end").isEmpty();
        }
    }

    @Test
    void sendsACommentWhenItIsQuiet() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect();
                RawConnection lines = gateway.connect();
                RawConnection clock = gateway.connect()) {
            watch.get(WATCH + "&resourceVersion=10", ACCEPT).head();
            lines.get(WATCH + "&resourceVersion=10").head();
            clock.get(WATCH + "&resourceVersion=10&allowWatchBookmarks=true").head();
            watch.block();
            assertThat(clock.chunk()).contains("BOOKMARK");
            assertThat(clock.chunk()).as("the gateway has ticked since").contains("BOOKMARK");

            gateway.advance(Duration.ofSeconds(15));

            assertThat(watch.block()).isEqualTo(":\n");
            gateway.log.put("configmaps", "default", "a", "}}");
            assertThat(lines.chunk()).as("no heartbeat in lines").startsWith("{\"type\":\"ADDED\"");
        }
    }

    @Test
    void showsTablesAndEndsAtTheTimeoutBehindABookmark() throws IOException {
        gateway.serving(10);
        try (RawConnection watch = gateway.connect()) {
            watch.get(
                            WATCH + "&resourceVersion=10&allowWatchBookmarks=true&timeoutSeconds=1",
                            "Accept: text/event-stream;as=Table;g=meta.k8s.io;v=v1")
                    .head();
            watch.block();
            String block = watch.block();
            String last = "";
            for (; !block.isEmpty(); block = watch.block()) {
                last = block;
            }
            assertThat(last)
                    .startsWith("event: BOOKMARK\ndata: {\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Table\"")
                    .endsWith(ID + "10\n");
        }
    }

    @Test
    void isForWatchesOnly() {
        gateway.serving(10);
        assertThat(gateway.get("/api/v1/pods", "Accept", "text/event-stream").statusCode())
                .isEqualTo(406);
    }

    private static String id(String block, String before) {
        int at = block.indexOf("id: ");
        return at < 0 ? before : block.substring(at + 4, block.indexOf('\n', at));
    }

    private static String block(String type, long revision, String name) {
        return "event: " + type + "\ndata: {\"type\":\"" + type
                + "\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":"
                + "{\"resourceVersion\":\""
                + revision + "\",\"name\":\"" + name + "\",\"namespace\":\"default\"}}}\n";
    }
}
