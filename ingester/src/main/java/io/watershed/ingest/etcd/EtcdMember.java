package io.watershed.ingest.etcd;

import com.google.common.util.concurrent.ListenableFuture;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.StatusRequest;
import io.etcd.jetcd.api.StatusResponse;
import io.etcd.jetcd.api.WatchGrpc;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One endpoint of etcd: its channel, and the token that it gave us where it asks for one. Tokens are a member's own.
 *
 * <p><em>Threads:</em> any.
 */
final class EtcdMember implements AutoCloseable {
    /** How long any answer but a page of a list may take. */
    private static final long CALL_SECONDS = 5;

    private static final long PAGE_SECONDS = 60;
    private static final long STATUS_SECONDS = 2;
    /** Of one answer. A page aims far below; this is the most that a single value or revision may take. */
    private static final int MAX_MESSAGE_BYTES = 256 << 20;

    private static final int FLOW_CONTROL_BYTES = 1 << 20;
    private static final int DEFAULT_PORT = 2379;
    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> HAS_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

    private final URI endpoint;
    private final @Nullable String user;
    private final String password;
    private final ManagedChannel channel;
    private volatile @Nullable String token;

    EtcdMember(URI endpoint, @Nullable String user, @Nullable String password) {
        this.endpoint = endpoint;
        this.user = user;
        this.password = password == null ? "" : password;
        int port = endpoint.getPort() < 0 ? DEFAULT_PORT : endpoint.getPort();
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(endpoint.getHost(), port)
                .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                .flowControlWindow(FLOW_CONTROL_BYTES)
                // etcd closes connections that ping more often than every 5 s, or without a call.
                .keepAliveTime(10, TimeUnit.SECONDS)
                .keepAliveTimeout(5, TimeUnit.SECONDS)
                .keepAliveWithoutCalls(false);
        if (!"https".equals(endpoint.getScheme())) {
            builder.usePlaintext();
        }
        this.channel = builder.build();
    }

    URI endpoint() {
        return endpoint;
    }

    KVGrpc.KVBlockingStub reads() {
        return KVGrpc.newBlockingStub(authenticated()).withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS);
    }

    KVGrpc.KVBlockingStub pages() {
        return KVGrpc.newBlockingStub(authenticated()).withDeadlineAfter(PAGE_SECONDS, TimeUnit.SECONDS);
    }

    KVGrpc.KVFutureStub asyncReads() {
        return KVGrpc.newFutureStub(authenticated()).withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS);
    }

    /** With require-leader: a member that is cut off from its cluster ends the stream instead of going silent. */
    WatchGrpc.WatchStub watches() {
        Metadata metadata = new Metadata();
        metadata.put(HAS_LEADER, "true");
        return WatchGrpc.newStub(authenticated()).withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata));
    }

    ListenableFuture<StatusResponse> status() {
        return MaintenanceGrpc.newFutureStub(authenticated())
                .withDeadlineAfter(STATUS_SECONDS, TimeUnit.SECONDS)
                .status(StatusRequest.getDefaultInstance());
    }

    /** The next call asks for a new token. True when there was one, so that a call that was refused may be worth another try. */
    boolean dropToken() {
        boolean had = token != null;
        token = null;
        return had;
    }

    private Channel authenticated() {
        Channel connected = connected();
        if (user == null) {
            return connected;
        }
        String known = token;
        if (known == null) {
            known = AuthGrpc.newBlockingStub(connected)
                    .withDeadlineAfter(CALL_SECONDS, TimeUnit.SECONDS)
                    .authenticate(AuthenticateRequest.newBuilder()
                            .setName(user)
                            .setPassword(password)
                            .build())
                    .getToken();
            token = known;
        }
        Metadata metadata = new Metadata();
        metadata.put(TOKEN, known);
        return ClientInterceptors.intercept(connected, MetadataUtils.newAttachHeadersInterceptor(metadata));
    }

    /** gRPC's own pause before it connects again grows to two minutes; callers pause by themselves, and shorter. */
    private Channel connected() {
        if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
            channel.resetConnectBackoff();
        }
        return channel;
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
