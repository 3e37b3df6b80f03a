package io.watershed.log.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.watershed.log.AppendedRecord;
import io.watershed.log.Entry;
import io.watershed.log.EtcdKey;
import io.watershed.log.Generation;
import io.watershed.log.KeyVersion;
import io.watershed.log.ListHash;
import io.watershed.log.LogRecord;
import io.watershed.log.ObjectRecord;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Each rule of docs/log.md in the order that shows it. Times are milliseconds, the window is a second, the reader's clock stands at 10000. */
class LogStateTest {
    private static final long NOW = 10_000;
    private static final long OLD = 0;
    private static final Generation FIRST = new Generation(1, "00000001");
    private static final Generation SECOND = new Generation(2, "00000002");

    private final ModelStore store = new ModelStore();
    private final LogState<Obj> state = new LogState<>(store, Duration.ofSeconds(1));
    private long sequence;

    @Test
    void nothingIsKnownBeforeTheFirstRecord() {
        assertThat(state.phase()).isEqualTo(LogState.Phase.LOST);
        assertThat(state.generation()).isNull();
        assertThat(state.servedGeneration()).isNull();
        assertThat(state.watermark()).isZero();
        assertThat(state.lastSequence()).isZero();
    }

    @Test
    void watermarkMovesWithTheLastEventOfARevision() throws Resync {
        firstRelist(1);

        next(put("a", 2, 2, 1, 0, 2));
        assertThat(state.watermark()).isEqualTo(1);

        next(put("b", 2, 2, 1, 1, 2));
        assertThat(state.watermark()).isEqualTo(2);
        assertThat(store.imageAt(2)).containsOnlyKeys(key("a"), key("b"));
        assertThat(store.imageAt(1)).isEmpty();
    }

    @Test
    void progressMovesTheWatermarkAndNeverBack() throws Resync {
        firstRelist(1);

        next(progress(5));
        next(progress(4));

        assertThat(state.watermark()).isEqualTo(5);
    }

    @Test
    void snapshotsAreShownOnlyAtTheEndOfTheirRelist() throws Resync {
        firstRelist(1);
        next(put("a", 2, 2, 1, 0, 1), new Entry.RelistBegin(2, "due"), snapshot("b", 5, 5, 1), progress(2));

        assertThat(state.phase()).isEqualTo(LogState.Phase.OPEN);
        assertThat(state.least()).isEqualTo(2);
        assertThat(state.watermark()).isEqualTo(2);
        assertThat(store.state).containsOnlyKeys(key("a"));

        next(end(7, 2));

        assertThat(state.phase()).isEqualTo(LogState.Phase.WHOLE);
        assertThat(state.watermark()).isEqualTo(7);
        assertThat(state.floor()).isEqualTo(7);
        assertThat(store.imageAt(7)).containsOnlyKeys(key("a"), key("b"));
    }

    @Test
    void snapshotsStayPendingThroughLaterRelists() throws Resync {
        next(lineage(0, null), new Entry.RelistBegin(0, "first"), snapshot("a", 2, 2, 1));
        next(lineage(0, FIRST), new Entry.RelistBegin(0, "carried"), snapshot("b", 3, 3, 1), end(4, 2));

        assertThat(store.imageAt(4)).containsOnlyKeys(key("a"), key("b"));
    }

    @Test
    void tombstonesOfARelistDelete() throws Resync {
        firstRelist(1);
        next(put("a", 2, 2, 1, 0, 1), new Entry.RelistBegin(2, "due"), tombstone("a", 7), progress(2));
        assertThat(store.state).containsOnlyKeys(key("a"));

        next(end(7, 0));

        assertThat(store.imageAt(7)).isEmpty();
    }

    @Test
    void olderSnapshotsDoNotWinOverALaterChange() throws Resync {
        next(lineage(0, null), new Entry.RelistBegin(0, "first"), snapshot("a", 5, 5, 1));
        skip(1); // the end of that relist
        next(put("a", 6, 5, 2, 0, 1), new Entry.RelistBegin(6, "due"), end(8, 1));

        assertThat(store.imageAt(8).get(key("a")))
                .isNotNull()
                .extracting(Obj::modified)
                .isEqualTo(6L);
    }

    @Test
    void missingRecordsRaiseTheFloorIntoTheRevisionThatTheyMayBePartOf() throws Resync {
        firstRelist(1);
        skip(4); // two puts in 2, two deletes in 3
        next(put("c", 4, 4, 1, 0, 1), put("c", 6, 4, 2, 0, 1));

        assertThat(state.isValid(3)).isFalse();
        assertThat(state.isValid(4)).isTrue();
        assertThat(state.isValid(6)).isTrue();
        assertThat(state.isValid(7)).isFalse();
    }

    @Test
    void missingEventsOfTheRevisionItselfRaiseTheFloorAboveIt() throws Resync {
        firstRelist(1);
        skip(1);
        next(put("b", 2, 2, 1, 1, 2));

        assertThat(state.watermark()).isEqualTo(2);
        assertThat(state.floor()).isEqualTo(3);
    }

    @Test
    void missingRecordsBeforeProgressRaiseTheFloorAboveIt() throws Resync {
        firstRelist(1);
        skip(1);
        next(progress(5));

        assertThat(state.floor()).isEqualTo(6);
    }

    @Test
    void missingControlRecordsDoNotRaiseTheFloor() throws Resync {
        firstRelist(1);
        next(put("a", 2, 2, 1, 0, 1));
        skip(3); // progress that was compacted
        next(progress(2));
        skip(3);
        next(put("b", 3, 3, 1, 0, 1));

        assertThat(state.floor()).isEqualTo(1);
        assertThat(state.watermark()).isEqualTo(3);
    }

    @Test
    void misfitOfARevisionWithOneEventLeavesThatRevisionValid() throws Resync {
        firstRelist(1);
        skip(1); // a, version 1
        next(put("a", 3, 2, 2, 0, 1), put("b", 4, 4, 1, 0, 1));

        assertThat(state.isValid(2)).isFalse();
        assertThat(state.isValid(3)).isTrue();
    }

    @Test
    void misfitOfARevisionWithSeveralEventsEndsThatRevision() throws Resync {
        firstRelist(1);
        skip(1);
        next(put("a", 3, 2, 2, 0, 2), put("b", 3, 3, 1, 1, 2), progress(4));

        assertThat(state.isValid(3)).isFalse();
        assertThat(state.isValid(4)).isTrue();
    }

    @Test
    void firstVersionOfALiveKeyIsAMisfit() throws Resync {
        firstRelist(1);
        next(put("a", 2, 2, 1, 0, 1), put("a", 9, 9, 1, 0, 1));

        assertThat(state.floor()).isEqualTo(9);
    }

    @Test
    void floorIsClampedWhenTheReaderBecomesReady() throws Resync {
        firstRelist(1);
        skip(1);
        next(put("a", 3, 2, 2, 0, 2), put("b", 3, 3, 1, 1, 2));
        assertThat(state.isValid(3)).isFalse();

        state.becomeLive();

        assertThat(state.isValid(3)).isTrue();
        assertThat(state.isValid(2)).isFalse();
    }

    @Test
    void gapBeforeAYoungRecordIsDamageUntilALaterRelistHasEnded() throws Resync {
        firstRelist(1);
        skip(1);
        apply(NOW - 900 + 1, progress(2));
        assertThat(state.phase()).isEqualTo(LogState.Phase.LOST);

        next(end(3, 0));
        assertThat(state.phase()).as("its relist began before the damage").isEqualTo(LogState.Phase.LOST);

        next(new Entry.RelistBegin(9, "damaged"), end(10, 0));
        assertThat(state.phase()).isEqualTo(LogState.Phase.WHOLE);
    }

    @Test
    void gapBeforeAnOldRecordIsCompaction() throws Resync {
        firstRelist(1);
        skip(1);
        apply(NOW - 900, progress(2));

        assertThat(state.phase()).isEqualTo(LogState.Phase.WHOLE);
    }

    @Test
    void gapInTheTailIsAResync() throws Resync {
        firstRelist(1);
        state.becomeLive();
        skip(1);

        assertResync(Resync.Reason.SEQUENCE_GAP, progress(2));
    }

    @Test
    void sequenceThatGoesBackIsAResync() throws Resync {
        firstRelist(1);
        sequence--;

        assertResync(Resync.Reason.SEQUENCE_BACK, progress(2));
    }

    @Test
    void revisionThatGoesBackIsAResync() throws Resync {
        firstRelist(5);

        assertResync(Resync.Reason.REVISION_BACK, put("a", 4, 4, 1, 0, 1));
    }

    @Test
    void misfitInTheTailIsAResync() throws Resync {
        firstRelist(1);
        state.becomeLive();

        assertResync(Resync.Reason.MISFIT, put("a", 2, 1, 2, 0, 1));
    }

    @Test
    void deleteOfAnAbsentKeyInTheTailIsAResync() throws Resync {
        firstRelist(1);
        state.becomeLive();

        KeyVersion version = new KeyVersion(1, 2, 2, 0, 0);
        assertResync(Resync.Reason.MISFIT, new Entry.Change(new ObjectRecord(key("a"), version, null, null), 0, 1));
    }

    @Test
    void otherListThanTheEndStatesIsAResync() throws Resync {
        firstRelist(1);
        state.becomeLive();
        next(new Entry.RelistBegin(1, "due"), snapshot("a", 2, 2, 1));

        assertResync(Resync.Reason.LIST, new Entry.RelistEnd(3, 1, 0, ""));
    }

    @Test
    void listOfTheEndIsAcceptedInTheTail() throws Resync {
        firstRelist(1);
        state.becomeLive();
        ListHash hash = new ListHash();
        hash.add(key("a"), new Obj(2, 2, 1, 'x', 2).keyVersion());

        next(new Entry.RelistBegin(1, "due"), snapshot("a", 2, 2, 1), new Entry.RelistEnd(3, 1, hash.hash(), ""));

        assertThat(state.watermark()).isEqualTo(3);
    }

    @Test
    void unannouncedGenerationInTheTailIsAResync() throws Resync {
        firstRelist(1);
        state.becomeLive();

        assertThatExceptionOfType(Resync.class)
                .isThrownBy(() -> apply(SECOND, OLD, progress(2)))
                .extracting(Resync::reason)
                .isEqualTo(Resync.Reason.GENERATION);
    }

    @Test
    void announcedGenerationIsServedFromTheEndOfItsRelist() throws Resync {
        firstRelist(1);
        state.becomeLive();

        apply(SECOND, OLD, lineage(1, FIRST));
        apply(SECOND, OLD, new Entry.RelistBegin(1, "generation"));
        assertThat(state.generation()).isEqualTo(SECOND);
        assertThat(state.servedGeneration()).isEqualTo(FIRST);

        apply(SECOND, OLD, end(9, 0));
        assertThat(state.servedGeneration()).isEqualTo(SECOND);
    }

    @Test
    void ingesterSeesTheLastRecordOfEachKeyWhateverTheBrackets() throws Resync {
        firstRelist(1);
        next(put("a", 2, 2, 1, 0, 1), new Entry.RelistBegin(2, "due"), snapshot("b", 5, 5, 1), tombstone("a", 7));

        state.settlePending();

        assertThat(store.state).containsOnlyKeys(key("b"));
        assertThat(state.phase()).isEqualTo(LogState.Phase.OPEN);
        assertThat(state.least()).isEqualTo(2);
    }

    /** An empty source, listed at this revision. */
    private void firstRelist(long revision) throws Resync {
        next(lineage(0, null), new Entry.RelistBegin(0, "first"), end(revision, 0));
    }

    private void next(Entry... entries) throws Resync {
        for (Entry entry : entries) {
            apply(OLD, entry);
        }
    }

    private void skip(int records) {
        sequence += records;
    }

    private void apply(long timestamp, Entry entry) throws Resync {
        apply(FIRST, timestamp, entry);
    }

    private void apply(Generation generation, long timestamp, Entry entry) throws Resync {
        sequence++;
        state.apply(new AppendedRecord(sequence, timestamp, new LogRecord(generation, sequence, entry)), NOW);
    }

    private void assertResync(Resync.Reason reason, Entry entry) {
        assertThatExceptionOfType(Resync.class)
                .isThrownBy(() -> apply(OLD, entry))
                .extracting(Resync::reason)
                .isEqualTo(reason);
    }

    private static EtcdKey key(String key) {
        return EtcdKey.utf8(key);
    }

    private static Entry put(String key, long revision, long created, long version, int place, int count) {
        Obj object = new Obj(created, revision, version, 'x', revision);
        return new Entry.Change(object.record(key(key)), place, count);
    }

    private static Entry snapshot(String key, long revision, long created, long version) {
        return new Entry.Snapshot(new Obj(created, revision, version, 'x', revision).record(key(key)));
    }

    private static Entry tombstone(String key, long revision) {
        return new Entry.Snapshot(new ObjectRecord(key(key), new KeyVersion(0, revision, 0, 0, 0), null, null));
    }

    private static Entry progress(long revision) {
        return new Entry.Progress(revision, revision, OLD, null);
    }

    private static Entry lineage(long revision, @Nullable Generation previous) {
        return IngesterModel.lineage(revision, previous);
    }

    /** With a hash that only a reader which is live would compare. */
    private static Entry end(long revision, long count) {
        return new Entry.RelistEnd(revision, count, 0, "");
    }
}
