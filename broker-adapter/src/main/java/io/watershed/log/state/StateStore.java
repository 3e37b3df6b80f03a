package io.watershed.log.state;

import io.watershed.log.EtcdKey;
import io.watershed.log.KeyVersion;
import io.watershed.log.ObjectRecord;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Where {@link LogState} keeps what it reads: the caller's own form of the objects, its images and its history.
 *
 * <p><em>Threads:</em> called by the one thread that applies records.
 *
 * @param <V> what the caller keeps of an object
 */
public interface StateStore<V> {
    /** The caller's form of a live object (never called for deletes). */
    V keep(ObjectRecord object);

    KeyVersion versionOf(V object);

    @Nullable
    V get(EtcdKey key);

    void put(EtcdKey key, V object);

    void remove(EtcdKey key);

    /** Visits every live object, in any order. */
    void forEach(BiConsumer<EtcdKey, V> visitor);

    /**
     * A change of {@code key} in {@code revision}, put into the history. Comes after the state has changed, and before the revision
     * is published. {@code object} is null for a delete.
     *
     * <p>Before the reader is live, compaction may have taken the other events of the revision: it is then published with a later one,
     * or the floor rises above it. No such revision is at or above the floor once the reader is ready.
     *
     * @param last whether this is the revision's last event
     */
    void event(long revision, EtcdKey key, @Nullable V previous, @Nullable V object, boolean last);

    /** The state now is that of {@code revision}, whole; all events up to it may be shown. Revisions never go back. */
    void publish(long revision);

    /** No resume point below {@code floor} is valid any more: history below it may go. Floors only rise. */
    void raiseFloor(long floor);

    /** A relist ended at {@code revision}: every open watch ends with 410 (L5). Comes before that revision's publish. */
    void relisted(long revision);
}
