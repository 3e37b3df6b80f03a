package io.watershed.gateway.fanout;

import static io.watershed.gateway.fanout.FanoutHarness.pods;
import static io.watershed.gateway.fanout.ScriptedCache.Write.put;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.watershed.gateway.api.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FramingTest {
    private static final WatchTarget MESSAGES = pods().framed(Framing.WEB_SOCKET);
    private static final WatchTarget BLOCKS = pods().framed(Framing.SERVER_SENT_EVENTS);

    private final FanoutHarness harness = new FanoutHarness();
    private final List<Object> written = new ArrayList<>();

    /** Takes everything, or nothing while it is stalled. */
    private static final class Bytes implements WatchSink {
        final StringBuilder text = new StringBuilder();
        final List<Long> shares = new ArrayList<>();
        boolean stalled;
        boolean ended;

        @Override
        public boolean isWritable() {
            return !stalled;
        }

        @Override
        public void write(ByteBuf frames) {
            shares.add(frames.memoryAddress() + frames.readerIndex());
            text.append(frames.toString(ISO_8859_1));
            frames.release();
        }

        @Override
        public void end() {
            ended = true;
        }

        String take() {
            String taken = text.toString();
            text.setLength(0);
            return taken;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 125, 126, 65_535, 65_536, 200_000})
    void aMessageHasTheShortestHeadForItsLength(int length) {
        byte[] payload = "x".repeat(length).getBytes(US_ASCII);
        ByteBuf out = Unpooled.buffer().writeBytes(new byte[] {1, 2, 3});
        WebSocketFrames.begin(out);
        out.writeBytes(payload);
        WebSocketFrames.end(out, 3);

        ByteBuf head = Unpooled.buffer();
        WebSocketFrames.writeHead(head, length);
        assertThat(head.readableBytes())
                .isEqualTo(WebSocketFrames.headLength(length))
                .isEqualTo(length < 126 ? 2 : length < 65_536 ? 4 : 10);
        assertThat(out.slice(3, out.writerIndex() - 3))
                .isEqualTo(Unpooled.wrappedBuffer(head, Unpooled.wrappedBuffer(payload)));
        assertThat(WebSocketFrames.payload(out, 3)).isEqualTo(Unpooled.wrappedBuffer(payload));
    }

    @Test
    void watchesOfOneTransportShareTheirBytes() {
        Bytes one = open(MESSAGES, new WatchStart.After(10));
        Bytes other = open(MESSAGES, new WatchStart.After(10));
        RecordingSink lines = harness.after(10, pods());
        harness.loop.runAll();
        harness.cache.write(put("pods", "a", "x"), put("pods", "a", "y"));
        harness.publish();

        assertThat(one.shares).hasSize(1).isEqualTo(other.shares);
        assertThat(messages(one.take())).isEqualTo(lines.lines());
        assertThat(lines.summary()).containsExactly("ADDED x@11", "ADDED y@11");
    }

    @Test
    void messagesAreTheSameAtTheTailAndBehindIt() {
        Bytes current = open(MESSAGES, new WatchStart.After(10));
        Bytes slow = open(MESSAGES, new WatchStart.After(10));
        harness.loop.runAll();
        slow.stalled = true;
        for (int i = 0; i < 5; i++) {
            harness.cache.write(put("pods", "a", "x" + i).with("y".repeat(i * 30_000)), put("pods", "a", "z" + i));
            harness.publish();
        }
        assertThat(slow.text).isEmpty();
        slow.stalled = false;
        watcher(slow).writable();
        harness.loop.runAll();

        assertThat(messages(current.text.toString())).hasSize(10);
        assertThat(slow.take()).isEqualTo(current.take());
    }

    @Test
    void anEventHasAnIdWhereItsRevisionEnds() {
        Bytes sink = open(BLOCKS, new WatchStart.After(10));
        harness.loop.runAll();
        harness.cache.write(put("pods", "a", "x"), put("pods", "a", "y"), put("nodes", null, "n"));
        harness.cache.write(put("pods", "a", "z"));
        harness.publish();

        assertThat(brief(sink.take()))
                .containsExactly("ADDED x@11", "ADDED y@11 id 1-00000000:11", "ADDED z@12 id 1-00000000:12");
    }

    @Test
    void aRevisionThatIsCutHasItsIdAtItsEndOnly() {
        FanoutHarness small = new FanoutHarness(
                new ScriptedCache(10),
                FanoutSettings.Undecodable.FAIL,
                new Bounds(1, 1, 1, 1, 1, 1, 64 * 1024, 4096, 100_000, 8));
        Bytes sink = new Bytes();
        small.dispatcher.open(order(BLOCKS, new WatchStart.After(10), small), sink);
        small.loop.runAll();
        small.cache.write(put("pods", "a", "x"), put("pods", "a", "y"), put("pods", "a", "z"));
        small.publish();

        assertThat(sink.shares).hasSizeGreaterThan(1);
        assertThat(brief(sink.take())).containsExactly("ADDED x@11", "ADDED y@11", "ADDED z@11 id 1-00000000:11");
    }

    @Test
    void theInitialStateHasAPlaceBehindItAndNoneInside() {
        harness.cache.write(put("pods", "a", "x"));
        harness.cache.write(put("pods", "a", "y"));
        harness.publish();
        Bytes plain = open(BLOCKS, new WatchStart.InitialState(false));
        Bytes marked = open(BLOCKS, new WatchStart.InitialState(true));
        harness.loop.runAll();

        assertThat(brief(plain.take())).containsExactly("ADDED x@11", "ADDED y@12", "id 1-00000000:12");
        assertThat(brief(marked.take())).containsExactly("ADDED x@11", "ADDED y@12", "BOOKMARK@12 id 1-00000000:12");
    }

    @Test
    void aBookmarkHasAnIdAndAnExpiryTakesItAway() {
        Bytes sink = open(BLOCKS, new WatchStart.After(10));
        Bytes late = open(BLOCKS, new WatchStart.After(5));
        harness.loop.runAll();
        harness.cache.progress(20);
        harness.publish();
        harness.advance(Duration.ofSeconds(FanoutHarness.BOOKMARK_SECONDS));

        assertThat(brief(sink.take())).containsExactly("BOOKMARK@20 id 1-00000000:20");
        assertThat(late.take())
                .startsWith("event: ERROR\nid:\ndata: {\"type\":\"ERROR\",")
                .endsWith("\"code\":410}}\n\n");
        assertThat(late.ended).isTrue();
        ByteBuf other = FrameJoiner.error(Status.internalError("x"), Framing.SERVER_SENT_EVENTS);
        assertThat(other.toString(US_ASCII)).startsWith("event: ERROR\ndata: ").doesNotContain("id:");
        other.release();
    }

    private Bytes open(WatchTarget target, WatchStart start) {
        Bytes sink = new Bytes();
        written.add(sink);
        written.add(harness.dispatcher.open(order(target, start, harness), sink));
        return sink;
    }

    private Watcher watcher(Bytes sink) {
        return (Watcher) written.get(written.indexOf(sink) + 1);
    }

    private static WatchOrder order(WatchTarget target, WatchStart start, FanoutHarness harness) {
        return new WatchOrder(
                target, start, true, harness.nowNanos() + Duration.ofHours(1).toNanos(), "Pod", "v1");
    }

    /** The messages, without the line feeds at their ends. */
    private static List<String> messages(String frames) {
        List<String> messages = new ArrayList<>();
        ByteBuf bytes = Unpooled.wrappedBuffer(frames.getBytes(ISO_8859_1));
        for (int at = 0; at < bytes.writerIndex(); ) {
            ByteBuf payload = WebSocketFrames.payload(bytes, at);
            String text = payload.toString(US_ASCII);
            assertThat(text).endsWith("}\n");
            messages.add(text.stripTrailing());
            at += WebSocketFrames.headLength(payload.readableBytes()) + payload.readableBytes();
        }
        return messages;
    }

    /** Each block as event, object and id. */
    private static List<String> brief(String stream) {
        List<String> blocks = new ArrayList<>();
        assertThat(stream).endsWith("\n\n");
        for (String block : stream.split("\n\n", -1)) {
            String data = "";
            String event = "";
            String id = "";
            for (String line : block.lines().toList()) {
                if (line.startsWith("data: ")) {
                    data = Line.parse(line.substring(6)).toString();
                } else if (line.startsWith("event: ")) {
                    event = line.substring(7);
                } else {
                    id = line.replace("id: ", "id ");
                }
            }
            if (!block.isEmpty()) {
                assertThat(data).startsWith(event);
                blocks.add((data + " " + id).strip());
            }
        }
        return blocks;
    }
}
