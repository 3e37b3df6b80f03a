package io.watershed.ingest.publish;

import io.watershed.log.Entry;
import io.watershed.log.Generation;
import io.watershed.log.LogFailure;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The right to write, and what the log holds: what a takeover ends with. Over with the first failure of a commit.
 *
 * <p><em>Threads:</em> the ingester's one.
 */
public final class Lead implements AutoCloseable {
    /** A relist that is due: what it must be pinned above, and why. */
    record Debt(long least, String reason) {}

    private final Log.Writer writer;
    private final KeyTable table;
    private final Generation generation;
    private final String clusterId;
    private long watermark;
    private @Nullable Debt debt;

    Lead(
            Log.Writer writer,
            KeyTable table,
            Generation generation,
            String clusterId,
            long watermark,
            @Nullable Debt debt) {
        this.writer = writer;
        this.table = table;
        this.generation = generation;
        this.clusterId = clusterId;
        this.watermark = watermark;
        this.debt = debt;
    }

    /** One transaction. What it says of keys and of the watermark holds from here on. */
    void commit(List<Entry> entries) throws LogFailure {
        writer.commit(entries);
        for (Entry entry : entries) {
            if (entry instanceof Entry.Change change) {
                table.apply(change.object());
                watermark = Math.max(watermark, change.revision());
            } else if (entry instanceof Entry.Snapshot snapshot) {
                table.apply(snapshot.object());
            } else if (entry instanceof Entry.Progress || entry instanceof Entry.RelistEnd) {
                watermark = Math.max(watermark, entry.revision());
            }
        }
    }

    /** Notes in the log that a relist is due (T3): whoever leads next goes on with it. */
    void owe(String reason, List<Entry> first) throws LogFailure {
        List<Entry> entries = new ArrayList<>(first);
        for (Entry entry : first) {
            if (entry instanceof Entry.Change change) {
                watermark = Math.max(watermark, change.revision());
            }
        }
        entries.add(new Entry.RelistBegin(watermark, reason));
        commit(entries);
        debt = new Debt(watermark, reason);
    }

    void paid() {
        debt = null;
    }

    @Nullable
    Debt debt() {
        return debt;
    }

    boolean fits(Entry entry) {
        return writer.fits(entry);
    }

    KeyTable table() {
        return table;
    }

    public Generation generation() {
        return generation;
    }

    public String clusterId() {
        return clusterId;
    }

    public long watermark() {
        return watermark;
    }

    @Override
    public void close() {
        writer.close();
    }
}
