package io.watershed.gateway.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import io.watershed.catalogue.ResourceType;
import io.watershed.gateway.api.ContinueToken;
import io.watershed.gateway.cache.CacheView;
import io.watershed.gateway.cache.ObjectEntry;
import io.watershed.gateway.fanout.FanoutSettings;
import io.watershed.gateway.represent.ListMeta;
import io.watershed.gateway.represent.ListWriter;
import io.watershed.gateway.represent.Representation;
import io.watershed.gateway.select.FieldSelector;
import io.watershed.gateway.select.LabelSelector;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A list on its way to a client: walks an immutable image, at most {@link #VISITS} objects a turn of the loop, and writes buffers of about
 * {@link #BUFFER_BYTES} as fast as the client takes them. A page's objects are looked up before its first byte, since whether there is a
 * next one stands before the items.
 *
 * <p><em>Threads:</em> its event loop's.
 */
final class ListResponse {
    /** Which objects, and how many. {@code limit}: 0 for all. */
    record Selection(
            ResourceType type,
            @Nullable String namespace,
            LabelSelector labels,
            FieldSelector fields,
            long limit,
            @Nullable String after) {
        boolean matches(ObjectEntry object) {
            return labels.matches(object) && fields.matches(object);
        }
    }

    private static final Logger LOGGER = LoggerFactory.getLogger(ListResponse.class);
    private static final int BUFFER_BYTES = 64 << 10;
    private static final long STALLED_MILLIS = 60_000;
    private static final int VISITS = 2000;

    private final Exchange exchange;
    private final HttpServerResponse response;
    private final Context context;
    private final CacheView view;
    private final Selection selection;
    private final FanoutSettings.Undecodable undecodable;
    private final Representation representation;
    private final List<ObjectEntry> page = new ArrayList<>();
    private Iterator<ObjectEntry> source;
    private final ListBody body;
    private @Nullable ListWriter writer;
    private boolean closed;

    ListResponse(
            Exchange exchange,
            Context context,
            CacheView view,
            Selection selection,
            Representation representation,
            FanoutSettings.Undecodable undecodable) {
        this.exchange = exchange;
        this.response = exchange.response();
        this.context = context;
        this.view = view;
        this.selection = selection;
        this.undecodable = undecodable;
        this.representation = representation;
        this.body = new ListBody(exchange.acceptsGzip(), exchange::saysCompressed);
        this.source = view.resource(selection.type().storedAs()).objects(selection.namespace(), selection.after());
    }

    void send() {
        response.closeHandler(gone -> stop());
        ObjectEntry broken = undecodable == FanoutSettings.Undecodable.FAIL ? firstUndecodable() : null;
        if (broken != null) {
            exchange.status(Undecodables.status(broken));
        } else if (selection.limit() > 0) {
            lookUp();
        } else {
            begin(null, 0);
        }
    }

    /** In the whole scope: leaving it out of a list, or out of a page, would be a silent gap. */
    private @Nullable ObjectEntry firstUndecodable() {
        Iterator<ObjectEntry> objects =
                view.resource(selection.type().storedAs()).undecodable();
        while (objects.hasNext()) {
            ObjectEntry object = objects.next();
            if (selection.namespace() == null
                    || selection.namespace().equals(object.name().namespace())) {
                return object;
            }
        }
        return null;
    }

    /** Collects a page, and with it whether there is more. */
    private void lookUp() {
        for (int visits = 0; visits < VISITS; visits++) {
            if (!source.hasNext()) {
                source = page.iterator();
                begin(null, 0);
                return;
            }
            ObjectEntry object = source.next();
            if (!selection.matches(object) || !Undecodables.isShown(object, undecodable)) {
                continue;
            }
            if (page.size() == selection.limit()) {
                finishPage();
                return;
            }
            page.add(object);
        }
        later(this::lookUp);
    }

    private void finishPage() {
        ObjectEntry last = page.get(page.size() - 1);
        String name = "/" + last.name().name();
        String path = selection.namespace() == null && last.name().namespace() != null
                ? "/" + last.name().namespace() + name
                : name;
        long remaining = 0;
        if (selection.labels().isEmpty() && selection.fields().isEmpty()) {
            remaining = 1;
            while (source.hasNext()) {
                source.next();
                remaining++;
            }
        }
        source = page.iterator();
        begin(new ContinueToken(view.watermark(), path), remaining);
    }

    private void begin(@Nullable ContinueToken next, long remaining) {
        exchange.api(200).putHeader("Content-Type", representation.contentType());
        exchange.stream();
        writer = representation.list(new ListMeta(view.watermark(), next == null ? null : next.text(), remaining));
        ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(BUFFER_BYTES);
        body.into(buffer);
        writer.begin(body);
        pump(buffer);
    }

    private void resume() {
        ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(BUFFER_BYTES);
        body.into(buffer);
        pump(buffer);
    }

    private void pump(ByteBuf buffer) {
        try {
            fill(buffer);
        } catch (RuntimeException e) {
            // The head has gone out: only a broken connection tells the client that the list is not whole.
            LOGGER.atError()
                    .addKeyValue("resource", selection.type().resource())
                    .setCause(e)
                    .log("list failed");
            stop();
            response.reset();
        }
    }

    private void stop() {
        closed = true;
        body.abandon();
    }

    private void fill(ByteBuf buffer) {
        for (int visits = 0; visits < VISITS && body.taken() < BUFFER_BYTES; visits++) {
            if (!source.hasNext()) {
                writer().end(body);
                body.end();
                write(buffer);
                exchange.endStream();
                return;
            }
            ObjectEntry object = source.next();
            if (selection.matches(object) && Undecodables.isShown(object, undecodable)) {
                writer().item(object.json(), body);
            }
        }
        if (buffer.isReadable()) {
            write(buffer);
        } else {
            buffer.release();
        }
        if (closed) {
            return;
        }
        if (response.writeQueueFull()) {
            waitForClient();
        } else {
            later(this::resume);
        }
    }

    /** A client that takes nothing for long keeps a whole image in memory: it is cut off. */
    private void waitForClient() {
        long timer = context.owner().setTimer(STALLED_MILLIS, stalled -> {
            stop();
            response.reset();
        });
        response.drainHandler(drained -> {
            if (context.owner().cancelTimer(timer)) {
                resume();
            }
        });
    }

    private void later(Runnable task) {
        if (!closed) {
            context.runOnContext(turn -> task.run());
        }
    }

    private ListWriter writer() {
        return Objects.requireNonNull(writer);
    }

    /** Vert.x does not release what it is given, so that is done when the write is over. */
    private void write(ByteBuf buffer) {
        if (closed) {
            buffer.release();
            return;
        }
        response.write(BufferInternal.buffer(buffer)).onComplete(written -> buffer.release());
    }
}
