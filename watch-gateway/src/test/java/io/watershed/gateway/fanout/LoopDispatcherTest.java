package io.watershed.gateway.fanout;

import static io.watershed.gateway.fanout.FanoutHarness.pods;
import static io.watershed.gateway.fanout.FanoutHarness.target;
import static io.watershed.gateway.fanout.ScriptedCache.Write.delete;
import static io.watershed.gateway.fanout.ScriptedCache.Write.put;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopDispatcherTest {
    private final FanoutHarness harness = new FanoutHarness();
    private final ScriptedCache cache = harness.cache;

    /** Lets go of the buffers that are kept until the next tick. */
    @AfterEach
    void tick() {
        harness.advance(Duration.ofSeconds(1));
    }

    @Test
    void sendsWhatHappensAfterItsRevision() {
        RecordingSink sink = harness.after(10, pods());
        cache.write(put("pods", "a", "x"));
        cache.write(put("pods", "a", "x"));
        cache.write(put("services", "a", "x"));
        cache.write(delete("pods", "a", "x"));
        harness.publish();

        assertThat(sink.summary()).containsExactly("ADDED x@11", "MODIFIED x@12", "DELETED x@14");
        assertThat(sink.isEnded()).isFalse();
    }

    @Test
    void writesNothingBeforeOpenHasReturned() {
        cache.write(put("pods", "a", "x"));
        harness.publish();

        RecordingSink sink = harness.initial(pods());
        assertThat(sink.writes()).isZero();
        harness.loop.runAll();

        assertThat(sink.summary()).containsExactly("ADDED x@11", "BOOKMARK@11");
    }

    @Test
    void deletedCarriesTheLastContentUnderTheRevisionOfItsEnd() {
        cache.write(put("pods", "a", "x", "app", "one").with("last"));
        harness.publish();
        RecordingSink sink = harness.after(11, pods());
        cache.write(delete("pods", "a", "x"));
        harness.publish();

        assertThat(sink.lines())
                .containsExactly(
                        "{\"type\":\"DELETED\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":"
                                + "{\"resourceVersion\":\"12\",\"name\":\"x\",\"labels\":{\"app\":\"one\"}},\"spec\":{\"nodeName\":\"\"},\"data\":\"last\"}}");
    }

    @Test
    void objectsComeAndGoWithTheirLabels() {
        RecordingSink sink = harness.after(10, pods("app=x", ""));
        cache.write(put("pods", "a", "p", "app", "x").with("1"));
        cache.write(put("pods", "a", "p", "app", "y").with("2"));
        cache.write(put("pods", "a", "p", "app", "x").with("3"));
        cache.write(put("pods", "a", "p", "app", "y").with("4"));
        cache.write(put("pods", "a", "p", "app", "z").with("5"));
        cache.write(delete("pods", "a", "p"));
        harness.publish();

        assertThat(sink.summary()).containsExactly("ADDED p@11", "DELETED p@12", "ADDED p@13", "DELETED p@14");
        assertThat(sink.lines().get(3)).contains("\"data\":\"3\"");
    }

    @Test
    void objectsComeAndGoWithTheirFields() {
        RecordingSink sink = harness.after(10, pods("", "spec.nodeName=n1"));
        RecordingSink unassigned = harness.after(10, pods("", "spec.nodeName="));
        cache.write(put("pods", "a", "p"));
        cache.write(put("pods", "a", "p", "node", "n1"));
        cache.write(put("pods", "a", "q", "node", "n2"));
        cache.write(put("pods", "a", "p", "node", "n2"));
        harness.publish();

        assertThat(sink.summary()).containsExactly("ADDED p@12", "DELETED p@14");
        assertThat(unassigned.summary()).containsExactly("ADDED p@11", "DELETED p@12");
    }

    @Test
    void scopesEndAtTheWholeNamespaceAndName() {
        RecordingSink namespace = harness.after(10, target("pods", "ns", "", ""));
        RecordingSink name = harness.after(10, target("pods", "ns", "", "metadata.name=t1"));
        RecordingSink anyNamespace = harness.after(10, target("pods", null, "", "metadata.name=t1"));
        cache.write(put("pods", "ns", "t1"));
        cache.write(put("pods", "ns-foo", "t1"));
        cache.write(put("pods", "ns", "t11"));
        harness.publish();

        assertThat(namespace.summary()).containsExactly("ADDED t1@11", "ADDED t11@13");
        assertThat(name.summary()).containsExactly("ADDED t1@11");
        assertThat(anyNamespace.summary()).containsExactly("ADDED t1@11", "ADDED t1@12");
    }

    @Test
    void aBurstIsOneWriteToEachWatcher() {
        List<RecordingSink> sinks = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            sinks.add(harness.after(10, i % 2 == 0 ? pods() : pods("app=x", "")));
        }
        harness.loop.runAll();
        ScriptedCache.Write[] writes = new ScriptedCache.Write[64];
        for (int i = 0; i < writes.length; i++) {
            writes[i] = put("pods", "a", "p" + i, "app", "x");
        }
        cache.write(writes);
        harness.publish();

        assertThat(sinks).allSatisfy(sink -> {
            assertThat(sink.lines()).hasSize(64);
            assertThat(sink.writes()).isEqualTo(1);
        });
        assertThat(harness.count("watershed.gateway.watch.writes")).isEqualTo(100);
        assertThat(harness.count("watershed.gateway.watch.events", "resource", "pods"))
                .isEqualTo(6400);
    }

    @Test
    void manyPublicationsAreOneTaskOfTheLoop() {
        RecordingSink sink = harness.after(10, pods());
        harness.loop.runAll();
        for (int i = 0; i < 5; i++) {
            cache.write(put("pods", "a", "x"));
            harness.fanout.published(cache.publish());
        }
        assertThat(harness.loop.queued()).isEqualTo(1);
        harness.loop.runAll();

        assertThat(sink.lines()).hasSize(5);
        assertThat(sink.writes()).isEqualTo(1);
    }

    @Test
    void repeatsARevisionThatHasSeveralEventsForTheWatch() {
        cache.write(put("pods", "a", "x", "app", "x"), put("pods", "a", "y", "app", "y"), put("services", "a", "z"));
        cache.write(put("pods", "a", "x", "app", "x"));
        harness.publish();

        RecordingSink several = harness.after(11, pods());
        RecordingSink one = harness.after(11, pods("app=x", ""));
        RecordingSink onlyOne = harness.after(12, pods());
        harness.loop.runAll();

        assertThat(several.summary()).containsExactly("ADDED x@11", "ADDED y@11", "MODIFIED x@12");
        assertThat(one.summary()).containsExactly("MODIFIED x@12");
        assertThat(onlyOne.summary()).isEmpty();
    }

    @Test
    void sendsTheInitialStateThenItsBookmarkThenWhatFollows() {
        cache.write(put("pods", "b", "y", "app", "x"));
        cache.write(put("pods", "a", "z", "app", "x"));
        cache.write(put("pods", "a", "no"));
        cache.progress(20);
        harness.publish();
        RecordingSink sink = harness.initial(pods("app=x", ""));
        cache.write(put("pods", "a", "new", "app", "x"));
        harness.publish();

        assertThat(sink.summary()).containsExactly("ADDED z@12", "ADDED y@11", "BOOKMARK@20", "ADDED new@21");
        assertThat(sink.lines().get(2))
                .isEqualTo("{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":"
                        + "{\"resourceVersion\":\"20\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}");
    }

    @Test
    void sendsTheEndOfAnEmptyInitialState() {
        RecordingSink sink = harness.initial(pods());
        RecordingSink withoutBookmark =
                harness.open(new WatchStart.InitialState(false), pods(), false, new RecordingSink());
        harness.loop.runAll();

        assertThat(sink.summary()).containsExactly("BOOKMARK@10");
        assertThat(withoutBookmark.lines()).isEmpty();
    }

    @Test
    void sendsTheInitialStateOfOneName() {
        cache.write(put("pods", "a", "x"), put("pods", "b", "x"), put("pods", "a", "y"));
        cache.write(put("nodes", null, "n"));
        harness.publish();
        RecordingSink oneNamespace = harness.initial(target("pods", "a", "", "metadata.name=x"));
        RecordingSink all = harness.initial(target("pods", null, "", "metadata.name=x"));
        RecordingSink clusterScoped = harness.initial(target("nodes", null, "", "metadata.name=n"));
        RecordingSink absent = harness.initial(target("pods", "a", "", "metadata.name=z"));
        harness.loop.runAll();

        assertThat(oneNamespace.summary()).containsExactly("ADDED x@11", "BOOKMARK@12");
        assertThat(all.summary()).containsExactly("ADDED x@11", "ADDED x@11", "BOOKMARK@12");
        assertThat(clusterScoped.summary()).containsExactly("ADDED n@12", "BOOKMARK@12");
        assertThat(absent.summary()).containsExactly("BOOKMARK@12");
    }

    @Test
    void aLargeInitialStateWaitsForItsReaderInBoundedWrites() {
        for (int i = 0; i < 300; i++) {
            cache.write(put("pods", "a", String.format("p%03d", i)).with("x".repeat(1000)));
        }
        harness.publish();
        RecordingSink sink =
                harness.open(new WatchStart.InitialState(true), pods(), true, new RecordingSink().taking(64 * 1024));
        harness.loop.runAll();
        int first = sink.lines().size();
        cache.write(put("pods", "a", "later"));
        harness.publish();
        assertThat(sink.lines()).hasSize(first).hasSizeLessThan(100);

        for (int i = 0; i < 10; i++) {
            sink.read();
            harness.loop.runAll();
        }

        assertThat(sink.lines()).hasSize(302);
        assertThat(sink.summary().get(300)).isEqualTo("BOOKMARK@310");
        assertThat(sink.summary().get(301)).isEqualTo("ADDED later@311");
        assertThat(sink.largestWrite()).isLessThan(80 * 1024);
    }

    @Test
    void holdsAWatchFromTheFutureInSilence() {
        RecordingSink sink = harness.after(13, pods());
        cache.write(put("pods", "a", "x"));
        cache.write(put("pods", "a", "x"));
        harness.publish();
        harness.advance(Duration.ofSeconds(40));
        assertThat(sink.lines()).isEmpty();

        cache.write(put("pods", "a", "x"));
        cache.write(put("pods", "a", "x"));
        harness.publish();

        assertThat(sink.summary()).containsExactly("MODIFIED x@14");
    }

    @Test
    void refusesARevisionBelowMemory() {
        for (int i = 0; i < 5; i++) {
            cache.write(put("pods", "a", "x"));
        }
        harness.publish();
        cache.evictBelow(13);
        harness.publish();
        RecordingSink tooOld = harness.after(12, pods());
        RecordingSink oldest = harness.after(13, pods());
        harness.loop.runAll();

        assertThat(tooOld.lines())
                .containsExactly(
                        "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},"
                                + "\"status\":\"Failure\",\"message\":\"too old resource version: 12 (13)\",\"reason\":\"Expired\","
                                + "\"code\":410}}");
        assertThat(tooOld.isEnded()).isTrue();
        assertThat(oldest.summary()).containsExactly("MODIFIED x@14", "MODIFIED x@15");
        assertThat(harness.count("watershed.gateway.watches.ended", "reason", "too_old"))
                .isEqualTo(1);
        assertThat(harness.dispatcher.watchers()).isEqualTo(1);
    }

    @Test
    void aSlowClientStaysAtItsPlaceAndReadsOnFromThere() {
        RecordingSink slow = harness.open(new WatchStart.After(10), pods(), true, new RecordingSink().taking(1));
        RecordingSink fast = harness.after(10, pods());
        harness.loop.runAll();
        for (int i = 0; i < 10; i++) {
            cache.write(put("pods", "a", "x"));
            harness.publish();
        }
        assertThat(fast.lines()).hasSize(10);
        assertThat(slow.lines()).hasSize(1);
        assertThat(harness.gauge("watershed.gateway.watchers.behind")).isEqualTo(1);

        slow.read();
        harness.loop.runAll();

        assertThat(slow.summary()).isEqualTo(fast.summary());
        assertThat(slow.writes()).isEqualTo(2);
        assertThat(harness.gauge("watershed.gateway.watchers.behind")).isZero();
    }

    @Test
    void slowClientsAtOnePlaceShareWhatTheyAreSent() {
        List<RecordingSink> sinks = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            sinks.add(harness.open(new WatchStart.After(10), pods(), true, new RecordingSink().taking(100_000)));
        }
        harness.loop.runAll();
        for (int i = 0; i < 2000; i++) {
            cache.write(put("pods", "a", "x").with("y".repeat(1000)));
        }
        harness.publish();
        for (int i = 0; i < 20; i++) {
            sinks.forEach(RecordingSink::read);
            harness.loop.runAll();
        }

        assertThat(sinks).allSatisfy(sink -> {
            assertThat(sink.lines()).hasSize(2000);
            assertThat(sink.largestWrite()).isLessThan(256 * 1024 + 2000);
        });
    }

    @Test
    void aClientWhosePlaceHasLeftMemoryIsToldSo() {
        RecordingSink slow = harness.open(new WatchStart.After(10), pods(), true, new RecordingSink().taking(1));
        harness.loop.runAll();
        for (int i = 0; i < 5; i++) {
            cache.write(put("pods", "a", "x"));
            harness.publish();
        }
        cache.evictBelow(15);
        harness.publish();
        slow.read();
        harness.loop.runAll();

        assertThat(slow.summary()).containsExactly("ADDED x@11", "ERROR");
        assertThat(slow.lines().get(1))
                .contains("too old resource version: 11 (15)")
                .contains("\"code\":410");
        assertThat(slow.isEnded()).isTrue();
        assertThat(harness.count("watershed.gateway.watches.ended", "reason", "evicted"))
                .isEqualTo(1);
    }

    @Test
    void aClientThatNeverReadsIsLetGoOnceItsPlaceHasLeftMemory() {
        RecordingSink slow = harness.open(new WatchStart.After(10), pods(), true, new RecordingSink().taking(1));
        harness.loop.runAll();
        for (int i = 0; i < 5; i++) {
            cache.write(put("pods", "a", "x"));
            harness.publish();
        }
        harness.advance(Duration.ofMinutes(5));
        assertThat(slow.isEnded()).isFalse();

        cache.evictBelow(15);
        harness.advance(Duration.ofSeconds(1));

        assertThat(slow.summary()).containsExactly("ADDED x@11", "ERROR");
        assertThat(slow.isEnded()).isTrue();
        assertThat(harness.dispatcher.watchers()).isZero();
        assertThat(harness.gauge("watershed.gateway.watchers.behind")).isZero();
    }

    @Test
    void theLoopServesItsSocketsBetweenTheTurnsOfManyWatches() {
        for (int i = 0; i < 100; i++) {
            cache.write(put("pods", "a", "p" + i).with("x".repeat(1000)));
        }
        harness.publish();
        for (int i = 0; i < 1000; i++) {
            harness.initial(pods());
        }
        int tasks = 0;
        for (; harness.loop.queued() > 0; tasks++) {
            assertThat(harness.loop.queued()).isEqualTo(1);
            harness.loop.runOne();
        }

        assertThat(tasks).isBetween(5, 100);
        assertThat(harness.count("watershed.gateway.watch.events", "resource", "pods"))
                .isEqualTo(100_000);
    }

    @Test
    void aReaderOfAnInitialStateThatMemoryHasOutlivedIsToldSo() {
        for (int i = 0; i < 200; i++) {
            cache.write(put("pods", "a", "p" + i).with("x".repeat(1000)));
        }
        harness.publish();
        RecordingSink sink =
                harness.open(new WatchStart.InitialState(true), pods(), true, new RecordingSink().taking(1));
        harness.loop.runAll();
        cache.write(put("pods", "a", "x"));
        cache.write(put("pods", "a", "x"));
        harness.publish();
        cache.evictBelow(212);
        harness.publish();
        harness.advance(Duration.ofSeconds(1));

        assertThat(sink.lines().get(sink.lines().size() - 1)).contains("\"code\":410");
        assertThat(sink.isEnded()).isTrue();
    }

    @Test
    void aRelistEndsEveryOpenWatch() {
        RecordingSink current = harness.after(10, pods());
        RecordingSink slow = harness.open(new WatchStart.After(10), pods(), true, new RecordingSink().taking(1));
        harness.loop.runAll();
        cache.write(put("pods", "a", "x"));
        cache.write(put("pods", "a", "x"));
        harness.publish();
        RecordingSink starting = harness.after(12, pods());
        RecordingSink future = harness.after(14, pods());
        cache.relist();
        harness.fanout.relisted(cache.view());
        harness.loop.runAll();

        assertThat(current.summary()).containsExactly("ADDED x@11", "MODIFIED x@12", "ERROR");
        assertThat(slow.summary()).endsWith("ERROR");
        assertThat(starting.summary()).containsExactly("ERROR");
        assertThat(future.summary()).as("of what comes after the relist").isEmpty();
        assertThat(current.lines().get(2)).contains("too old resource version: 12 (13)");

        RecordingSink after = harness.after(13, pods());
        cache.write(put("pods", "a", "x"));
        cache.write(put("pods", "a", "x"));
        harness.publish();
        assertThat(after.summary()).containsExactly("MODIFIED x@14", "MODIFIED x@15");
        assertThat(future.summary()).containsExactly("MODIFIED x@15");
    }

    @Test
    void aWatchGoesOnOverACacheThatWasBuiltAnew() {
        RecordingSink current = harness.after(10, pods());
        RecordingSink slow = harness.open(new WatchStart.After(10), pods(), true, new RecordingSink().taking(1));
        for (int i = 0; i < 6; i++) {
            cache.write(put("pods", "a", "x"), put("pods", "a", "y"));
            harness.publish();
        }
        cache.write(put("pods", "a", "x"));
        cache.replace(11, 14, true);
        harness.fanout.replaced(cache.view());
        harness.loop.runAll();
        assertThat(current.lines()).hasSize(12);
        slow.read();
        harness.publish();
        slow.read();
        harness.loop.runAll();

        assertThat(current.summary()).hasSize(13).endsWith("MODIFIED x@17").doesNotHaveDuplicates();
        assertThat(slow.summary()).isEqualTo(current.summary());
    }

    @Test
    void aWatchEndsWhenTheCacheThatWasBuiltAnewIsOfAnotherHistory() {
        RecordingSink sink = harness.after(10, pods());
        cache.write(put("pods", "a", "x"));
        harness.publish();
        cache.replace(10, 11, false);
        harness.fanout.replaced(cache.view());
        harness.loop.runAll();

        assertThat(sink.summary()).containsExactly("ADDED x@11", "ERROR");
        assertThat(harness.count("watershed.gateway.watches.ended", "reason", "replaced"))
                .isEqualTo(1);
    }

    @Test
    void aWatchEndsWhenTheCacheThatWasBuiltAnewDoesNotHoldItsPlace() {
        RecordingSink slow = harness.open(new WatchStart.After(10), pods(), true, new RecordingSink().taking(1));
        harness.loop.runAll();
        for (int i = 0; i < 6; i++) {
            cache.write(put("pods", "a", "x"));
            harness.publish();
        }
        cache.replace(15, 16, true);
        harness.fanout.replaced(cache.view());
        harness.loop.runAll();

        assertThat(slow.summary()).containsExactly("ADDED x@11", "ERROR");
    }

    @Test
    void aClosedWatchIsSentNothingMore() {
        RecordingSink sink = harness.after(10, pods());
        RecordingSink other = harness.after(10, pods());
        harness.loop.runAll();
        sink.watcher().close();
        sink.watcher().close();
        cache.write(put("pods", "a", "x"));
        harness.publish();
        sink.watcher().writable();
        harness.loop.runAll();

        assertThat(sink.lines()).isEmpty();
        assertThat(sink.isEnded()).isFalse();
        assertThat(other.lines()).hasSize(1);
        assertThat(harness.gauge("watershed.gateway.watchers", "resource", "pods"))
                .isEqualTo(1);
    }

    @Test
    void watchesThatCloseOneAnotherWhileTheyAreWrittenToAreEachSentOnce() {
        List<RecordingSink> sinks = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            sinks.add(harness.after(10, pods()));
        }
        harness.loop.runAll();
        sinks.get(9).onWrite = () -> sinks.get(0).watcher().close();
        sinks.get(5).onWrite = () -> {
            sinks.get(5).watcher().close();
            sinks.get(8).watcher().close();
            sinks.get(2).watcher().close();
        };
        cache.write(put("pods", "a", "x"));
        harness.publish();

        for (int i = 0; i < sinks.size(); i++) {
            assertThat(sinks.get(i).lines()).as("sink %s", i).hasSize(i == 0 || i == 2 ? 0 : 1);
        }
        assertThat(harness.dispatcher.watchers()).isEqualTo(6);
    }

    @Test
    void aSinkThatThrowsEndsItsOwnWatchOnly() {
        RecordingSink broken = harness.after(10, pods());
        RecordingSink other = harness.after(10, pods());
        harness.loop.runAll();
        broken.onWrite = () -> {
            throw new IllegalStateException("closed");
        };
        cache.write(put("pods", "a", "x"));
        harness.publish();

        assertThat(other.lines()).hasSize(1);
        assertThat(harness.dispatcher.watchers()).isEqualTo(1);
        assertThat(harness.count("watershed.gateway.watches.ended", "reason", "sink"))
                .isEqualTo(1);
    }
}
