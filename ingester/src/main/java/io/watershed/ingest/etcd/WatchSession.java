package io.watershed.ingest.etcd;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.UnknownFieldSet;
import io.etcd.jetcd.api.Event;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchProgressRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.watershed.log.EtcdKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream with a watch for each range. jetcd's own watch is not used: it resumes from the revision that {@code created} names, and
 * loses what lies before.
 *
 * <p>gRPC hands a response over only when one was asked for, so the queue never holds more than {@link #PREFETCH} of them; whatever
 * is not understood ends the stream, and the next one goes on from the last release.
 *
 * <p><em>Threads:</em> confined to the caller of {@link #next}, but for {@link Handover}, which gRPC's threads run.
 */
final class WatchSession implements RevisionStream {
    private static final Logger LOGGER = LoggerFactory.getLogger(WatchSession.class);
    private static final int PREFETCH = 2;
    private static final long WAITING_LIMIT_BYTES = 256L << 20;
    /** Fields that etcd has and jetcd's protocol lacks. */
    private static final int CREATE_WATCH_ID = 7;

    private static final int CREATE_FRAGMENT = 8;
    private static final int RESPONSE_FRAGMENT = 7;

    private static final long ASK_WHEN_WAITED_FOR_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long ASK_WHEN_IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long SILENCE_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** What gRPC hands over: a response, or the end (null response). */
    private record Arrival(
            @Nullable WatchResponse response, @Nullable Throwable failure) {}

    private final EtcdChannels channels;
    private final EtcdVersion version;
    private final KeyRange first;
    private final LongSupplier nanos;
    private final Counter restarts;
    private final RevisionRelease release;
    private final List<List<EtcdEvent>> fragments = new ArrayList<>();
    private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>(PREFETCH + 2);
    private final Handover handover = new Handover();
    private int created;
    private boolean progressSeen;
    private long askedAt;
    private @Nullable ListenableFuture<RangeResponse> probe;
    private long probedAt;
    private long aheadRevision;
    private long aheadSince;

    WatchSession(
            EtcdChannels channels,
            EtcdVersion version,
            List<KeyRange> ranges,
            KeyFilter filter,
            long fromRevision,
            MeterRegistry meters,
            LongSupplier nanos) {
        this.channels = channels;
        this.version = version;
        this.first = ranges.get(0);
        this.nanos = nanos;
        this.restarts = Counter.builder("watershed_ingester_watch_restarts")
                .description("Streams to etcd that ended and were opened again")
                .register(meters);
        this.release = new RevisionRelease(ranges.size(), filter, fromRevision - 1);
        this.askedAt = nanos.getAsLong();
        this.probedAt = askedAt;
        channels.watch().watch(handover);
        for (int i = 0; i < ranges.size(); i++) {
            fragments.add(new ArrayList<>());
            handover.send(create(ranges.get(i), i, fromRevision));
        }
    }

    private static WatchRequest create(KeyRange range, int index, long fromRevision) {
        UnknownFieldSet extras = UnknownFieldSet.newBuilder()
                .addField(CREATE_WATCH_ID, number(index + 1L))
                .addField(CREATE_FRAGMENT, number(1))
                .build();
        return WatchRequest.newBuilder()
                .setCreateRequest(WatchCreateRequest.newBuilder()
                        .setKey(GrpcEtcdSource.bytes(range.start()))
                        .setRangeEnd(GrpcEtcdSource.bytes(range.end()))
                        .setStartRevision(fromRevision)
                        .setProgressNotify(true)
                        .setUnknownFields(extras))
                .build();
    }

    private static UnknownFieldSet.Field number(long value) {
        return UnknownFieldSet.Field.newBuilder().addVarint(value).build();
    }

    @Override
    public @Nullable Released next(Duration atMost) throws EtcdFailure {
        long deadline = nanos.getAsLong() + atMost.toNanos();
        while (true) {
            long before = release.released();
            long now = nanos.getAsLong();
            watchdog(now);
            askForProgress(now);
            long wait = Math.min(deadline - now, ASK_WHEN_WAITED_FOR_NANOS);
            Arrival arrival = take(wait);
            if (arrival != null) {
                handle(arrival);
                Released released = release.release();
                if (!released.revisions().isEmpty() || released.upTo() > before) {
                    return released;
                }
            } else if (nanos.getAsLong() >= deadline) {
                return null;
            }
        }
    }

    private @Nullable Arrival take(long waitNanos) throws EtcdFailure {
        try {
            Arrival arrival = arrivals.poll(Math.max(0, waitNanos), TimeUnit.NANOSECONDS);
            if (arrival != null) {
                handover.request();
            }
            return arrival;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EtcdFailure.Unavailable("interrupted while waiting for etcd " + channels.endpoint(), e);
        }
    }

    private void handle(Arrival arrival) throws EtcdFailure {
        WatchResponse response = arrival.response();
        if (response == null) {
            throw ended(arrival.failure());
        }
        if (response.getCanceled()) {
            throw canceled(response);
        }
        if (response.getCreated()) {
            created++; // its header is not progress: everything from the start revision on is still to come
            return;
        }
        if (response.getEventsCount() == 0 && !isFragment(response)) {
            progress(response);
            return;
        }
        int range = range(response);
        List<EtcdEvent> whole = fragments.get(range);
        for (Event event : response.getEventsList()) {
            whole.add(event(event));
        }
        if (!isFragment(response)) {
            release.events(range, whole);
            whole.clear();
            if (release.waitingBytes() > WAITING_LIMIT_BYTES) {
                throw new EtcdFailure.Unavailable("more than " + (WAITING_LIMIT_BYTES >> 20)
                        + " MiB wait for a prefix that reports no progress at etcd " + channels.endpoint()
                        + ". Start etcd with " + version.progressFlag() + "=100ms");
            }
        }
    }

    private void progress(WatchResponse response) {
        progressSeen = true;
        long revision = response.getHeader().getRevision();
        if (response.getWatchId() == -1) {
            // For the whole stream: every watch on it is synced. Means nothing before all of them exist.
            if (created == fragments.size()) {
                release.progressOfAll(revision);
            }
        } else {
            release.progress((int) response.getWatchId() - 1, revision);
        }
    }

    private int range(WatchResponse response) throws EtcdFailure {
        long id = response.getWatchId();
        if (id < 1 || id > fragments.size()) {
            throw new EtcdFailure.Unavailable(
                    "etcd " + channels.endpoint() + " sent events of a watch that we did not open: " + id);
        }
        return (int) id - 1;
    }

    private EtcdFailure canceled(WatchResponse response) {
        if (response.getCompactRevision() > 0) {
            return new EtcdFailure.Compacted(
                    response.getCompactRevision(),
                    "etcd " + channels.endpoint()
                            + " has compacted what the watch must read next; it keeps revisions from "
                            + response.getCompactRevision() + " on");
        }
        return ended(null, response.getCancelReason());
    }

    private EtcdFailure ended(@Nullable Throwable failure) {
        if (failure instanceof StatusRuntimeException status) {
            restarts.increment();
            EtcdFailure described = channels.describe("the watch", status);
            channels.useNext();
            return described;
        }
        return ended(failure, "stream closed");
    }

    private EtcdFailure ended(@Nullable Throwable failure, String why) {
        restarts.increment();
        String text = "etcd " + channels.endpoint() + " ended the watch: " + why;
        channels.useNext();
        return failure == null ? new EtcdFailure.Unavailable(text) : new EtcdFailure.Unavailable(text, failure);
    }

    /** A member that lags, is cut off or stuck shows as a head that stays ahead of what was released. */
    private void watchdog(long now) throws EtcdFailure {
        ListenableFuture<RangeResponse> asked = probe;
        if (asked != null && asked.isDone()) {
            probe = null;
            try {
                long head = asked.get().getHeader().getRevision();
                if (aheadRevision <= release.released() && head > release.released()) {
                    aheadRevision = head;
                    aheadSince = now;
                }
            } catch (ExecutionException | InterruptedException e) {
                // The stream's own keepalive decides whether the member is gone; a probe that failed proves nothing.
                LOGGER.atDebug()
                        .addKeyValue("endpoint", channels.endpoint())
                        .log("etcd did not answer a probe of its head");
            }
        }
        if (aheadRevision > release.released() && now - aheadSince > SILENCE_LIMIT_NANOS) {
            if (!progressSeen && !version.trustworthyProgress()) {
                throw new EtcdFailure.Refused("etcd " + version + " at " + channels.endpoint()
                        + " reports no progress, and is too old to be asked for it. Start it with "
                        + version.progressFlag() + "=100ms");
            }
            throw ended(
                    null,
                    "nothing came for 10 s, though its head is at " + aheadRevision + " and " + release.released()
                            + " was read");
        }
        if (probe == null && now - probedAt > PROBE_NANOS && aheadRevision <= release.released()) {
            probedAt = now;
            try {
                probe = channels.kvFuture().range(GrpcEtcdSource.headRequest(first));
            } catch (StatusRuntimeException e) {
                throw ended(e);
            }
        }
    }

    private void askForProgress(long now) {
        long every = release.isWaiting() || aheadRevision > release.released()
                ? ASK_WHEN_WAITED_FOR_NANOS
                : ASK_WHEN_IDLE_NANOS;
        if (now - askedAt >= every) {
            requestProgress();
        }
    }

    @Override
    public void requestProgress() {
        if (version.trustworthyProgress() && created == fragments.size()) {
            askedAt = nanos.getAsLong();
            handover.send(WatchRequest.newBuilder()
                    .setProgressRequest(WatchProgressRequest.getDefaultInstance())
                    .build());
        }
    }

    private static boolean isFragment(WatchResponse response) {
        List<Long> fragment =
                response.getUnknownFields().getField(RESPONSE_FRAGMENT).getVarintList();
        return !fragment.isEmpty() && fragment.get(fragment.size() - 1) != 0;
    }

    private static EtcdEvent event(Event event) {
        return event.getType() == Event.EventType.DELETE
                ? new EtcdEvent.Delete(
                        EtcdKey.of(event.getKv().getKey().toByteArray()),
                        event.getKv().getModRevision())
                : new EtcdEvent.Put(GrpcEtcdSource.value(event.getKv()));
    }

    @Override
    public void close() {
        handover.cancel();
    }

    /** gRPC's end: takes responses as they were asked for, and puts them where the owner finds them. */
    private final class Handover implements ClientResponseObserver<WatchRequest, WatchResponse> {
        private @Nullable ClientCallStreamObserver<WatchRequest> call;

        @Override
        public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
            call = stream;
            stream.disableAutoRequestWithInitial(PREFETCH);
        }

        void send(WatchRequest request) {
            started().onNext(request);
        }

        void request() {
            started().request(1);
        }

        void cancel() {
            started().cancel("closed", null);
        }

        private ClientCallStreamObserver<WatchRequest> started() {
            return java.util.Objects.requireNonNull(call);
        }

        @Override
        public void onNext(WatchResponse response) {
            hand(new Arrival(response, null));
        }

        @Override
        public void onError(Throwable failure) {
            hand(new Arrival(null, failure));
        }

        @Override
        public void onCompleted() {
            hand(new Arrival(null, null));
        }

        private void hand(Arrival arrival) {
            if (!arrivals.offer(arrival)) {
                throw new IllegalStateException("etcd sent more responses than were asked for");
            }
        }
    }
}
