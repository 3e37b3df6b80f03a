package io.watershed.ingest.etcd;

import com.google.common.util.concurrent.ListenableFuture;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.WatchProgressRequest;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream to one member with a watch for each range. jetcd's own watch is not used: it resumes from the revision that
 * {@code created} names, and loses what lies before.
 *
 * <p>gRPC hands a response over only when one was asked for, so the queue never holds more than {@link #PREFETCH} of them, and etcd
 * waits while nobody calls {@link #next}. Whatever is not understood ends the stream, and the next one goes on from the last release.
 *
 * <p><em>Threads:</em> confined to the caller of {@link #next}, but for {@link Handover}, which gRPC's threads run.
 */
final class WatchSession implements RevisionStream {
    private static final Logger LOGGER = LoggerFactory.getLogger(WatchSession.class);
    private static final int PREFETCH = 2;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long ASK_AT_MOST_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long ASK_WHEN_BEHIND_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long ASK_WHEN_IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PROBE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /**
     * @param nanos a clock that only rises
     * @param waitingLimitBytes how much may wait for a range that has not passed it
     */
    record Surroundings(StreamMeters meters, LongSupplier nanos, long waitingLimitBytes) {}

    /** What gRPC hands over: a response, or the end (null response). */
    private record Arrival(
            @Nullable WatchResponse response, @Nullable Throwable failure) {}

    private final EtcdMembers members;
    private final EtcdMember member;
    private final EtcdVersion version;
    private final KeyRange first;
    private final Surroundings around;
    private final RevisionRelease release;
    private final ResponseAssembly assembly;
    private final ProgressWatchdog watchdog;
    private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>(PREFETCH + 1);
    private final Handover handover = new Handover();
    private @Nullable EtcdFailure over;
    private boolean tooMuchWaited;
    private long droppedBefore;
    private long askedAt;
    private long probedAt;
    private @Nullable ListenableFuture<RangeResponse> probe;

    WatchSession(
            EtcdMembers members,
            EtcdVersion version,
            List<KeyRange> ranges,
            KeyFilter filter,
            long fromRevision,
            Surroundings around) {
        this.members = members;
        this.member = members.current();
        this.version = version;
        this.first = ranges.get(0);
        this.around = around;
        this.release = new RevisionRelease(ranges.size(), filter, fromRevision - 1);
        this.assembly = new ResponseAssembly(member.endpoint(), ranges, release);
        this.watchdog = new ProgressWatchdog(fromRevision - 1);
        this.askedAt = around.nanos().getAsLong();
        this.probedAt = askedAt;
        member.watches().watch(handover);
        for (int range = 0; range < ranges.size(); range++) {
            handover.send(assembly.create(range, fromRevision));
        }
    }

    @Override
    public @Nullable Released next(Duration atMost) throws EtcdFailure {
        EtcdFailure before = over;
        if (before != null) {
            throw before;
        }
        try {
            return await(around.nanos().getAsLong() + atMost.toNanos());
        } catch (EtcdFailure e) {
            over = e;
            around.meters().ended();
            member.dropToken(); // it may be what etcd did not like, in words that differ by version
            if (e instanceof EtcdFailure.Unavailable) {
                members.leave(member);
            }
            handover.cancel();
            throw e;
        }
    }

    private @Nullable Released await(long deadline) throws EtcdFailure {
        while (true) {
            long now = around.nanos().getAsLong();
            watch(now);
            Arrival arrival = take(Math.min(deadline - now, POLL_NANOS));
            if (arrival != null) {
                Released released = handle(arrival);
                if (released != null) {
                    return released;
                }
            } else {
                long after = around.nanos().getAsLong();
                watchdog.starved(after - now);
                if (after >= deadline) {
                    return null;
                }
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
            throw new EtcdFailure.Unavailable("interrupted while waiting for etcd " + member.endpoint(), e);
        }
    }

    /** Null when the response released nothing. */
    private @Nullable Released handle(Arrival arrival) throws EtcdFailure {
        WatchResponse response = arrival.response();
        if (response == null) {
            throw ended(arrival.failure());
        }
        long before = release.released();
        assembly.accept(response);
        Released released = release.release();
        watchdog.released(released.upTo());
        around.meters().repeated(release.dropped() - droppedBefore);
        droppedBefore = release.dropped();
        around.meters().waiting(release.waitingBytes());
        if (release.waitingBytes() > around.waitingLimitBytes()) {
            tooMuchWaited = true;
            throw new EtcdFailure.Unavailable("more than " + (around.waitingLimitBytes() >> 20)
                    + " MiB wait for a prefix of which etcd " + member.endpoint()
                    + " reports no progress; the next stream reads one range over all prefixes. Start etcd with "
                    + version.progressFlag() + "=100ms");
        }
        return released.upTo() > before ? released : null;
    }

    private EtcdFailure ended(@Nullable Throwable failure) {
        if (failure instanceof StatusRuntimeException status) {
            return StatusMeaning.of("watching", member.endpoint(), status);
        }
        String text = "etcd " + member.endpoint() + " closed the stream";
        return failure == null ? new EtcdFailure.Unavailable(text) : new EtcdFailure.Unavailable(text, failure);
    }

    /** Whether this stream ended because one range had more to catch up with than may wait for the others. */
    boolean tooMuchWaited() {
        return tooMuchWaited;
    }

    /** Looks after the stream: what etcd's head is, whether we get there, whether to ask for progress. */
    private void watch(long now) throws EtcdFailure {
        ListenableFuture<RangeResponse> asked = probe;
        if (asked != null && asked.isDone()) {
            probe = null;
            seen(asked);
        }
        if (probe == null && now - probedAt >= PROBE_NANOS && !watchdog.isBehind()) {
            probedAt = now;
            probe();
        }
        boolean reportsProgress = version.trustworthyProgress() || assembly.progressSeen();
        if (!reportsProgress && watchdog.lacksProgress()) {
            throw new EtcdFailure.Refused("etcd " + version + " at " + member.endpoint()
                    + " reports no progress, and is too old to be asked for it: head " + watchdog.expected()
                    + ", read up to " + release.released() + ". Start it with " + version.progressFlag() + "=100ms");
        }
        if (watchdog.isSilent()) {
            throw new EtcdFailure.Unavailable(
                    "etcd's head is at " + watchdog.expected() + ", but " + member.endpoint()
                            + " sent nothing beyond " + release.released()
                            + " for 10 s. Is that member cut off, or is it etcd's gRPC proxy, which can't be asked for progress?");
        }
        boolean behind = release.isWaiting() || watchdog.isBehind();
        if (now - askedAt >= (behind ? ASK_WHEN_BEHIND_NANOS : ASK_WHEN_IDLE_NANOS)) {
            requestProgress();
        }
    }

    private void probe() {
        try {
            probe = member.asyncReads().range(GrpcEtcdSource.headRequest(first));
        } catch (StatusRuntimeException e) {
            unanswered(e); // the token's renewal
        }
    }

    private void seen(ListenableFuture<RangeResponse> head) {
        try {
            watchdog.head(head.get().getHeader().getRevision());
        } catch (ExecutionException e) {
            unanswered(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the member is gone, keepalive and require-leader decide: a probe that failed proves nothing. */
    private void unanswered(Exception e) {
        member.dropToken();
        LOGGER.atDebug()
                .addKeyValue("endpoint", member.endpoint())
                .setCause(e)
                .log("etcd did not answer a probe of its head");
    }

    @Override
    public void requestProgress() {
        long now = around.nanos().getAsLong();
        if (over == null
                && version.trustworthyProgress()
                && assembly.isComplete()
                && now - askedAt >= ASK_AT_MOST_EVERY_NANOS) {
            askedAt = now;
            handover.send(WatchRequest.newBuilder()
                    .setProgressRequest(WatchProgressRequest.getDefaultInstance())
                    .build());
        }
    }

    @Override
    public void close() {
        handover.cancel();
        around.meters().waiting(0);
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
            return Objects.requireNonNull(call);
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
