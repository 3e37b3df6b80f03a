package io.watershed.gateway.fanout;

import static io.watershed.gateway.fanout.FanoutHarness.pods;
import static io.watershed.gateway.fanout.FanoutHarness.target;
import static io.watershed.gateway.fanout.ScriptedCache.Write.delete;
import static io.watershed.gateway.fanout.ScriptedCache.Write.put;
import static org.assertj.core.api.Assertions.assertThat;

import io.watershed.gateway.fanout.FanoutSettings.Undecodable;
import io.watershed.log.Encoding;
import org.junit.jupiter.api.Test;

class UndecodableTest {
    @Test
    void endsTheWatchesInItsScopeWithAnError() {
        FanoutHarness harness = new FanoutHarness();
        RecordingSink all = harness.after(10, pods());
        RecordingSink labelled = harness.after(10, pods("app=x", ""));
        RecordingSink elsewhere = harness.after(10, target("pods", "b", "", ""));
        RecordingSink otherName = harness.after(10, target("pods", null, "", "metadata.name=y"));
        RecordingSink otherResource = harness.after(10, target("services", null, "", ""));
        RecordingSink slow = harness.open(new WatchStart.After(10), pods(), true, new RecordingSink().taking(1));
        harness.loop.runAll();
        harness.cache.write(put("pods", "a", "x"));
        harness.publish();
        harness.cache.write(put("pods", "a", "x").encoded(Encoding.RAW));
        harness.cache.write(put("pods", "b", "y"));
        harness.publish();
        slow.read();
        harness.loop.runAll();

        assertThat(all.summary()).containsExactly("ADDED x@11", "ERROR");
        assertThat(all.lines().get(1))
                .contains(
                        "\"message\":\"Internal error occurred: the value of /registry/pods/a/x can't be decoded; write it again")
                .contains("\"reason\":\"InternalError\"")
                .contains("\"code\":500");
        assertThat(all.isEnded()).isTrue();
        assertThat(labelled.summary()).containsExactly("ERROR");
        assertThat(slow.summary()).containsExactly("ADDED x@11", "ERROR");
        assertThat(elsewhere.summary()).containsExactly("ADDED y@13");
        assertThat(otherName.summary()).containsExactly("ADDED y@13");
        assertThat(otherResource.isEnded()).isFalse();
        assertThat(harness.count("watershed.gateway.watches.ended", "reason", "undecodable"))
                .isEqualTo(3);
    }

    @Test
    void endsAnInitialStateWithAnError() {
        FanoutHarness harness = new FanoutHarness();
        harness.cache.write(
                put("pods", "a", "w"), put("pods", "a", "x").encoded(Encoding.OVERSIZE), put("pods", "a", "y"));
        harness.publish();
        RecordingSink sink = harness.initial(pods());
        harness.loop.runAll();

        assertThat(sink.summary()).containsExactly("ADDED w@11", "ERROR");
        assertThat(sink.lines().get(1)).contains("the value of /registry/pods/a/x is larger than a record may be");
    }

    @Test
    void isAsIfItDidNotExistWhereItIsLeftOut() {
        FanoutHarness harness = new FanoutHarness(new ScriptedCache(10), Undecodable.SKIP);
        RecordingSink sink = harness.after(10, pods());
        harness.cache.write(put("pods", "a", "x"));
        harness.cache.write(put("pods", "a", "x").encoded(Encoding.RAW));
        harness.cache.write(put("pods", "a", "x").encoded(Encoding.RAW));
        harness.publish();
        RecordingSink initial = harness.initial(pods());
        harness.cache.write(put("pods", "a", "x"));
        harness.cache.write(put("pods", "a", "x").encoded(Encoding.ENCRYPTED));
        harness.cache.write(delete("pods", "a", "x"));
        harness.publish();

        assertThat(sink.summary()).containsExactly("ADDED x@11", "DELETED x@12", "ADDED x@14", "DELETED x@15");
        assertThat(initial.summary()).containsExactly("BOOKMARK@13", "ADDED x@14", "DELETED x@15");
        assertThat(harness.count("watershed.gateway.watch.undecodable")).isEqualTo(3);
    }

    @Test
    void sendsWhatIsOnlyPartlyKnown() {
        FanoutHarness harness = new FanoutHarness();
        RecordingSink sink = harness.after(10, pods());
        harness.cache.write(put("pods", "a", "x").encoded(Encoding.PARTIAL));
        harness.publish();

        assertThat(sink.summary()).containsExactly("ADDED x@11");
    }
}
