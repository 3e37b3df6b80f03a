package io.watershed.ingest.publish;

import io.watershed.log.AppendedRecord;
import io.watershed.log.Entry;
import io.watershed.log.Generation;
import io.watershed.log.LogFailure;
import io.watershed.log.LogRecord;
import io.watershed.log.codec.EncodedRecord;
import io.watershed.log.codec.RecordCodec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A log in memory: fenced, in whole transactions, every record through the codec. Commits fail where a test says so. */
final class MemoryLog implements Log {
    private final InstantSource clock;
    private final List<AppendedRecord> records = new ArrayList<>();
    private final List<Integer> transactions = new ArrayList<>();
    private int epoch;
    private int largestValue = Integer.MAX_VALUE;
    private IntPredicate failsBefore = commit -> false;
    private IntPredicate failsAfter = commit -> false;
    private int commits;
    private Runnable beforeReading = () -> {};

    MemoryLog(InstantSource clock) {
        this.clock = clock;
    }

    List<AppendedRecord> records() {
        return records;
    }

    List<Entry> entries() {
        return records.stream().map(record -> record.record().entry()).toList();
    }

    /** Of the records from the given one on. */
    List<Entry> entriesFrom(int first) {
        return entries().subList(first, records.size());
    }

    /** Makes other records of those that are there, as an older release would have written them. */
    void alter(UnaryOperator<Entry> alteration) {
        records.replaceAll(record -> new AppendedRecord(
                record.offset(),
                record.timestampMillis(),
                new LogRecord(
                        record.record().generation(),
                        record.record().sequence(),
                        alteration.apply(record.record().entry()))));
    }

    /** How many records each transaction has. */
    List<Integer> transactions() {
        return transactions;
    }

    void largestValue(int bytes) {
        largestValue = bytes;
    }

    /** Predicates over the number of the commit, from 0 since this call: nothing of it happens, or all of it, and the writer is told of neither. */
    void fail(IntPredicate before, IntPredicate after) {
        commits = 0;
        failsBefore = before;
        failsAfter = after;
    }

    /** Runs once, when a reader is opened next: what another ingester does meanwhile. */
    void beforeReading(Runnable what) {
        beforeReading = what;
    }

    @Override
    public Writer openWriter() {
        return new FakeWriter(++epoch);
    }

    @Override
    public Reader openReader() {
        Runnable before = beforeReading;
        beforeReading = () -> {};
        before.run();
        return new FakeReader();
    }

    @Override
    public void requireContract() {
        // kept
    }

    @Override
    public void checkWhilePublishing() {
        // kept
    }

    private final class FakeWriter implements Writer {
        private final int own;
        private @Nullable Generation generation;
        private long sequence;
        private long lastOffset;

        FakeWriter(int own) {
            this.own = own;
        }

        @Override
        public void resumeAt(Generation of, long lastSequence, long ofLastRecord) {
            generation = of;
            sequence = lastSequence;
            lastOffset = ofLastRecord;
        }

        @Override
        public long commit(List<Entry> entries) throws LogFailure {
            if (own != epoch) {
                throw new LogFailure.Fenced("fenced", new IllegalStateException());
            }
            int number = commits++;
            if (failsBefore.test(number)) {
                throw new LogFailure.InDoubt("failed before");
            }
            for (Entry entry : entries) {
                lastOffset = append(entry, ++sequence);
            }
            transactions.add(entries.size());
            if (failsAfter.test(number)) {
                throw new LogFailure.InDoubt("failed after");
            }
            return sequence;
        }

        private long append(Entry entry, long number) throws LogFailure {
            EncodedRecord encoded =
                    RecordCodec.encode(new LogRecord(Objects.requireNonNull(generation), number, entry));
            LogRecord read = RecordCodec.decode(encoded.key(), encoded.value(), encoded.header());
            long offset =
                    records.isEmpty() ? 0 : records.get(records.size() - 1).offset() + 1;
            records.add(new AppendedRecord(offset, clock.millis(), read));
            return offset;
        }

        @Override
        public long lastOffset() {
            return lastOffset;
        }

        @Override
        public boolean fits(Entry entry) {
            LogRecord record = new LogRecord(new Generation(1, "00000000"), 1, entry);
            return RecordCodec.encode(record).size() <= largestValue;
        }

        @Override
        public void close() {
            // an open transaction does not exist here
        }
    }

    private final class FakeReader implements Reader {
        private int next;

        @Override
        public long endOffset() {
            return records.isEmpty() ? 0 : records.get(records.size() - 1).offset() + 1;
        }

        @Override
        public List<AppendedRecord> poll(Duration atMost) {
            List<AppendedRecord> read = List.copyOf(records.subList(next, records.size()));
            next = records.size();
            return read;
        }

        @Override
        public long position() {
            return next == 0 ? 0 : records.get(next - 1).offset() + 1;
        }

        @Override
        public void close() {
            // nothing is open
        }
    }
}
