package io.watershed.log.state;

import io.watershed.log.EtcdKey;
import io.watershed.log.Generation;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A gateway: the real {@link LogState}, and the bootstrap around it. */
final class ReaderModel {
    /** This reader has to be replaced by a new one. */
    static final class StartAgain extends Exception {
        private static final long serialVersionUID = 1L;

        StartAgain(String message) {
            super(message);
        }
    }

    static final long NOT_CLAMPED = -1;

    private final TopicModel topic;
    private final int topicId;
    private final long started;
    private int epoch;
    private int position;
    private int bound;
    private long boundTaken;
    final ModelStore store = new ModelStore();
    final LogState<Obj> state = new LogState<>(store, Duration.ofMillis(TopicModel.WINDOW));
    boolean live;
    /** Records a step while it is not live; 0 for no limit. */
    int pace;
    /** The watermark that V4 has lowered the floor to. */
    long clamped = NOT_CLAMPED;

    ReaderModel(TopicModel topic, long now) {
        this.topic = topic;
        topicId = topic.id;
        epoch = topic.epoch;
        started = now;
        boundTaken = now;
        bound = topic.end();
    }

    long started() {
        return started;
    }

    long watermark() {
        return state.watermark();
    }

    long floor() {
        return state.floor();
    }

    Generation served() {
        return Objects.requireNonNull(state.servedGeneration());
    }

    Map<EtcdKey, Obj> image() {
        return store.imageAt(watermark());
    }

    /** Applies up to {@code count} records. Returns whether that has made the reader ready. */
    boolean step(long now, int count) throws StartAgain {
        checkTopic(now);
        for (int left = count; left > 0 && position < topic.end(); position++) {
            TopicModel.Slot slot = topic.at(position);
            if (slot != null && !slot.aborted) {
                apply(slot, now);
                left--;
            }
        }
        if (live || position < bound) {
            return false;
        }
        if (now - boundTaken >= TopicModel.WINDOW / 2) {
            // The cut may have passed the bound: take it again.
            bound = topic.end();
            boundTaken = now;
            return false;
        }
        return state.phase() == LogState.Phase.WHOLE && becomeLive();
    }

    private void checkTopic(long now) throws StartAgain {
        if (topicId != topic.id) {
            throw new StartAgain("the topic was made anew");
        }
        if (epoch != topic.epoch) {
            if (position > topic.cutAt) {
                throw new StartAgain("the topic was cut");
            }
            epoch = topic.epoch;
        }
        if (!live && now - started > TopicModel.DELETE_RETENTION / 2) {
            throw new StartAgain("bootstrap too slow");
        }
    }

    private void apply(TopicModel.Slot slot, long now) throws StartAgain {
        LogState.Phase before = state.phase();
        applyOrStartAgain(slot, now);
        boolean damaged = before == LogState.Phase.WHOLE && state.phase() == LogState.Phase.LOST;
        Violation.unless(topic.epoch > 0 || !damaged, "compaction taken for damage");
    }

    private void applyOrStartAgain(TopicModel.Slot slot, long now) throws StartAgain {
        try {
            state.apply(slot.record, now);
        } catch (Resync e) {
            boolean lossSeen = e.reason() == Resync.Reason.MISFIT || e.reason() == Resync.Reason.LIST;
            Violation.unless(!lossSeen && e.reason() != Resync.Reason.REVISION_BACK, e);
            throw new StartAgain(Objects.requireNonNull(e.getMessage()));
        }
    }

    /** Reads all that is there without becoming live, as an ingester does at a takeover. */
    void readAll(long now) {
        try {
            for (int offset = 0; offset < topic.end(); offset++) {
                TopicModel.Slot slot = topic.at(offset);
                if (slot != null && !slot.aborted) {
                    applyOrStartAgain(slot, now);
                }
            }
        } catch (StartAgain e) {
            throw new Violation("ingester replays: " + e.getMessage());
        }
    }

    private boolean becomeLive() {
        if (floor() > watermark()) {
            clamped = watermark();
        }
        state.becomeLive();
        live = true;
        return true;
    }

    boolean atEnd() {
        return position >= topic.end();
    }

    @Nullable
    Generation generation() {
        return state.generation();
    }
}
