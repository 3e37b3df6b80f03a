package io.watershed.gateway.cache;

import io.watershed.log.AppendedRecord;
import io.watershed.log.Entry;
import io.watershed.log.LogFailure;
import io.watershed.log.state.LogState;
import io.watershed.log.state.Resync;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One reading of the log: from its beginning until there is a whole state, then along with its end. A break of continuity ends it, and
 * the next one starts from the beginning, beside what is served.
 *
 * <p><em>Threads:</em> the feed's.
 */
final class Replay implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long TOPIC_ID_MILLIS = 10_000;
    private static final long SILENCE_MILLIS = 3_000;
    /** An open transaction's timeout and some: after it the stable end is all that there will be. */
    private static final long OPEN_TRANSACTION_MILLIS = 65_000;

    private final LogSource.Reader reader;
    private final CacheStore store;
    private final LogState<ObjectEntry> state;
    private final Freshness freshness = new Freshness();
    private final Duration window;
    private final InstantSource clock;
    private final long epoch;
    private long bound;
    private long boundMillis;
    private long heardMillis;
    private long topicIdMillis;
    private boolean caughtUp;
    private boolean reachable = true;

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
        this.boundMillis = clock.millis();
        this.heardMillis = boundMillis;
        this.topicIdMillis = boundMillis;
        try {
            this.bound = reader.endOffset();
        } catch (LogFailure e) {
            reader.close();
            throw e;
        }
    }

    /** Reads what has come. Returns whether the watermark or the floor may have moved. */
    boolean step() throws LogFailure, Resync {
        List<AppendedRecord> records = reader.poll(POLL);
        long now = clock.millis();
        for (AppendedRecord record : records) {
            apply(record, now);
        }
        if (!records.isEmpty()) {
            heardMillis = now;
            reachable = true;
        }
        checkPeer(now);
        if (!caughtUp) {
            catchUp(now);
        }
        return !records.isEmpty();
    }

    private void apply(AppendedRecord record, long now) throws LogFailure, Resync {
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
        }
        freshness.reached(state.watermark());
    }

    private void catchUp(long now) throws LogFailure {
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
            reachable = true;
        } catch (LogFailure.Unavailable e) {
            reachable = false;
        }
    }

    /** Why this can't be served yet; null when it can. */
    @Nullable
    String unready() {
        if (!caughtUp) {
            return "reading the log, its end at " + bound;
        }
        return switch (state.phase()) {
            case WHOLE -> null;
            case OPEN -> "a relist is running: waiting for its end";
            case LOST -> "the log holds no whole listing of etcd: waiting for an ingester to write one";
        };
    }

    void becomeLive() {
        state.becomeLive();
    }

    boolean takeRelisted() {
        return store.takeRelisted();
    }

    CacheView view() {
        return new CacheView(
                state.watermark(),
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

    boolean reachable() {
        return reachable;
    }

    Freshness freshness() {
        return freshness;
    }

    CacheStore store() {
        return store;
    }

    @Override
    public void close() {
        reader.close();
    }
}
