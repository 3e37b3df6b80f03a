package io.watershed.gateway.cache;

import io.watershed.log.AppendedRecord;
import io.watershed.log.Entry;
import io.watershed.log.LogFailure;
import io.watershed.log.state.LogState;
import io.watershed.log.state.Resync;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * One reading of the log: from its beginning until there is a whole state, then along with its end. A break of continuity ends it, and
 * the next one starts from the beginning, beside what is served.
 *
 * <p><em>Threads:</em> the feed's, but for {@link #freshness} and {@link #unreachable}.
 */
final class Replay implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    /** So many records a step: a view after each keeps what exact reads have to make up short. */
    private static final int RECORDS = 1_000;

    private static final long TOPIC_ID_MILLIS = 10_000;
    private static final long SILENCE_MILLIS = 3_000;
    /** An open transaction's timeout and some: after it the stable end is all that there will be. */
    private static final long OPEN_TRANSACTION_MILLIS = 65_000;
    /** Half of the time that tombstones stay at least: a longer reading may have seen a put and missed its delete. */
    private static final Duration LONGEST_BOOTSTRAP = Duration.ofHours(12);

    private final LogSource.Reader reader;
    private final CacheStore store;
    private final LogState<ObjectEntry> state;
    private final Freshness freshness = new Freshness();
    private final Deque<AppendedRecord> read = new ArrayDeque<>();
    private final Duration window;
    private final InstantSource clock;
    private final long epoch;
    private final long startedMillis;
    private long bound;
    private long boundMillis;
    private long heardMillis;
    private long topicIdMillis;
    private boolean caughtUp;
    private volatile @Nullable String unreachable;

    Replay(
            LogSource source,
            CacheSettings settings,
            Duration window,
            long epoch,
            long firstPosition,
            InstantSource clock)
            throws LogFailure {
        this.reader = source.open();
        this.store = new CacheStore(settings.historyBytes(), firstPosition);
        this.state = new LogState<>(store, window);
        this.window = window;
        this.clock = clock;
        this.epoch = epoch;
        this.startedMillis = clock.millis();
        this.boundMillis = startedMillis;
        this.heardMillis = startedMillis;
        this.topicIdMillis = startedMillis;
        try {
            this.bound = reader.endOffset();
        } catch (LogFailure | RuntimeException e) {
            reader.close();
            throw e;
        }
    }

    /** Applies some of what has come; waits a moment for something to come. */
    void step() throws LogFailure, Resync {
        if (read.isEmpty()) {
            read.addAll(reader.poll(POLL));
        }
        long now = clock.millis();
        if (!read.isEmpty()) {
            heardMillis = now;
            unreachable = null;
        }
        for (int i = 0; i < RECORDS && !read.isEmpty(); i++) {
            apply(read.remove(), now);
        }
        checkPeer(now);
        if (!caughtUp && read.isEmpty()) {
            catchUp(now);
        }
    }

    private void apply(AppendedRecord record, long now) throws LogFailure, Resync {
        store.appendedAt(record.timestampMillis());
        try {
            state.apply(record, now);
        } catch (IllegalArgumentException | java.io.UncheckedIOException e) {
            throw new LogFailure.Undecodable("offset " + record.offset() + " can't be applied: " + e.getMessage(), e);
        }
        Entry entry = record.record().entry();
        if (entry instanceof Entry.Progress progress) {
            freshness.progress(progress);
        } else if (entry instanceof Entry.Lineage lineage) {
            freshness.lineage(lineage);
        } else if (entry instanceof Entry.RelistEnd end) {
            store.configured(end.documents());
        }
        freshness.reached(state.watermark());
    }

    private void catchUp(long now) throws LogFailure {
        if (now - startedMillis > LONGEST_BOOTSTRAP.toMillis()) {
            throw new LogFailure.Discontinuity("the log was read for longer than deletes are sure to stay in it: "
                    + LONGEST_BOOTSTRAP.toHours() + " h");
        }
        long position = reader.position();
        boolean behindOpenTransaction =
                position < bound && now - heardMillis > OPEN_TRANSACTION_MILLIS && position >= reader.stableOffset();
        if (position >= bound || behindOpenTransaction) {
            if (now - boundMillis > window.toMillis() / 2) {
                // So long a reading may have been overtaken by compaction: what was removed has its successor behind
                // the bound.
                bound = reader.endOffset();
                boundMillis = now;
            } else {
                caughtUp = true;
            }
        }
    }

    /** A consumer does not tell that its broker is gone, nor that its topic is another one. */
    private void checkPeer(long now) throws LogFailure {
        boolean silent = now - heardMillis > SILENCE_MILLIS;
        if (now - topicIdMillis < (silent ? SILENCE_MILLIS : TOPIC_ID_MILLIS)) {
            return;
        }
        topicIdMillis = now;
        try {
            reader.checkTopicId();
            unreachable = null;
        } catch (LogFailure.Unavailable e) {
            unreachable = String.valueOf(e.getMessage());
        }
    }

    /** Why this can't be served yet; null when it can. */
    @Nullable
    String unready() {
        String broken = unreachable;
        if (broken != null) {
            return broken;
        }
        if (!caughtUp || store.isInsideRevision()) {
            return READING;
        }
        return switch (state.phase()) {
            case WHOLE -> null;
            case OPEN -> "a relist is running: waiting for its end";
            case LOST -> "the log holds no whole listing of etcd: waiting for an ingester to write one";
        };
    }

    /** What {@link #unready} says while nothing is wrong. */
    static final String READING = "the log is being read";

    /** From now on any break of continuity ends this reading. */
    void becomeLive() {
        state.becomeLive();
    }

    boolean takeRelisted() {
        return store.takeRelisted();
    }

    CacheView view() {
        return new CacheView(
                state.watermark(),
                store.timeMillis(),
                state.floor(),
                Math.max(state.floor(), store.evictionFloor()),
                state.servedGeneration(),
                store.history(),
                store.history().end(),
                epoch,
                store.images());
    }

    long watermark() {
        return state.watermark();
    }

    long floor() {
        return state.floor();
    }

    /** Why the log can't be asked, as of the last time; null when it can. */
    @Nullable
    String unreachable() {
        return unreachable;
    }

    Freshness freshness() {
        return freshness;
    }

    /** How many keys there are, with those that are no API resource. */
    int keys() {
        return store.objects();
    }

    long startedMillis() {
        return startedMillis;
    }

    @Override
    public void close() {
        reader.close();
    }
}
