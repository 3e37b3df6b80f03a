package io.watershed.ingest.etcd;

import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A member of etcd that does what a test says: for what a real one does only at the worst of times.
 *
 * <p><em>Threads:</em> gRPC's run the scripts, one call at a time.
 */
final class ScriptedEtcd implements AutoCloseable {
    /** What happens on a stream. */
    interface WatchScript {
        /** The watch of a range is asked for; {@code watch} is the number of those on this stream so far, from 1 on. */
        void create(ServerCallStreamObserver<WatchResponse> to, WatchCreateRequest request, int watch);

        /** Progress is asked for. */
        default void progress(ServerCallStreamObserver<WatchResponse> to) {}
    }

    static final Context.Key<Metadata> HEADERS = Context.key("headers");
    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> HAS_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

    private final Server server;
    private final AtomicInteger authentications = new AtomicInteger();
    private final List<WatchCreateRequest> created = new CopyOnWriteArrayList<>();
    private final List<String> leaderRequired = new CopyOnWriteArrayList<>();
    private volatile String version = "3.7.3";
    private volatile long head = 1;
    private volatile boolean tokensWanted;
    private volatile String validToken = "";
    private volatile WatchScript watch = (to, request, number) -> {};
    private volatile Function<RangeRequest, RangeResponse> range = request -> headOnly();

    ScriptedEtcd() {
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(ServerInterceptors.intercept(new Watches(), new KeepsHeaders()))
                .addService(ServerInterceptors.intercept(new Reads(), new KeepsHeaders()))
                .addService(new Versions())
                .addService(new Tokens())
                .build();
        try {
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getPort());
    }

    ScriptedEtcd version(String text) {
        version = text;
        return this;
    }

    ScriptedEtcd head(long revision) {
        head = revision;
        return this;
    }

    ScriptedEtcd watch(WatchScript script) {
        watch = script;
        return this;
    }

    ScriptedEtcd range(Function<RangeRequest, RangeResponse> script) {
        range = script;
        return this;
    }

    /** Only the token that was given out last is good; this makes it bad. */
    ScriptedEtcd expireTokens() {
        tokensWanted = true;
        validToken = "none";
        return this;
    }

    RangeResponse headOnly() {
        return RangeResponse.newBuilder().setHeader(Responses.header(head)).build();
    }

    /** What watches were asked for, over all streams. */
    List<WatchCreateRequest> created() {
        return List.copyOf(created);
    }

    int authentications() {
        return authentications.get();
    }

    /** What streams said about a leader. */
    List<String> leaderRequired() {
        return List.copyOf(leaderRequired);
    }

    @Override
    public void close() {
        server.shutdownNow();
    }

    private void checkToken() {
        if (tokensWanted && !validToken.equals(HEADERS.get().get(TOKEN))) {
            throw new StatusRuntimeException(Status.UNAUTHENTICATED.withDescription("etcdserver: invalid auth token"));
        }
    }

    private static final class KeepsHeaders implements ServerInterceptor {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            return Contexts.interceptCall(Context.current().withValue(HEADERS, headers), call, headers, next);
        }
    }

    private final class Watches extends WatchGrpc.WatchImplBase {
        @Override
        public StreamObserver<WatchRequest> watch(StreamObserver<WatchResponse> responses) {
            ServerCallStreamObserver<WatchResponse> to = (ServerCallStreamObserver<WatchResponse>) responses;
            leaderRequired.add(String.valueOf(HEADERS.get().get(HAS_LEADER)));
            AtomicInteger count = new AtomicInteger();
            return new StreamObserver<>() {
                @Override
                public void onNext(WatchRequest request) {
                    if (request.hasCreateRequest()) {
                        created.add(request.getCreateRequest());
                        watch.create(to, request.getCreateRequest(), count.incrementAndGet());
                    } else if (request.hasProgressRequest()) {
                        watch.progress(to);
                    }
                }

                @Override
                public void onError(Throwable failure) {}

                @Override
                public void onCompleted() {
                    to.onCompleted();
                }
            };
        }
    }

    private final class Reads extends KVGrpc.KVImplBase {
        @Override
        public void range(RangeRequest request, StreamObserver<RangeResponse> to) {
            try {
                checkToken();
                to.onNext(range.apply(request));
                to.onCompleted();
            } catch (StatusRuntimeException e) {
                to.onError(e);
            }
        }
    }

    private final class Versions extends MaintenanceGrpc.MaintenanceImplBase {
        @Override
        public void status(StatusRequest request, StreamObserver<StatusResponse> to) {
            to.onNext(StatusResponse.newBuilder().setVersion(version).build());
            to.onCompleted();
        }
    }

    private final class Tokens extends AuthGrpc.AuthImplBase {
        @Override
        public void authenticate(AuthenticateRequest request, StreamObserver<AuthenticateResponse> to) {
            validToken = request.getName() + "." + request.getPassword() + "." + authentications.incrementAndGet();
            to.onNext(AuthenticateResponse.newBuilder().setToken(validToken).build());
            to.onCompleted();
        }
    }
}
