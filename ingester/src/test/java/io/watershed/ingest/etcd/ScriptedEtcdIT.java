package io.watershed.ingest.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.watershed.log.EtcdKey;
import io.watershed.testkit.ChildProcess;
import io.watershed.testkit.FreePorts;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the source makes of members that misbehave. */
class ScriptedEtcdIT {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<AutoCloseable> toClose = new ArrayList<>();

    private ScriptedEtcd member() {
        ScriptedEtcd member = new ScriptedEtcd();
        toClose.add(member);
        return member;
    }

    private EtcdSource source(LongSupplier nanos, long waitingBytes, List<String> prefixes, URI... endpoints) {
        EtcdSource source = new GrpcEtcdSource(
                new EtcdSettings(
                        List.of(endpoints), prefixes.stream().map(EtcdKey::utf8).toList(), List.of(), null, null),
                meters,
                nanos,
                waitingBytes);
        toClose.add(source);
        return source;
    }

    private EtcdSource source(ScriptedEtcd... members) {
        URI[] endpoints = Stream.of(members).map(ScriptedEtcd::endpoint).toArray(URI[]::new);
        return source(System::nanoTime, 1 << 20, List.of("/a/"), endpoints);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = toClose.size() - 1; i >= 0; i--) {
            toClose.get(i).close();
        }
    }

    /** Time that goes on by a second at each look. */
    private static LongSupplier hasty() {
        AtomicLong now = new AtomicLong();
        return () -> now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }

    @Test
    void goesOnFromItsOwnRevisionWhenAStreamIsCutRightAfterCreated() throws EtcdFailure {
        AtomicInteger streams = new AtomicInteger();
        ScriptedEtcd etcd = member().head(50).watch((to, request, watch) -> {
            to.onNext(Responses.created(1, 50));
            if (streams.incrementAndGet() == 1) {
                to.onError(Status.UNAVAILABLE.asRuntimeException());
            } else {
                to.onNext(Responses.events(1, 50).put("/a/x", 2).put("/a/x", 50).build());
            }
        });
        EtcdSource source = source(etcd);
        try (RevisionStream stream = source.stream(2)) {
            assertThat(Reading.end(stream)).isInstanceOf(EtcdFailure.Unavailable.class);
        }
        try (RevisionStream stream = source.stream(2)) {
            assertThat(Events.text(Reading.upTo(stream, 50))).containsExactly("2: put /a/x", "50: put /a/x");
        }
        assertThat(etcd.created().stream().map(WatchCreateRequest::getStartRevision))
                .containsExactly(2L, 2L);
        assertThat(etcd.leaderRequired()).containsExactly("true", "true");
        assertThat(meters.get("watershed_ingester_watch_restarts").counter().count())
                .isEqualTo(1);
    }

    @Test
    void dropsWhatALaggingMemberSendsAgain() throws EtcdFailure {
        ScriptedEtcd etcd = member().watch((to, request, watch) -> {
            to.onNext(Responses.created(1, 5));
            to.onNext(Responses.progress(1, 5));
            to.onNext(Responses.events(1, 12).put("/a/old", 9).put("/a/new", 11).build());
        });
        try (RevisionStream stream = source(etcd).stream(11)) {
            assertThat(Events.text(Reading.upTo(stream, 11))).containsExactly("11: put /a/new");
        }
        assertThat(meters.get("watershed_ingester_repeated_events").counter().count())
                .isEqualTo(1);
    }

    @Test
    void leavesASilentMemberForTheNextOne() throws EtcdFailure {
        ScriptedEtcd silent = member().head(9).watch((to, request, watch) -> to.onNext(Responses.created(1, 9)));
        ScriptedEtcd healthy = member().head(9).watch((to, request, watch) -> {
            to.onNext(Responses.created(1, 9));
            to.onNext(Responses.events(1, 9).put("/a/x", 9).build());
        });
        AtomicLong ahead = new AtomicLong();
        AtomicBoolean hurry = new AtomicBoolean(true);
        LongSupplier nanos =
                () -> System.nanoTime() + (hurry.get() ? ahead.addAndGet(TimeUnit.SECONDS.toNanos(1)) : ahead.get());
        EtcdSource source = source(nanos, 1 << 20, List.of("/a/"), silent.endpoint(), healthy.endpoint());
        try (RevisionStream stream = source.stream(9)) {
            assertThat(Reading.end(stream))
                    .isInstanceOf(EtcdFailure.Unavailable.class)
                    .hasMessageContaining(silent.endpoint().toString())
                    .hasMessageContaining("head is at 9");
            assertThatThrownBy(() -> stream.next(Duration.ZERO)).isInstanceOf(EtcdFailure.Unavailable.class);
        }
        hurry.set(false); // the next one needs some time to answer
        try (RevisionStream stream = source.stream(9)) {
            assertThat(Events.text(Reading.upTo(stream, 9))).containsExactly("9: put /a/x");
        }
    }

    @Test
    void bearsAMemberThatIsSilentBecauseThereIsNothing() throws EtcdFailure {
        ScriptedEtcd idle = member().head(9).watch((to, request, watch) -> to.onNext(Responses.created(1, 9)));
        EtcdSource source = source(hasty(), 1 << 20, List.of("/a/"), idle.endpoint());
        try (RevisionStream stream = source.stream(10)) {
            for (int i = 0; i < 20; i++) {
                assertThat(stream.next(Duration.ofSeconds(5))).isNull();
            }
        }
    }

    @Test
    void namesTheFlagToAnEtcdThatReportsNoProgressAndCannotBeAsked() throws EtcdFailure {
        ScriptedEtcd old =
                member().version("3.4.23").head(9).watch((to, request, watch) -> to.onNext(Responses.created(1, 9)));
        EtcdSource source = source(hasty(), 1 << 20, List.of("/a/"), old.endpoint());
        try (RevisionStream stream = source.stream(9)) {
            assertThat(Reading.end(stream))
                    .isInstanceOf(EtcdFailure.Refused.class)
                    .hasMessageContaining("--experimental-watch-progress-notify-interval=100ms");
        }
    }

    @Test
    void watchesOneRangeOverAllPrefixesOnAnOldEtcd() throws EtcdFailure {
        ScriptedEtcd old = member().version("3.5.12").watch((to, request, watch) -> {
            to.onNext(Responses.created(1, 9));
            to.onNext(Responses.events(1, 9)
                    .put("/a/x", 9)
                    .put("/b/x", 9)
                    .put("/c/x", 9)
                    .build());
        });
        EtcdSource source = source(System::nanoTime, 1 << 20, List.of("/c/", "/a/"), old.endpoint());
        try (RevisionStream stream = source.stream(9)) {
            assertThat(Events.text(Reading.upTo(stream, 9))).containsExactly("9: put /a/x, put /c/x");
        }
        assertThat(old.created()).singleElement().satisfies(request -> {
            assertThat(request.getKey().toStringUtf8()).isEqualTo("/a/");
            assertThat(request.getRangeEnd().toStringUtf8()).isEqualTo("/c0");
        });
    }

    @Test
    void obeysTheOldestOfSeveralMembers() throws EtcdFailure {
        ScriptedEtcd recent = member().watch((to, request, watch) -> to.onNext(Responses.created(watch, 9)));
        ScriptedEtcd old = member().version("3.4.23");
        EtcdSource source = source(System::nanoTime, 1 << 20, List.of("/a/", "/b/"), recent.endpoint(), old.endpoint());
        try (RevisionStream stream = source.stream(9)) {
            Awaitility.await()
                    .atMost(ChildProcess.DEADLINE)
                    .untilAsserted(() -> assertThat(recent.created()).hasSize(1));
            assertThat(stream.next(Duration.ZERO)).isNull();
        }
    }

    @Test
    void readsOneRangeAfterTooMuchHadToWaitForAnother() throws EtcdFailure {
        ScriptedEtcd etcd = member().head(9).watch((to, request, watch) -> {
            to.onNext(Responses.created(watch, 9));
            if (request.getRangeEnd().toStringUtf8().equals("/b0")
                    && request.getKey().toStringUtf8().equals("/b/")) {
                return;
            }
            for (int revision = 2; revision <= 9; revision++) {
                to.onNext(Responses.events(1, 9).put("/a/x", revision, 300_000).build());
            }
        });
        EtcdSource source = source(System::nanoTime, 1 << 20, List.of("/a/", "/b/"), etcd.endpoint());
        try (RevisionStream stream = source.stream(2)) {
            assertThat(Reading.end(stream))
                    .isInstanceOf(EtcdFailure.Unavailable.class)
                    .hasMessageContaining("--watch-progress-notify-interval");
        }
        try (RevisionStream stream = source.stream(2)) {
            assertThat(Reading.upTo(stream, 9)).hasSize(8);
        }
        assertThat(etcd.created()).hasSize(3);
        assertThat(etcd.created().get(2).getRangeEnd().toStringUtf8()).isEqualTo("/b0");
    }

    @Test
    void letsEtcdWaitWhileNobodyReads() throws EtcdFailure {
        Flood flood = new Flood(400, 256 << 10);
        ScriptedEtcd etcd = member().head(401).watch((to, request, watch) -> flood.start(to));
        try (RevisionStream stream = source(etcd).stream(2)) {
            Awaitility.await().atMost(ChildProcess.DEADLINE).until(flood::isHeldUp);
            assertThat(flood.sent()).isBetween(1, 399);
            assertThat(Reading.upTo(stream, 401)).hasSize(400);
        }
    }

    /** Sends as fast as the other side takes it. */
    private static final class Flood {
        private final int revisions;
        private final int bytes;
        private final AtomicInteger sent = new AtomicInteger();
        private volatile @Nullable ServerCallStreamObserver<WatchResponse> stream;

        Flood(int revisions, int bytes) {
            this.revisions = revisions;
            this.bytes = bytes;
        }

        void start(ServerCallStreamObserver<WatchResponse> to) {
            to.onNext(Responses.created(1, revisions + 1L));
            stream = to;
            Thread sender = new Thread(() -> send(to), "flood");
            sender.setDaemon(true);
            sender.start();
        }

        private void send(ServerCallStreamObserver<WatchResponse> to) {
            while (sent.get() < revisions && !to.isCancelled()) {
                if (to.isReady()) {
                    int revision = sent.incrementAndGet() + 1;
                    to.onNext(Responses.events(1, revisions + 1L)
                            .put("/a/x", revision, bytes)
                            .build());
                } else {
                    Thread.onSpinWait();
                }
            }
        }

        /** Has sent something, and may not send more. */
        boolean isHeldUp() {
            ServerCallStreamObserver<WatchResponse> to = stream;
            return to != null && sent.get() > 0 && !to.isReady();
        }

        int sent() {
            return sent.get();
        }
    }

    @Test
    void asksAgainForProgressAsLongAsItIsBehind() throws EtcdFailure {
        AtomicInteger asked = new AtomicInteger();
        ScriptedEtcd etcd = member().head(9).watch(new ScriptedEtcd.WatchScript() {
            @Override
            public void create(ServerCallStreamObserver<WatchResponse> to, WatchCreateRequest request, int watch) {
                to.onNext(Responses.created(watch, 9));
                if (watch == 1) {
                    to.onNext(Responses.events(1, 9).put("/a/x", 9).build());
                }
            }

            @Override
            public void progress(ServerCallStreamObserver<WatchResponse> to) {
                if (asked.incrementAndGet() == 3) { // until then it is not in step, and does not answer
                    to.onNext(Responses.progress(-1, 9));
                }
            }
        });
        EtcdSource source = source(System::nanoTime, 1 << 20, List.of("/a/", "/b/"), etcd.endpoint());
        try (RevisionStream stream = source.stream(9)) {
            assertThat(Events.text(Reading.upTo(stream, 9))).containsExactly("9: put /a/x");
        }
        assertThat(asked).hasValueGreaterThanOrEqualTo(3);
    }

    @Test
    void asksTheNextMemberWhenOneDoesNotAnswer() throws EtcdFailure {
        ScriptedEtcd there = member().head(7);
        URI absent = URI.create("http://127.0.0.1:" + FreePorts.next());
        EtcdSource source = source(System::nanoTime, 1 << 20, List.of("/a/"), absent, there.endpoint());
        assertThat(source.head()).isEqualTo(new Head("abcd", 7));
        List<EtcdValue> listed = new ArrayList<>();
        assertThat(source.list(0, listed::addAll)).isEqualTo(7);
    }

    @Test
    void asksForSmallerPagesWhenOneIsTooLarge() throws EtcdFailure {
        List<Long> limits = new ArrayList<>();
        ScriptedEtcd etcd = member().head(7).range(request -> {
            limits.add(request.getLimit());
            if (request.getLimit() > 5) {
                throw new StatusRuntimeException(Status.RESOURCE_EXHAUSTED.withDescription("too large"));
            }
            return onePage(request);
        });
        List<EtcdValue> listed = new ArrayList<>();
        assertThat(source(etcd).list(0, listed::addAll)).isEqualTo(7);
        assertThat(listed.stream().map(value -> value.key().toString())).containsExactly("/a/0", "/a/1");
        assertThat(limits).containsExactly(500L, 50L, 5L, 20L, 2L);
    }

    private static RangeResponse onePage(RangeRequest request) {
        boolean first = request.getKey().toStringUtf8().equals("/a/");
        return RangeResponse.newBuilder()
                .setHeader(Responses.header(first ? 7 : 8))
                .addKvs(KeyValue.newBuilder().setKey(ByteString.copyFromUtf8(first ? "/a/0" : "/a/1")))
                .setMore(first)
                .build();
    }

    @Test
    void takesANewTokenForTheStreamAfterOneThatWasRefused() throws EtcdFailure {
        ScriptedEtcd etcd = member().watch((to, request, watch) ->
                to.onNext(Responses.canceled(-1, "etcdserver: permission denied").toBuilder()
                        .setCreated(true)
                        .build()));
        EtcdSource source = new GrpcEtcdSource(
                new EtcdSettings(List.of(etcd.endpoint()), List.of(EtcdKey.utf8("/a/")), List.of(), "reader", "pw"),
                meters,
                System::nanoTime,
                1 << 20);
        toClose.add(source);
        for (int streams = 1; streams <= 2; streams++) {
            try (RevisionStream stream = source.stream(2)) {
                assertThat(Reading.end(stream)).isInstanceOf(EtcdFailure.Refused.class);
            }
            assertThat(etcd.authentications()).isEqualTo(streams);
        }
    }

    @Test
    void renewsATokenThatEtcdTakesNoMore() throws EtcdFailure {
        ScriptedEtcd etcd = member().head(7).expireTokens();
        EtcdSource source = new GrpcEtcdSource(
                new EtcdSettings(List.of(etcd.endpoint()), List.of(EtcdKey.utf8("/a/")), List.of(), "reader", "pw"),
                meters,
                System::nanoTime,
                1 << 20);
        toClose.add(source);
        assertThat(source.head().revision()).isEqualTo(7);
        assertThat(source.head().revision()).isEqualTo(7);
        assertThat(etcd.authentications()).isEqualTo(1);
        etcd.expireTokens();
        assertThat(source.head().revision()).isEqualTo(7);
        assertThat(etcd.authentications()).isEqualTo(2);
    }

    @Test
    void saysWhoRefusesWithoutAUser() {
        ScriptedEtcd etcd = member().expireTokens();
        assertThatThrownBy(() -> source(etcd).head())
                .isInstanceOf(EtcdFailure.Refused.class)
                .hasMessageContaining(etcd.endpoint().toString())
                .hasMessageContaining("etcd.user");
    }

    @Test
    void namesWhatIsNoEtcd() {
        ScriptedEtcd strange = member().version("banana");
        assertThatThrownBy(() -> source(strange).stream(1))
                .isInstanceOf(EtcdFailure.Refused.class)
                .hasMessageContaining("does not look like etcd");
    }
}
