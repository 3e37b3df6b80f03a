package io.watershed.gateway.fanout;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A sink that keeps what it is sent, and takes only so much until its client reads. */
final class RecordingSink implements WatchSink {
    private final List<String> lines = new ArrayList<>();
    private int capacity = Integer.MAX_VALUE;
    private int pending;
    private boolean refused;
    private boolean ended;
    private int writes;
    private int largestWrite;

    @Nullable
    Watcher watcher;

    @Nullable
    Runnable onWrite;

    /** Until the client reads, no more than this is taken, but for the write that goes beyond it. */
    RecordingSink taking(int bytes) {
        capacity = bytes;
        return this;
    }

    @Override
    public boolean isWritable() {
        boolean writable = pending < capacity;
        refused |= !writable;
        return writable;
    }

    @Override
    public void write(ByteBuf frames) {
        if (ended) {
            throw new AssertionError("written to behind its end");
        }
        String text = frames.toString(US_ASCII);
        pending = (int) Math.min((long) pending + frames.readableBytes(), Integer.MAX_VALUE / 2);
        largestWrite = Math.max(largestWrite, frames.readableBytes());
        writes++;
        frames.release();
        if (!text.endsWith("\n")) {
            throw new AssertionError("a line was split: " + text);
        }
        lines.addAll(text.lines().toList());
        if (onWrite != null) {
            onWrite.run();
        }
    }

    @Override
    public void end() {
        if (ended) {
            throw new AssertionError("ended twice");
        }
        ended = true;
    }

    /** The client reads all that was sent. */
    void read() {
        pending = 0;
        if (refused && watcher != null && !ended) {
            refused = false;
            watcher.writable();
        }
    }

    Watcher watcher() {
        return Objects.requireNonNull(watcher);
    }

    List<String> lines() {
        return lines;
    }

    List<Line> events() {
        return lines.stream().map(Line::parse).toList();
    }

    /** As {@code TYPE name@resourceVersion}, the shortest form that tells events apart. */
    List<String> summary() {
        return lines.stream().map(line -> Line.parse(line).toString()).toList();
    }

    int writes() {
        return writes;
    }

    int largestWrite() {
        return largestWrite;
    }

    boolean isEnded() {
        return ended;
    }
}
