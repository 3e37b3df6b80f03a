package io.watershed.gateway.fanout;

import io.netty.buffer.ByteBuf;
import io.watershed.gateway.api.Status;
import io.watershed.gateway.cache.ObjectEntry;
import io.watershed.gateway.represent.Transform;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last step to a watch's sink: writes, bookmarks, and the ways to end. A sink that throws ends its own watch and no other.
 *
 * <p><em>Threads:</em> confined to its event loop.
 */
final class Delivery {
    private static final Logger LOGGER = LoggerFactory.getLogger(Delivery.class);

    private final FanoutMetrics metrics;
    private final BiConsumer<Watcher, EndReason> forget;

    /** The bookmark sent last, as many in a row are the same. */
    private @Nullable ByteBuf bookmark;

    private @Nullable String bookmarkKind;
    private @Nullable String bookmarkApiVersion;
    private @Nullable Transform bookmarkTransform;
    private @Nullable Framing bookmarkFraming;
    private long bookmarkRevision;

    /**
     * @param forget takes a watch out of everything the loop knows; a watch that is closed already is left alone
     */
    Delivery(FanoutMetrics metrics, BiConsumer<Watcher, EndReason> forget) {
        this.metrics = metrics;
        this.forget = forget;
    }

    /** Writes frames, whose ownership passes here. */
    void write(Watcher watcher, ByteBuf frames, int events) {
        ByteBuf written = watcher.begun ? frames : FrameJoiner.first(frames, watcher.order.target());
        watcher.begun = true;
        int bytes = written.readableBytes();
        if (send(watcher, written)) {
            metrics.writes.increment();
            metrics.bytes.increment(bytes);
            if (events > 0) {
                watcher.watchClass.events.increment(events);
            }
        }
    }

    /** Writes a bookmark: everything up to the revision was delivered. */
    void bookmark(Watcher watcher, long revision) {
        WatchOrder order = watcher.order;
        ByteBuf made = bookmark;
        if (made == null
                || bookmarkRevision != revision
                || !order.kind().equals(bookmarkKind)
                || !order.apiVersion().equals(bookmarkApiVersion)
                || !order.target().transform().equals(bookmarkTransform)
                || order.target().framing() != bookmarkFraming) {
            forgetBookmark();
            FrameJoiner joined = new FrameJoiner(order.target());
            joined.addBookmark(order, revision, false, watcher.generation);
            made = joined.finish();
            bookmark = made;
            bookmarkRevision = revision;
            bookmarkKind = order.kind();
            bookmarkApiVersion = order.apiVersion();
            bookmarkTransform = order.target().transform();
            bookmarkFraming = order.target().framing();
        }
        metrics.bookmarks.increment();
        write(watcher, made.retainedDuplicate(), 0);
    }

    /** Lets go of the bookmark that is kept. */
    void forgetBookmark() {
        if (bookmark != null) {
            bookmark.release();
            bookmark = null;
        }
    }

    /** For what a transport sends of its own where nothing happens. */
    void keepAlive(Watcher watcher, long nowNanos) {
        if (watcher.isClosed()) {
            return;
        }
        try {
            watcher.sink.keepAlive(nowNanos);
        } catch (RuntimeException e) {
            broken(watcher, e);
        }
    }

    /** Ends a watch without an error: the client goes on from the last revision it was sent. */
    void finish(Watcher watcher, EndReason reason) {
        if (!watcher.isClosed()) {
            forget.accept(watcher, reason);
            end(watcher);
        }
    }

    /** Ends a watch with an ERROR event. */
    void fail(Watcher watcher, EndReason reason, Status status) {
        if (watcher.isClosed()) {
            return;
        }
        LOGGER.atDebug()
                .addKeyValue("resource", watcher.order.target().label())
                .addKeyValue("reason", reason.label())
                .log("watch ends with an error");
        if (send(watcher, FrameJoiner.error(status, watcher.order.target().framing()))) {
            finish(watcher, reason);
        }
    }

    /** Ends a watch because of an object that could not be decoded. */
    void failUndecodable(Watcher watcher, ObjectEntry object) {
        fail(watcher, EndReason.UNDECODABLE, Status.internalError(String.valueOf(object.defect())));
    }

    /** Whether the watch is still there afterwards. */
    private boolean send(Watcher watcher, ByteBuf frames) {
        if (watcher.isClosed()) {
            frames.release();
            return false;
        }
        try {
            watcher.sink.write(frames);
        } catch (RuntimeException e) {
            broken(watcher, e);
        }
        return !watcher.isClosed();
    }

    private void end(Watcher watcher) {
        try {
            watcher.sink.end();
        } catch (RuntimeException e) {
            broken(watcher, e);
        }
    }

    private void broken(Watcher watcher, RuntimeException cause) {
        LOGGER.atDebug()
                .setCause(cause)
                .addKeyValue("resource", watcher.order.target().label())
                .log("watch's connection could not be written to");
        forget.accept(watcher, EndReason.SINK);
    }
}
